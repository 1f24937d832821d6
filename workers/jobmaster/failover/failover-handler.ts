/**
 * From a failure to the restart of tasks. Flink: ExecutionFailureHandler, DefaultScheduler (behaviour 15.1 to 15.3): the region of a failed
 * task, or all tasks on a global failure, are cancelled; they restart when the delay has passed and the cancellation is done.
 */
import type { FailureInfo } from '../../model/execution.ts'
import { isTerminalExecution } from '../../model/execution.ts'
import type { JobGraph } from '../../model/job-graph.ts'
import type { EngineTime } from '../../model/time.ts'
import type { Execution, ExecutionGraph } from '../execution-graph.ts'
import type { JobStatusMachine } from '../job-status-machine.ts'
import type { MachineContext } from '../machine-context.ts'
import { FailoverRegions, positionKey } from './region.ts'
import type { TaskPosition } from './region.ts'
import type { RestartStrategy } from './restart-strategy.ts'

export const RESTART_TIMER = 'restart'

export type GlobalFailure = Pick<FailureInfo, 'message' | 'nonRecoverable'>

/** What the handler asks of the job. */
export interface FailoverHome {
  readonly executionGraph: ExecutionGraph
  readonly status: JobStatusMachine
  /** A completion is being written: which checkpoint is the latest is not certain yet. */
  readonly isCompletionUnderWay: boolean
  enterRestarting(cause: string): void
  cancelExecution(execution: Execution): void
  failJob(cause: string): void
  restartTasks(tasks: readonly TaskPosition[], isGlobal: boolean): void
}

export class FailoverHandler {
  restarts = 0
  private readonly home: FailoverHome
  private readonly context: MachineContext
  private readonly strategy: RestartStrategy
  private readonly regions: FailoverRegions
  private readonly waiting = new Map<string, TaskPosition>()
  private isGlobal = false
  private restartAt: EngineTime | null = null
  private globalFailure: GlobalFailure | null = null

  constructor(home: FailoverHome, context: MachineContext, graph: JobGraph, strategy: RestartStrategy) {
    this.home = home
    this.context = context
    this.strategy = strategy
    this.regions = new FailoverRegions(graph)
  }

  /** When the tasks will restart at the earliest; null: no restart is waited for. */
  get restartsAt(): EngineTime | null {
    return this.restartAt
  }

  taskFailed(execution: Execution, failure: FailureInfo): void {
    this.handle(this.regions.tasksToRestart(execution), false, failure.message, failure.nonRecoverable)
  }

  /** Dealt with after the present input, since whoever asks is in the middle of something. */
  failGloballyLater(message: string, nonRecoverable = false): void {
    this.globalFailure ??= { message, nonRecoverable }
  }

  /** The global failure that is due, once. */
  takeGlobalFailure(): GlobalFailure | null {
    const failure = this.globalFailure
    this.globalFailure = null
    return failure
  }

  failGlobally({ message, nonRecoverable }: GlobalFailure): void {
    this.handle(this.regions.all.flat(), true, message, nonRecoverable)
  }

  /** Restarts what waits, if the delay has passed, the tasks are gone and no completion is under way. */
  restartIfReady(): void {
    if (this.restartAt === null || this.context.now < this.restartAt || this.home.isCompletionUnderWay) return
    const tasks = [...this.waiting.values()]
    const graph = this.home.executionGraph
    if (!tasks.every((task) => isTerminalExecution(graph.execution(task.vertex, task.subtask).state))) return
    const { isGlobal } = this
    this.abandon()
    this.restarts++
    this.home.restartTasks(tasks, isGlobal)
  }

  /** No restart any more: the job is cancelled or fails. */
  abandon(): void {
    if (this.restartAt !== null) this.context.out.clearTimer(RESTART_TIMER)
    this.restartAt = null
    this.isGlobal = false
    this.waiting.clear()
  }

  private handle(tasks: readonly TaskPosition[], isGlobal: boolean, cause: string, nonRecoverable: boolean): void {
    if (!this.home.status.is('RUNNING', 'RESTARTING')) return
    if (nonRecoverable) {
      this.context.event({ type: 'RecoverySuppressed', strategy: 'The failure is not recoverable', cause })
      this.home.failJob(`The failure is not recoverable: ${cause}`)
      return
    }
    this.strategy.notifyFailure(this.context.now)
    if (!this.strategy.canRestart()) {
      this.context.event({ type: 'RecoverySuppressed', strategy: this.strategy.description, cause })
      this.home.failJob(`Recovery is suppressed by ${this.strategy.description}: ${cause}`)
      return
    }
    const delayMicros = this.strategy.backoffMicros(this.context.now)
    for (const task of tasks) this.waiting.set(positionKey(task), task)
    this.isGlobal ||= isGlobal
    this.restartAt = Math.max(this.restartAt ?? 0, this.context.now + delayMicros)
    this.home.enterRestarting(cause)
    this.context.event({ type: 'RestartScheduled', attemptNumber: this.restarts + 1, delayMicros, strategy: this.strategy.description, cause })
    for (const task of tasks) this.home.cancelExecution(this.home.executionGraph.execution(task.vertex, task.subtask))
    this.context.out.setTimer(RESTART_TIMER, this.restartAt)
  }
}
