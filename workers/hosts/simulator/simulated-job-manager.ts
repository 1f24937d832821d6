/** A JobManager worker of the simulated world: hosts one `JobManager` for the time of its leadership. */
import type { TaskCommand } from '../../model/control.ts'
import type { TaskDeployment } from '../../model/deployment.ts'
import type { EventBody } from '../../model/events.ts'
import type { ExecutionAttemptId, FencingToken, TaskManagerId } from '../../model/ids.ts'
import type { StorageOp } from '../../model/storage.ts'
import type { EngineTime } from '../../model/time.ts'
import type { JobManager } from '../../jobmaster/job-manager.ts'
import type { JobManagerOut } from '../../jobmaster/jobmaster-io.ts'
import type { JobManagerEnvelope, StorageAnswer, StorageCall } from './envelopes.ts'
import type { Line } from './line.ts'
import type { Receiver, World } from './world.ts'

/** What a JobManager asks of the cluster around it. */
export interface JobManagerCluster {
  requestTaskManagers(count: number): void
  deploy(from: SimulatedJobManager, tasks: readonly { readonly taskManager: TaskManagerId; readonly deployment: TaskDeployment }[]): void
  command(attempt: ExecutionAttemptId, command: TaskCommand): void
  release(attempt: ExecutionAttemptId): void
}

export class SimulatedJobManager implements Receiver<JobManagerEnvelope>, JobManagerOut {
  readonly machine: JobManager
  readonly token: FencingToken
  alive = true
  storageLine: Line<StorageCall> | null = null
  storageAnswers: Line<StorageAnswer> | null = null
  private readonly world: World
  private readonly cluster: JobManagerCluster
  private readonly timers = new Map<string, number>()
  private generation = 0

  constructor(world: World, cluster: JobManagerCluster, machine: JobManager, token: FencingToken) {
    this.world = world
    this.cluster = cluster
    this.machine = machine
    this.token = token
  }

  receive(message: JobManagerEnvelope): void {
    if (!this.alive) return
    if (message.type === 'input') return this.machine.handle(message.input, this.world.now, this)
    if (this.timers.get(message.timer) !== message.generation) return
    this.timers.delete(message.timer)
    this.machine.handle({ type: 'timer', timer: message.timer }, this.world.now, this)
  }

  /** It leads no more, and has said so: what it has asked of storage is carried out, and nothing else happens. */
  retire(): void {
    this.alive = false
  }

  kill(): void {
    this.alive = false
    this.storageLine?.cutSomewhere()
  }

  requestTaskManagers(count: number): void {
    this.cluster.requestTaskManagers(count)
  }

  deploy(tasks: readonly { readonly taskManager: TaskManagerId; readonly deployment: TaskDeployment }[]): void {
    this.cluster.deploy(this, tasks)
  }

  send(_taskManager: TaskManagerId, attempt: ExecutionAttemptId, command: TaskCommand): void {
    this.cluster.command(attempt, command)
  }

  release(_taskManager: TaskManagerId, attempt: ExecutionAttemptId): void {
    this.cluster.release(attempt)
  }

  storage(requestId: number, op: StorageOp): void {
    const job = this.machine.jobId
    const answer = this.storageAnswers
    if (answer === null) return
    this.storageLine?.send({ type: 'call', requestId, op, fence: job === null ? null : { job, token: this.token }, answer })
  }

  setTimer(timer: string, at: EngineTime): void {
    this.generation++
    this.timers.set(timer, this.generation)
    this.world.schedule<JobManagerEnvelope>(at, this, { type: 'timer', timer, generation: this.generation })
  }

  clearTimer(timer: string): void {
    this.timers.delete(timer)
  }

  event(body: EventBody): void {
    this.world.log('jobmanager', body)
  }
}
