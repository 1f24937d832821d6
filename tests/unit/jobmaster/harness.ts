/** A cluster of nothing but a JobManager: storage answers from a map, tasks do what the test says. */
import { must } from '../../../workers/base/assert.ts'
import { cloneGraph } from '../../../workers/base/clone.ts'
import { NO_METRICS } from '../../../workers/coordinator/statistics.ts'
import { engineOptions } from '../../../workers/jobmaster/engine-options.ts'
import { JobManager } from '../../../workers/jobmaster/job-manager.ts'
import type { JobManagerInput, JobManagerOut } from '../../../workers/jobmaster/jobmaster-io.ts'
import type { TaskCommand, TaskMessage } from '../../../workers/model/control.ts'
import type { TaskDeployment } from '../../../workers/model/deployment.ts'
import type { EventBody, EventOf, EventType } from '../../../workers/model/events.ts'
import type { ExecutionState, FailureInfo } from '../../../workers/model/execution.ts'
import { fencingToken, jobId, operatorId, taskManagerId } from '../../../workers/model/ids.ts'
import type { ExecutionAttemptId, FencingToken } from '../../../workers/model/ids.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { TaskStateSnapshot } from '../../../workers/model/state-handles.ts'
import type { StorageOp, StorageResult } from '../../../workers/model/storage.ts'
import { MemoryFiles } from '../../../workers/storage/memory-files.ts'

export const JOB = jobId('0123456789abcdef0123456789abcdef')
export const SECOND = 1_000_000

/** flights ×2 → count ×2 (keyed) → out ×1. */
export function testJob(config: JobDocument['config'] = {}): JobDocument {
  return {
    weir: 'job@1',
    name: 'test job',
    config: {
      'execution.checkpointing.interval': '10 s',
      'execution.checkpointing.dir': '/checkpoints',
      'restart-strategy.type': 'fixed-delay',
      'restart-strategy.fixed-delay.attempts': 3,
      'restart-strategy.fixed-delay.delay': '1 s',
      ...config,
    },
    playground: { taskManagers: 2, slotsPerTaskManager: 1 },
    topics: [{ name: 'in', partitions: 2, schema: { fields: { k: 'String', v: 'Long' } }, rows: [['a', 1], ['b', 2]] }],
    operators: [
      { uid: 'source', type: 'log', parallelism: 2, params: { topic: 'in' } },
      { uid: 'count', type: 'aggregate', parallelism: 2, params: { aggregates: [{ fn: 'count', as: 'n' }] } },
      { uid: 'out', type: 'print', parallelism: 1 },
    ],
    edges: [
      { from: 'source', to: 'count', ship: 'hash', by: ['k'] },
      { from: 'count', to: 'out', ship: 'rebalance' },
    ],
  }
}

/** The memory file system, behind a cable that can be cut. */
export class TestStorage {
  readonly files = new MemoryFiles()
  /** Operations that still work; then the machine is cut off, as by a crash. */
  budget = Infinity
  /** Answers in the place of the file system. */
  intercept: ((op: StorageOp) => StorageResult | null) | null = null

  execute(op: StorageOp, token: FencingToken | null): StorageResult | null {
    if (this.budget <= 0) return null
    this.budget--
    return this.intercept?.(op) ?? this.files.execute(op, token === null ? null : { job: JOB, token })
  }

  paths(prefix = '/'): readonly string[] {
    return this.files.entries().map((entry) => entry.path).filter((path) => path.startsWith(prefix))
  }
}

export interface Sent {
  readonly taskManager: string
  readonly attempt: ExecutionAttemptId
  readonly command: TaskCommand
}

export class Cluster implements JobManagerOut {
  machine: JobManager
  now = 0
  readonly storageSystem: TestStorage
  readonly events: EventBody[] = []
  readonly sent: Sent[] = []
  readonly deployed: TaskDeployment[][] = []
  readonly released: ExecutionAttemptId[] = []
  readonly requested: number[] = []
  readonly timers = new Map<string, number>()
  private readonly replies: { requestId: number; result: StorageResult }[] = []

  constructor(storage = new TestStorage(), seed = 1) {
    this.storageSystem = storage
    this.machine = new JobManager(engineOptions(seed))
  }

  // ── effects

  requestTaskManagers(count: number): void {
    this.requested.push(count)
  }

  deploy(tasks: readonly { readonly taskManager: string; readonly deployment: TaskDeployment }[]): void {
    this.deployed.push(tasks.map((task) => task.deployment))
  }

  send(taskManager: string, attempt: ExecutionAttemptId, command: TaskCommand): void {
    this.sent.push({ taskManager, attempt, command })
  }

  release(_taskManager: string, attempt: ExecutionAttemptId): void {
    this.released.push(attempt)
  }

  storage(requestId: number, op: StorageOp): void {
    const result = this.storageSystem.execute(op, this.machine.token)
    if (result !== null) this.replies.push({ requestId, result })
  }

  setTimer(timer: string, at: number): void {
    this.timers.set(timer, at)
  }

  clearTimer(timer: string): void {
    this.timers.delete(timer)
  }

  event(body: EventBody): void {
    this.events.push(body)
  }

  // ── driving

  feed(input: JobManagerInput): void {
    this.machine.handle(input, this.now, this)
  }

  /** Delivers storage replies until there are none. */
  settle(): void {
    for (let reply = this.replies.shift(); reply !== undefined; reply = this.replies.shift()) this.feed({ type: 'storage-reply', reply })
  }

