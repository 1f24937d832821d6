/** The workers that outlive every kill of the cluster: storage, the outside world, the observer. Makes their ports. */
import { wrap, type Remote } from 'comlink'
import type { EventBody } from '../../workers/model/events.ts'
import type { FencingToken, JobId } from '../../workers/model/ids.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import type {
  Fence,
  FromObserver,
  LogBatch,
  ObserverBatch,
  ToObserver,
  ToOutside,
  ToStorage,
  WorkerNotice,
} from '../../workers/hosts/browser/messages.ts'
import type { ObserverSurface, OutsideSurface, StorageSurface } from '../../workers/hosts/browser/requests.ts'
import type { ClockOwner } from './clock-owner.ts'
import { startObserverWorker, startOutsideWorker, startStorageWorker } from './worker-urls.ts'
import { WorkerLink, type LinkListener } from './worker-link.ts'

export interface ServicesListener {
  onLog(batch: LogBatch): void
  onPaceApplied(): void
  onDied(part: string, message: string): void
  /** The part's database refuses every change; null: it takes them again. */
  onStoreFailed(part: string, message: string | null): void
}

export class ClusterServices {
  readonly storageSurface: Remote<StorageSurface>
  readonly outsideSurface: Remote<OutsideSurface>
  readonly observerSurface: Remote<ObserverSurface>
  readonly outside: WorkerLink<ToOutside, WorkerNotice>
  private readonly storage: WorkerLink<ToStorage, WorkerNotice>
  private readonly observer: WorkerLink<ToObserver, FromObserver>
  private readonly own: MessagePort
  private sequence = 0

  constructor(clock: ClockOwner, listener: ServicesListener) {
    const common = (part: string): LinkListener<WorkerNotice> => ({
      onMessage: () => undefined,
      onDied: (message) => listener.onDied(part, message),
      onPaceApplied: () => listener.onPaceApplied(),
      onLagging: () => undefined,
      onStoreFailed: (message) => listener.onStoreFailed(part, message),
    })
    this.observer = new WorkerLink('observer', startObserverWorker(), {
      ...common('observer'),
      onMessage: (message) => {
        if (message.type === 'batch') listener.onLog(message.batch)
      },
    }, null)
    this.storage = new WorkerLink('storage', startStorageWorker(), common('storage'), null)
    this.outside = new WorkerLink('outside world', startOutsideWorker(), common('outside world'), clock.schedule.epoch)

    const observer = surfaceChannel<ObserverSurface>()
    this.observer.send({ type: 'start', surface: observer.port }, [observer.port])
    this.observerSurface = observer.remote
    const storage = surfaceChannel<StorageSurface>()
    this.storage.send({ type: 'start', surface: storage.port }, [storage.port])
    this.storageSurface = storage.remote
    const outside = surfaceChannel<OutsideSurface>()
    const events = this.openObserver('outside')
    this.outside.send({ type: 'start', schedule: clock.schedule, surface: outside.port, observer: events }, [outside.port, events])
    this.outsideSurface = outside.remote
    this.own = this.openObserver('cluster')
    this.observer.send({ type: 'subscribe' })
  }

  /** The end for the source; the observer has the other. */
  openObserver(source: string): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.observer.send({ type: 'open', port: port2, source }, [port2])
    return port1
  }

  openStorage(fence: Fence | null): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.storage.send({ type: 'open', port: port2, fence }, [port2])
    return port1
  }

  openOutside(job: JobId, token: FencingToken): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.outside.send({ type: 'open', port: port2, fence: { job, token } }, [port2])
    return port1
  }

  openOverlay(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.observer.send({ type: 'overlay', port: port2 }, [port2])
    return port1
  }

  /** What the page itself did to the cluster belongs into the log. */
  event(body: EventBody, at: EngineTime): void {
    this.sequence++
    const batch: ObserverBatch = { events: [{ at, source: 'cluster', sequence: this.sequence, body }], report: null, trace: [] }
    this.own.postMessage(batch)
  }

  terminate(): void {
    for (const link of [this.storage, this.outside, this.observer]) link.terminate()
  }
}

export function surfaceChannel<T>(): { readonly port: MessagePort; readonly remote: Remote<T> } {
  const { port1, port2 } = new MessageChannel()
  return { port: port2, remote: wrap<T>(port1) }
}
