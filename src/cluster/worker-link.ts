/** A worker of the cluster as the page holds it: messages, readiness, acknowledged pace, liveness, and an end that happens once. */
import { Liveness } from '../../workers/hosts/browser/liveness.ts'
import type { PaceMessage, PingMessage, WorkerNotice } from '../../workers/hosts/browser/messages.ts'
import type { PaceSchedule } from '../../workers/model/pace.ts'
import type { ClockHost } from './clock-owner.ts'

export interface LinkListener<From> {
  onMessage(message: From): void
  /** It no longer answers, its script did not load, or an error in it was caught by nobody. Not called after `terminate`. */
  onDied(message: string): void
  onPaceApplied(): void
  onLagging(wallMillis: number): void
  /** Its database refuses every change (null: no longer). Only workers that have one tell it. */
  onStoreFailed?(message: string | null): void
}

const NOTICES: readonly string[] = ['ready', 'died', 'pace-applied', 'lagging', 'alive', 'store-failed'] satisfies WorkerNotice['type'][]

export class WorkerLink<To, From extends { readonly type: string }> implements ClockHost {
  readonly name: string
  appliedEpoch: number
  private readonly worker: Worker
  private readonly listener: LinkListener<From>
  private readonly liveness: Liveness
  private readonly keepsTime: boolean
  private ended = false

  /** `epoch` of the schedule that its first message carries. Some workers keep no time: they get no schedule. */
  constructor(name: string, worker: Worker, listener: LinkListener<From>, epoch: number | null) {
    this.name = name
    this.worker = worker
    this.listener = listener
    this.keepsTime = epoch !== null
    this.appliedEpoch = epoch ?? Infinity
    worker.onmessage = (event: MessageEvent<From | WorkerNotice>) => {
      if (this.ended) return
      const message = event.data
      if (NOTICES.includes(message.type)) this.onNotice(message as WorkerNotice)
      else listener.onMessage(message as From)
    }
    worker.onerror = (event) => this.die(event.message ?? 'its script could not be loaded')
    this.liveness = new Liveness(
      (ping) => this.post({ type: 'ping', ping }),
      () => this.die('it no longer answers'),
    )
  }

  send(message: To, transfer: Transferable[] = []): void {
    if (!this.ended) this.worker.postMessage(message, transfer)
  }

  sendPace(schedule: PaceSchedule): void {
    if (this.keepsTime) this.post({ type: 'pace', schedule })
  }

  terminate(): void {
    this.ended = true
    this.liveness.stop()
    this.worker.terminate()
  }

  private post(message: PingMessage | PaceMessage): void {
    if (!this.ended) this.worker.postMessage(message)
  }

  private onNotice(notice: WorkerNotice): void {
    switch (notice.type) {
      case 'ready':
        break
      case 'died':
        this.die(notice.message)
        break
      case 'pace-applied':
        this.appliedEpoch = Math.max(this.appliedEpoch, notice.epoch)
        this.listener.onPaceApplied()
        break
      case 'lagging':
        this.listener.onLagging(notice.wallMillis)
        break
      case 'alive':
        this.liveness.alive(notice.ping)
        break
      case 'store-failed':
        this.listener.onStoreFailed?.(notice.message)
        break
    }
  }

  private die(message: string): void {
    if (this.ended) return
    this.terminate()
    this.listener.onDied(message)
  }
}
