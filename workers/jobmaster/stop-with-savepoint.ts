/**
 * Savepoints by hand, and jobs that stop or are cancelled with one (behaviour 13.1 to 13.3). Flink: SchedulerBase.triggerSavepoint and
 * stopWithSavepoint, StopWithSavepointTerminationManager, StopWithSavepointTerminationHandlerImpl.
 *
 *   stop     scheduler off ─► synchronous savepoint ─► all tasks FINISHED ─► path is the answer
 *                                     │ fails                 │ one ended otherwise
 *                                     ▼                       ▼
 *                          scheduler on, refused      the job fails for good: the savepoint may hold open transactions
 *   cancel   scheduler off ─► savepoint ─► cancel;  fails: scheduler on, the job goes on
 *
 * Simplified: one stop at a time; Flink lets a second one abort the savepoint of the first.
 */
import type { CheckpointCoordinator } from '../coordinator/checkpoint-coordinator.ts'
import { savepointRequest } from '../coordinator/checkpoint-request.ts'
import type { CheckpointRequest } from '../coordinator/checkpoint-request.ts'
import type { OperationResult } from '../coordinator/operations.ts'
import type { SavepointFormat } from '../model/checkpoint.ts'
import type { RequestByHand, StopMode } from '../model/events.ts'
import { isTerminalExecution } from '../model/execution.ts'
import type { JobId } from '../model/ids.ts'
import type { JobGraph } from '../model/job-graph.ts'
import { storagePathOf } from '../model/storage-path.ts'
import type { Execution, ExecutionGraph } from './execution-graph.ts'
import type { MachineContext } from './machine-context.ts'

export const NO_SAVEPOINT_DIRECTORY =
  "No savepoint directory configured. You can either specify a directory while cancelling via -s :targetDirectory or configure a cluster-wide default via key 'execution.checkpointing.savepoint-dir'."

/** What is needed of the job. */
export interface StopHome {
  readonly job: JobId
  readonly graph: JobGraph
  readonly executionGraph: ExecutionGraph
  readonly coordinator: CheckpointCoordinator
  /** Periodic checkpoints again, if the job runs. */
  startScheduler(): void
  cancel(): void
  failGloballyLater(message: string, nonRecoverable: boolean): void
}

export interface SavepointWish {
  readonly triggerId: string
  /** Null: where the job's options say. */
  readonly directory: string | null
  readonly format?: SavepointFormat
}

interface Stop {
  readonly triggerId: string
  readonly mode: StopMode
  /** Set when the savepoint is complete: where it lies, and the tasks that must all finish now. */
  completed: { readonly result: Extract<OperationResult, { readonly status: 'COMPLETED' }>; readonly executions: readonly Execution[] } | null
}

export class StopWithSavepoint {
  private readonly home: StopHome
  private readonly context: MachineContext
  private stop: Stop | null = null
  /** Of the savepoint of `stop`, until the present input has been dealt with. */
  private outcome: OperationResult | null = null

  constructor(home: StopHome, context: MachineContext) {
    this.home = home
    this.context = context
  }

  /** A stop is under way: tasks that report their end of data need no further checkpoint. */
  get isStopping(): boolean {
    return this.stop !== null && this.stop.mode !== 'CANCEL'
  }

  /** A savepoint that nothing follows from. */
  trigger(wish: SavepointWish): void {
    const directory = this.directoryOf(wish, 'savepoint')
    if (directory !== null) this.request(wish, directory)
  }

  begin(wish: SavepointWish, mode: StopMode): void {
    const { coordinator } = this.home
    const name = mode === 'CANCEL' ? 'cancel-with-savepoint' : 'stop-with-savepoint'
    if (this.stop !== null) return this.refuse(wish.triggerId, name, 'The job is being stopped with a savepoint already.')
    const directory = this.directoryOf(wish, name)
    if (directory === null) return
    this.stop = { triggerId: wish.triggerId, mode, completed: null }
    this.context.event({ type: 'StopWithSavepointStarted', mode, format: wish.format ?? 'CANONICAL' })
    coordinator.stopScheduler('CHECKPOINT_COORDINATOR_SUSPEND')
    this.request(wish, directory, mode)
  }

