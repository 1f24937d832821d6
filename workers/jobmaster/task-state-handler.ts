/**
 * What tasks tell of themselves: their states, their end, their end of data; and what is said of those that are lost. Flink:
 * SchedulerBase.updateTaskExecutionState, Execution.markFinished, markFailed, SchedulerBase.notifyEndOfData.
 */
import type { CheckpointCoordinator } from '../coordinator/checkpoint-coordinator.ts'
import { manualRequest } from '../coordinator/checkpoint-request.ts'
import type { TaskMessage } from '../model/control.ts'
import { isTerminalExecution } from '../model/execution.ts'
import type { FailureInfo } from '../model/execution.ts'
import type { TaskManagerId } from '../model/ids.ts'
import type { JobGraph } from '../model/job-graph.ts'
import type { ExceptionHistory } from './exception-history.ts'
import type { Execution, ExecutionGraph } from './execution-graph.ts'
import type { FailoverHandler } from './failover/failover-handler.ts'
import type { JobStatusMachine } from './job-status-machine.ts'
import type { MachineContext } from './machine-context.ts'
import type { StopWithSavepoint } from './stop-with-savepoint.ts'
import type { SlotPool } from './slot-pool.ts'

/** What the handler needs of the job. */
export interface TaskStateHome {
  readonly graph: JobGraph
  readonly status: JobStatusMachine
  readonly executionGraph: ExecutionGraph
  readonly coordinator: CheckpointCoordinator
  readonly exceptions: ExceptionHistory
  readonly failover: FailoverHandler
  readonly savepoints: StopWithSavepoint
}

type StateMessage = Extract<TaskMessage, { type: 'state' }>

const UNASKED_CANCEL: FailureInfo = { message: 'The task was canceled although no one had asked for it.', nonRecoverable: false }
const NO_REASON: FailureInfo = { message: 'The task failed without a reason.', nonRecoverable: false }

const hasEnded = (execution: Execution): boolean => execution.endOfData || execution.state === 'FINISHED'

export class TaskStateHandler {
  private readonly home: TaskStateHome
  private readonly context: MachineContext
  private readonly slots: SlotPool
  private finalCheckpointRequested = false

  constructor(home: TaskStateHome, context: MachineContext, slots: SlotPool) {
    this.home = home
    this.context = context
    this.slots = slots
  }

  /** Tasks begin anew. */
  reset(): void {
    this.finalCheckpointRequested = false
  }

  onState(execution: Execution, message: StateMessage): void {
    const { executionGraph } = this.home
    const isCanceling = execution.state === 'CANCELING'
    switch (message.state) {
      case 'INITIALIZING':
        if (execution.state === 'DEPLOYING') executionGraph.transition(execution, 'INITIALIZING')
        break
      case 'RUNNING':
        if (execution.state === 'DEPLOYING' || execution.state === 'INITIALIZING') executionGraph.transition(execution, 'RUNNING')
        break
      case 'FINISHED':
        this.end(execution, isCanceling ? 'CANCELED' : 'FINISHED')
        break
      case 'CANCELED':
        if (isCanceling) this.end(execution, 'CANCELED')
        else this.fail(execution, UNASKED_CANCEL)
        break
      case 'FAILED':
        if (isCanceling) this.end(execution, 'CANCELED')
        else this.fail(execution, message.failure ?? NO_REASON)
        break
      case 'CREATED':
      case 'SCHEDULED':
      case 'DEPLOYING':
      case 'CANCELING':
        break
    }
  }

  /** When all tasks have seen their end, the last checkpoint is triggered at once (behaviour 14). */
  onEndOfData(execution: Execution): void {
    const { graph, status, executionGraph, coordinator } = this.home
    execution.endOfData = true
    const { afterTasksFinish, intervalMicros } = graph.settings.checkpointing
    if (!afterTasksFinish || intervalMicros === null) return
    const vertex = executionGraph.vertex(execution.vertex)
    if (vertex.executions.every(hasEnded)) {
      for (const { operatorId } of vertex.vertex.chain) coordinator.setProcessingBacklog(operatorId, false)
    }
    // The savepoint that drains the job is that last checkpoint.
    if (this.home.savepoints.isStopping) return
    if (this.finalCheckpointRequested || !status.is('RUNNING') || !executionGraph.executions.every(hasEnded)) return
    this.finalCheckpointRequested = true
    coordinator.request(manualRequest(this.context.now, 'CONFIGURED', null))
  }

  lose(execution: Execution, cause: string): void {
    if (isTerminalExecution(execution.state)) return
    if (execution.state === 'CANCELING') this.end(execution, 'CANCELED')
    else this.fail(execution, { message: cause, nonRecoverable: false })
  }

  loseTaskManager(taskManager: TaskManagerId): void {
    for (const execution of this.home.executionGraph.executions) {
      if (execution.taskManager === taskManager) this.lose(execution, `TaskManager with id ${taskManager} is no longer reachable.`)
    }
  }

  fail(execution: Execution, failure: FailureInfo): void {
    const { executionGraph, exceptions, failover } = this.home
    const { message } = failure
    const { attempt, subtask, taskManager } = execution
    const { name, parallelism } = executionGraph.vertex(execution.vertex).vertex
    const taskName = `${name} (${subtask + 1}/${parallelism})`
    const entry = { at: this.context.now, message, detail: failure.detail ?? null, taskName, attempt, taskManager }
    if (this.isMerged()) exceptions.addConcurrent(entry)
    else exceptions.add(entry)
    this.end(execution, 'FAILED', message)
    failover.taskFailed(execution, failure)
  }

  /** Only exponential-delay merges a failure into the restart that is already scheduled (behaviour 15.1): then it is no root cause of its own. */
  private isMerged(): boolean {
    const { graph, failover } = this.home
    return graph.settings.restartStrategy.type === 'exponential-delay' && failover.restartsAt !== null && this.context.now <= failover.restartsAt
  }

  private end(execution: Execution, to: 'FINISHED' | 'CANCELED' | 'FAILED', cause?: string): void {
    const { executionGraph, coordinator } = this.home
    const { taskManager, attempt } = execution
    executionGraph.transition(execution, to, cause)
    if (to === 'FINISHED') coordinator.taskFinished(attempt)
    if (taskManager !== null && this.slots.isRegistered(taskManager)) this.context.out.release(taskManager, attempt)
  }
}