  input(input: JobManagerInput): void {
    this.feed(input)
    this.settle()
  }

  /** Moves on to the timer and fires it. */
  fire(timer: string): void {
    this.now = Math.max(this.now, must(this.timers.get(timer), `timer ${timer}`))
    this.timers.delete(timer)
    this.input({ type: 'timer', timer })
  }

  lead(token = 1): this {
    this.input({ type: 'grant-leadership', token: fencingToken(token) })
    return this
  }

  register(...names: string[]): this {
    for (const name of names) this.input({ type: 'task-manager-registered', taskManager: taskManagerId(name), slots: 1 })
    return this
  }

  submit(document = testJob()): this {
    this.input({ type: 'submit', job: JOB, document, seed: 42 })
    return this
  }

  /** Submitted, deployed on two TaskManagers, all tasks RUNNING. */
  running(document = testJob()): this {
    return this.lead().submit(document).register('tm-1', 'tm-2').tasksRun()
  }

  /** Every deployed task reports INITIALIZING, then RUNNING. */
  tasksRun(): this {
    for (const { attempt, state } of this.machine.executions) {
      if (state !== 'DEPLOYING') continue
      this.taskState(attempt, 'INITIALIZING')
      this.taskState(attempt, 'RUNNING')
    }
    return this
  }

  message(message: TaskMessage): void {
    this.input({ type: 'task-message', message })
  }

  taskState(attempt: ExecutionAttemptId, state: ExecutionState, failure?: FailureInfo): void {
    this.message({ type: 'state', attempt, state, ...(failure === undefined ? {} : { failure }) })
  }

  fail(attempt: ExecutionAttemptId, message = 'boom', nonRecoverable = false): void {
    this.taskState(attempt, 'FAILED', { message, nonRecoverable })
  }

  /** Every task that is being cancelled says that it is gone. */
  tasksCancel(): this {
    for (const { attempt, state } of this.machine.executions) if (state === 'CANCELING') this.taskState(attempt, 'CANCELED')
    return this
  }

  trigger(triggerId = 'f'.repeat(32)): void {
    this.input({ type: 'trigger-checkpoint', triggerId, checkpointType: 'CONFIGURED' })
  }

  savepoint(triggerId = 'e'.repeat(32), directory = '/savepoints'): number {
    this.input({ type: 'trigger-savepoint', triggerId, directory })
    return must(this.all('CheckpointTriggered').at(-1), 'a triggered savepoint').checkpointId
  }

  ack(attempt: ExecutionAttemptId, checkpointId: number, snapshot: TaskStateSnapshot = { operators: [] }, bytes = 10): void {
    const metrics = { ...NO_METRICS, checkpointedBytes: bytes, stateBytes: bytes, syncMicros: 4000, asyncMicros: 30_000 }
    this.message({ type: 'acknowledge', attempt, checkpointId, metrics, snapshot })
  }

  /** Every task writes one file below the checkpoint and acknowledges. */
  ackAll(checkpointId: number): void {
    for (const { attempt, vertex, subtask, state } of this.machine.executions) {
      if (state === 'RUNNING') this.ack(attempt, checkpointId, this.writeState(checkpointId, vertex, subtask))
    }
  }

  /** One exclusive file with operator state, as a task would write it. */
  writeState(checkpointId: number, vertex: string, subtask: number): TaskStateSnapshot {
    const name = `${vertex}-${subtask}`
    const bytes = new Uint8Array([checkpointId, subtask])
    this.storageSystem.execute({
      type: 'transact',
      writes: [{ path: `/checkpoints/${JOB}/chk-${checkpointId}/${name}`, bytes, createNew: true }],
      deletes: [],
      durability: 'relaxed',
    }, null)
    const managedOperator = {
      states: [{ name: 's', mode: 'SPLIT_DISTRIBUTE' as const, offsets: [0] }],
      stream: { kind: 'relative' as const, name, size: bytes.length },
    }
    return { operators: [{ operatorId: operatorId(vertex), state: { managedOperator, managedKeyed: null } }] }
  }

  checkpoint(): number {
    this.now += SECOND
    this.trigger()
    const id = must(this.all('CheckpointTriggered').at(-1), 'a triggered checkpoint').checkpointId
    this.now += SECOND
    this.ackAll(id)
    return id
  }

  // ── looking

  all<T extends EventType>(type: T): readonly EventOf<T>[] {
    return this.events.filter((event): event is EventOf<T> => event.type === type)
  }

  get statuses(): readonly string[] {
    return this.all('JobStatusChanged').map((event) => event.to)
  }

  execution(index: number): ExecutionAttemptId {
    return must(this.machine.executions[index], `execution ${index}`).attempt
  }

  states(): readonly ExecutionState[] {
    return this.machine.executions.map((execution) => execution.state)
  }

  commands(type: TaskCommand['type']): readonly Sent[] {
    return this.sent.filter((sent) => sent.command.type === type)
  }

  rest(path: string): { readonly status: number; readonly body: unknown } {
    return this.machine.rest({ path }, this.now) as { status: number; body: unknown }
  }

  /** The JobManager alone is copied; what it did before stays with the original. */
  cloned(): Cluster {
    const copy = new Cluster(cloneGraph(this.storageSystem))
    copy.machine = cloneGraph(this.machine)
    copy.now = this.now
    for (const [timer, at] of this.timers) copy.timers.set(timer, at)
    copy.events.push(...this.events)
    return copy
  }
}