  /** Of every request; a stop is answered when the job has stopped. */
  requestEnded(request: CheckpointRequest, result: OperationResult): void {
    const { stop } = this
    if (stop !== null && stop.completed === null && request.triggerId === stop.triggerId) this.outcome = result
    else this.answer(request.triggerId, request.savepoint ? 'savepoint' : 'checkpoint', result)
  }

  /** After every input, and when the job has ended: what has become possible by it. */
  advance(): void {
    const { outcome, stop } = this
    this.outcome = null
    if (stop === null) return
    if (outcome !== null) this.savepointEnded(stop, outcome)
    if (stop.completed !== null && this.stop === stop) this.endIfAllTerminal(stop, stop.completed.result, stop.completed.executions)
  }

  /** As an operation that failed before anything was done. */
  refuse(triggerId: string, request: RequestByHand, message: string): void {
    this.home.coordinator.operations.begin(triggerId)
    this.answer(triggerId, request, { status: 'FAILED', message })
  }

  private request({ triggerId, format }: SavepointWish, directory: string, mode: StopMode = 'CANCEL'): void {
    const { coordinator, graph } = this.home
    const { unalignedEnabled } = graph.settings.checkpointing
    coordinator.request(savepointRequest(this.context.now, directory, triggerId, unalignedEnabled, { format, ...(mode === 'CANCEL' ? {} : { stop: mode }) }))
  }

  private savepointEnded(stop: Stop, result: OperationResult): void {
    const name = stop.mode === 'CANCEL' ? 'cancel-with-savepoint' : 'stop-with-savepoint'
    if (result.status !== 'COMPLETED') {
      this.stop = null
      this.home.startScheduler()
      this.answer(stop.triggerId, name, result)
    } else if (stop.mode === 'CANCEL') {
      this.stop = null
      this.answer(stop.triggerId, name, result)
      this.context.event({ type: 'JobStoppedWithSavepoint', mode: 'CANCEL', externalPath: result.location })
      this.home.cancel()
    } else stop.completed = { result, executions: this.home.executionGraph.executions }
  }

  private endIfAllTerminal(stop: Stop, result: Extract<OperationResult, { readonly status: 'COMPLETED' }>, executions: readonly Execution[]): void {
    if (!executions.every(({ state }) => isTerminalExecution(state))) return
    this.stop = null
    if (executions.every(({ state }) => state === 'FINISHED')) {
      this.context.event({ type: 'JobStoppedWithSavepoint', mode: stop.mode, externalPath: result.location })
      this.answer(stop.triggerId, 'stop-with-savepoint', result)
      return
    }
    const message =
      `A savepoint has been created at: ${result.location}, but the corresponding job ${this.home.job} failed during stopping. ` +
      'The savepoint is consistent, but might have uncommitted transactions. If you want to commit the transaction please restart a job from this savepoint.'
    this.answer(stop.triggerId, 'stop-with-savepoint', { status: 'FAILED', message })
    this.home.failGloballyLater(message, true)
  }

  /** The directory to write below; null: refused. */
  private directoryOf({ directory, triggerId }: SavepointWish, request: RequestByHand): string | null {
    const named = directory ?? this.home.graph.settings.checkpointing.savepointDir
    if (named === null) {
      this.refuse(triggerId, request, NO_SAVEPOINT_DIRECTORY)
      return null
    }
    const path = storagePathOf(named)
    if (path.ok) return path.value
    this.refuse(triggerId, request, path.error)
    return null
  }

  private answer(triggerId: string | null, request: RequestByHand, result: OperationResult): void {
    this.home.coordinator.operations.end(triggerId, result)
    if (triggerId !== null && result.status === 'FAILED') this.context.event({ type: 'RequestFailed', request, message: result.message })
  }
}
