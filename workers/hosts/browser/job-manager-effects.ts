/** What the JobManager asks for, carried out. */
import type { TaskCommand } from '../../model/control.ts'
import type { TaskDeployment } from '../../model/deployment.ts'
import type { EngineEvent, EventBody } from '../../model/events.ts'
import type { ExecutionAttemptId, FencingToken, JobId, TaskManagerId } from '../../model/ids.ts'
import type { StorageOp } from '../../model/storage.ts'
import type { EngineTime } from '../../model/time.ts'
import type { JobManagerInput, JobManagerOut } from '../../jobmaster/jobmaster-io.ts'
import { EventPort } from './event-port.ts'
import type { FromJobManager, JobManagerToTaskManager, StorageAnswer, StorageCall } from './messages.ts'
import { PendingRequests } from './pending-requests.ts'
import { Timers } from './timers.ts'
import { bytesToTransfer } from './transfer.ts'

export interface JobManagerEffectsHost {
  now(): EngineTime
  jobId(): JobId | null
  readonly token: FencingToken
  readonly post: (message: FromJobManager) => void
  readonly input: (input: JobManagerInput) => void
}

export class JobManagerEffects implements JobManagerOut {
  readonly timers = new Timers()
  readonly taskManagers = new Map<TaskManagerId, MessagePort>()
  /** When the next periodic checkpoint will be triggered, once the JobManager has said so. */
  announcedTrigger: EngineTime | null = null
  private readonly host: JobManagerEffectsHost
  private readonly storagePort: MessagePort
  private readonly events: EventPort
  private readonly storageCalls = new PendingRequests()
  private toPage: EngineEvent[] = []
  /** What the page gets once the machine has finished its input, so that the job is known by then. */
  private outbox: FromJobManager[] = []

  constructor(storagePort: MessagePort, observer: MessagePort, host: JobManagerEffectsHost) {
    this.host = host
    this.storagePort = storagePort
    this.events = new EventPort(observer, 'jobmanager')
    storagePort.onmessage = (event: MessageEvent<StorageAnswer>) => {
      if (this.storageCalls.take(event.data.requestId)) host.input({ type: 'storage-reply', reply: event.data })
    }
  }

  requestTaskManagers(count: number): void {
    this.outbox.push({ type: 'request-task-managers', count })
  }

  deploy(tasks: readonly { readonly taskManager: TaskManagerId; readonly deployment: TaskDeployment }[]): void {
    this.outbox.push({ type: 'deploy', tasks })
  }

  send(taskManager: TaskManagerId, attempt: ExecutionAttemptId, command: TaskCommand): void {
    const job = this.host.jobId()
    if (job !== null) this.toTaskManager(taskManager, { type: 'command', job, attempt, command })
  }

  release(taskManager: TaskManagerId, attempt: ExecutionAttemptId): void {
    const job = this.host.jobId()
    if (job !== null) this.toTaskManager(taskManager, { type: 'release', job, attempt })
  }

  storage(requestId: number, op: StorageOp): void {
    this.storageCalls.add(requestId)
    const job = this.host.jobId()
    const call: StorageCall = { requestId, op, ...(job === null ? {} : { fence: { job, token: this.host.token } }) }
    this.storagePort.postMessage(call, bytesToTransfer(op))
  }

  setTimer(timer: string, at: EngineTime): void {
    this.timers.set(timer, at)
  }

  clearTimer(timer: string): void {
    this.timers.clear(timer)
  }

  event(body: EventBody): void {
    if (body.type === 'CheckpointScheduled') this.announcedTrigger = body.nextAt
    this.toPage.push(this.events.event(body, this.host.now()))
  }

  flush(): void {
    this.events.flush(this.host.now())
    const outbox = this.outbox
    this.outbox = []
    for (const message of outbox) this.host.post(message)
    if (this.toPage.length === 0) return
    const events = this.toPage
    this.toPage = []
    this.host.post({ type: 'events', events })
  }

  expireRequests(): void {
    for (const requestId of this.storageCalls.expired()) {
      const result = { ok: false, reason: 'DEADLINE_EXCEEDED', message: 'the storage worker did not answer' } as const
      this.host.input({ type: 'storage-reply', reply: { requestId, result } })
    }
  }

  private toTaskManager(taskManager: TaskManagerId, message: JobManagerToTaskManager): void {
    this.taskManagers.get(taskManager)?.postMessage(message)
  }
}
