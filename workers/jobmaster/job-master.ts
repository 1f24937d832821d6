/**
 * One job: its status, its tasks, their deployment and restart. Flink: JobMaster, SchedulerBase, DefaultScheduler (behaviour 15).
 */
import { Prng, deriveSeed } from '../base/prng.ts'
import { CheckpointCoordinator } from '../coordinator/checkpoint-coordinator.ts'
import { isAddressable } from '../coordinator/checkpoint-directory.ts'
import type { CheckpointRequest } from '../coordinator/checkpoint-request.ts'
import type { OperationResult } from '../coordinator/operations.ts'
import type { CoordinatorStorageStep } from '../coordinator/coordinator-port.ts'
import type { OperatorEvent, TaskCommand, TaskMessage } from '../model/control.ts'
import { AS_DOCUMENTED, withChange } from '../model/live-settings.ts'
import type { LiveSettings } from '../model/live-settings.ts'
import { isGloballyTerminal, isTerminalExecution } from '../model/execution.ts'
import type { JobStatus } from '../model/execution.ts'
import type { ExecutionAttemptId, FencingToken, JobId, OperatorId, TaskManagerId, VertexId } from '../model/ids.ts'
import type { JobDocument } from '../model/job-document.ts'
import type { JobGraph } from '../model/job-graph.ts'
import type { TaskReport } from '../model/report.ts'
import type { SavepointRestoreSettings } from '../model/restore.ts'
import type { StorageResult } from '../model/storage.ts'
import { ExceptionHistory } from './exception-history.ts'
import { ExecutionGraph } from './execution-graph.ts'
import type { Execution } from './execution-graph.ts'
import { createRestartStrategy } from './failover/create-restart-strategy.ts'
import { FailoverHandler, RESTART_TIMER } from './failover/failover-handler.ts'
import type { FailoverHome } from './failover/failover-handler.ts'
import type { TaskPosition } from './failover/region.ts'
import { haPaths, snapshotPath } from './high-availability/ha-files.ts'
import type { RecoveredJob } from './high-availability/job-recovery.ts'
import { checkRestore } from './restore-check.ts'
import type { LoadedSnapshot } from './restore-loading.ts'
import { JobCoordinatorPort } from './job-coordinator-port.ts'
import type { CoordinatorHome } from './job-coordinator-port.ts'
import type { JobManagerOptions } from './job-manager-options.ts'
import { JobStatusMachine } from './job-status-machine.ts'
import type { DeploymentContext } from './deployment-descriptor.ts'
import type { MachineContext } from './machine-context.ts'
import type { OperatorCoordinatorHolder, SubtaskGateway } from './operator-coordinator-holder.ts'
import { OperatorCoordinators, coordinatorProblem } from './operator-coordinators.ts'
import { NO_RESOURCE_MESSAGE, SLOT_TIMER, Scheduler } from './scheduler.ts'
import { StopWithSavepoint } from './stop-with-savepoint.ts'
import type { StopHome } from './stop-with-savepoint.ts'
import type { SlotPool } from './slot-pool.ts'
import { TaskMeters } from './task-meters.ts'
import { TaskStarter } from './task-starter.ts'
import type { TaskStarterHome } from './task-starter.ts'
import { TaskStateHandler } from './task-state-handler.ts'
import type { TaskStateHome } from './task-state-handler.ts'

export interface JobMasterOptions {
  readonly machine: JobManagerOptions
  readonly context: MachineContext
  readonly slots: SlotPool
  readonly job: JobId
  readonly document: JobDocument
  readonly seed: number
  readonly graph: JobGraph
  readonly token: FencingToken
  readonly traced: boolean
  readonly recovered: RecoveredJob | null
}

export class JobMaster implements CoordinatorHome, FailoverHome, SubtaskGateway, TaskStateHome, TaskStarterHome, StopHome {
  readonly job: JobId
  readonly document: JobDocument
  readonly seed: number
  readonly graph: JobGraph
  readonly status: JobStatusMachine
  readonly executionGraph: ExecutionGraph
  readonly coordinator: CheckpointCoordinator
  readonly exceptions = new ExceptionHistory()
  readonly meters = new TaskMeters()
  readonly failover: FailoverHandler
  readonly savepoints: StopWithSavepoint
  private readonly machine: JobManagerOptions
  private readonly context: MachineContext
  private readonly slots: SlotPool
  private readonly token: FencingToken
  private readonly isRecovered: boolean
  private readonly random: Prng
  private readonly scheduler: Scheduler
  private readonly operatorCoordinators: OperatorCoordinators
  private traced: boolean
  /** Changed while the job runs, by uid. */
  private settings = AS_DOCUMENTED
  private readonly taskStates: TaskStateHandler
  private readonly starter: TaskStarter

  constructor(options: JobMasterOptions) {
    const { context, graph, job, recovered } = options
    this.machine = options.machine
    this.context = context
    this.slots = options.slots
    this.job = job
    this.document = options.document
    this.seed = options.seed
    this.graph = graph
    this.token = options.token
    this.traced = options.traced
    this.isRecovered = recovered !== null
    this.status = new JobStatusMachine(job, context.now)
    this.executionGraph = new ExecutionGraph(graph, context, recovered?.counter.nextAttempt ?? 0)
    this.scheduler = new Scheduler(this.executionGraph, options.slots, context)
    const seed = deriveSeed(deriveSeed(this.machine.clusterSeed, job), String(options.token))
    this.random = new Prng(deriveSeed(seed, 'checkpoint timer'))
    const strategy = createRestartStrategy(graph.settings.restartStrategy, new Prng(deriveSeed(seed, 'restart jitter')))
    this.failover = new FailoverHandler(this, context, graph, strategy)
    this.savepoints = new StopWithSavepoint(this, context)
    this.taskStates = new TaskStateHandler(this, context, options.slots)
    this.starter = new TaskStarter(this, context, this.scheduler, this.machine.assignState)
    this.operatorCoordinators = new OperatorCoordinators(graph, this.machine.createCoordinator, this)
    this.coordinator = new CheckpointCoordinator({
      job, graph,
      port: new JobCoordinatorPort(this, context),
      metadata: this.machine.metadata,
      recovered: recovered?.checkpoints ?? [],
      nextCheckpointId: recovered?.counter.nextCheckpointId ?? 1,
    })
  }

  get haEnabled(): boolean {
    return this.graph.settings.haEnabled
  }

  get holders(): readonly OperatorCoordinatorHolder[] {
    return this.operatorCoordinators.holders
  }

  get isCompletionUnderWay(): boolean {
    return this.coordinator.isFinalizing
  }

  get deploymentContext(): DeploymentContext {
    const { job, token, seed, traced, settings } = this
    return { job, token, seed, traced, settings }
  }

  get isEnded(): boolean {
    return isGloballyTerminal(this.status.status) || this.status.is('SUSPENDED')
  }

  // ── life of the job

  /** INITIALIZING → CREATED → RUNNING; a recovered job goes on from its latest completed checkpoint. */
  start(): void {
    const executions = this.executionGraph.executions
    const problem = this.starter.restore(executions, this.coordinator.store.latest, this.isRecovered)
    if (problem !== null) {
      // Nothing of what is stored is touched: a later version of the program may be able to restore it.
      this.moveTo('SUSPENDED', problem)
      return
    }
    this.moveTo('CREATED')
    this.operatorCoordinators.start(this.coordinator.store.latest)
    this.moveTo('RUNNING')
    this.coordinator.start(this.random)
    this.starter.schedule(executions)
  }

  failInitialisation(cause: string): void {
    this.exceptions.add({ at: this.context.now, message: cause, detail: null, taskName: null, attempt: null, taskManager: null })
    this.moveTo('FAILED', cause)
  }

  /** Before `start`: what the job starts from. Null, or Flink's words for why it cannot (behaviour 12.2); nothing has been touched then. */
  adopt(snapshot: LoadedSnapshot, settings: SavepointRestoreSettings): string | null {
    const checked = checkRestore(this.executionGraph, snapshot, settings)
    if (!checked.ok) return checked.error
    const { checkpoint } = checked.value
    const problem = coordinatorProblem(this.graph, this.machine.createCoordinator, checkpoint)
    if (problem === null) this.coordinator.adopt(checkpoint)
    return problem
  }

  cancel(): void {
    if (!this.status.is('INITIALIZING', 'CREATED', 'RUNNING', 'RESTARTING', 'FAILING')) return
    this.moveTo('CANCELLING')
    this.stopAllTasks()
  }

  failJob(cause: string): void {
    this.moveTo('FAILING', cause)
    this.stopAllTasks()
  }

  /**
   * Leadership is lost, or the stored state cannot be used. With high availability nothing is discarded, and another JobManager goes on; without,
   * nobody could find the job again, and the retention policy decides about its checkpoints (behaviour 5.1).
   */
  suspend(cause: string): void {
    if (this.isEnded) return
    this.moveTo('SUSPENDED', cause)
    this.coordinator.leaveRunning()
    if (this.haEnabled) this.coordinator.stop()
    else this.coordinator.shutdown('SUSPENDED')
    this.savepoints.advance()
    this.failover.abandon()
    this.scheduler.stopWaiting()
  }

  failGloballyLater(message: string, nonRecoverable = false): void {
    this.failover.failGloballyLater(message, nonRecoverable)
  }

  requestEnded(request: CheckpointRequest, result: OperationResult): void {
    this.savepoints.requestEnded(request, result)
  }

  startScheduler(): void {
    this.coordinator.startScheduler(this.random)
  }

  enterRestarting(cause: string): void {
    if (this.status.is('RUNNING')) this.moveTo('RESTARTING', cause)
    this.coordinator.leaveRunning()
  }

  /** Called after every input: what has become possible by it. */
  advance(): void {
    this.dealWithGlobalFailure()
    this.savepoints.advance()
    this.dealWithGlobalFailure()
    if (this.status.is('RESTARTING')) this.failover.restartIfReady()
    if (!this.executionGraph.allTerminal()) return
    if (this.status.is('CANCELLING')) this.end('CANCELED')
    else if (this.status.is('FAILING')) this.end('FAILED')
    else if (this.status.is('RUNNING') && this.executionGraph.executions.every(({ state }) => state === 'FINISHED')) this.end('FINISHED')
  }

  // ── inputs

  onTaskMessage(message: TaskMessage): void {
    const execution = this.executionGraph.find(message.attempt)
    switch (message.type) {
      case 'state':
        if (execution !== null && !isTerminalExecution(execution.state)) this.taskStates.onState(execution, message)
        break
      case 'acknowledge':
        this.coordinator.onAcknowledge(message.attempt, message.checkpointId, message.metrics, message.snapshot)
        break
      case 'decline':
        this.coordinator.onDecline(message.attempt, message.checkpointId, message.reason, message.message)
        break
      case 'operator-event':
        if (execution !== null && !isTerminalExecution(execution.state)) this.onOperatorEvent(execution, message.operator, message.event)
        break
      case 'end-of-data':
        if (execution !== null) this.taskStates.onEndOfData(execution)
    }
  }

  /** Reports of superseded attempts come late. */
  onTaskReport(report: TaskReport): void {
    if (this.executionGraph.find(report.attempt) !== null) this.meters.update(report)
  }

  onTaskLost(attempt: ExecutionAttemptId, cause: string): void {
    const execution = this.executionGraph.find(attempt)
    if (execution !== null) this.taskStates.lose(execution, cause)
  }

  onTaskManagerRegistered(): void {
    this.starter.deployScheduled()
  }

  /** The pool has dropped it already. Its tasks count as cancelled where they were being cancelled (behaviour 15.3). */
  onTaskManagerLost(taskManager: TaskManagerId): void {
    if (this.isEnded) return
    this.taskStates.loseTaskManager(taskManager)
    this.context.out.requestTaskManagers(this.graph.settings.taskManagers)
  }

  onTimer(timer: string): void {
    if (timer === RESTART_TIMER || this.coordinator.onTimer(timer)) return
    if (timer === SLOT_TIMER && this.scheduler.timedOut()) this.onSlotTimeout()
  }

  onStorage(step: CoordinatorStorageStep, result: StorageResult): void {
    this.coordinator.onStorage(step, result)
  }

  changeSettings(change: Partial<LiveSettings>): void {
    this.settings = withChange(this.settings, change)
    for (const { attempt } of this.executionGraph.executions) this.sendTo(attempt, { type: 'change-settings', change })
  }

  setTraced(traced: boolean): void {
    this.traced = traced
    for (const { attempt } of this.executionGraph.executions) this.sendTo(attempt, { type: 'set-traced', traced })
  }

  // ── tasks

  /** To a task that is alive; dropped otherwise. */
  sendTo(attempt: ExecutionAttemptId, command: TaskCommand): void {
    const execution = this.executionGraph.find(attempt)
    if (execution === null || execution.taskManager === null || isTerminalExecution(execution.state)) return
    if (execution.state === 'CANCELING' && command.type !== 'cancel') return
    if (this.slots.isRegistered(execution.taskManager)) this.context.out.send(execution.taskManager, attempt, command)
  }

  sendOperatorEvent(vertex: VertexId, subtask: number, operator: OperatorId, event: OperatorEvent): void {
    this.sendTo(this.executionGraph.execution(vertex, subtask).attempt, { type: 'operator-event', operator, event })
  }

  setProcessingBacklog(operator: OperatorId, isProcessingBacklog: boolean): void {
    this.coordinator.setProcessingBacklog(operator, isProcessingBacklog)
  }

  cancelExecution(execution: Execution): void {
    if (execution.state === 'CREATED' || execution.state === 'SCHEDULED') {
      this.executionGraph.transition(execution, 'CANCELED')
      this.scheduler.forget(execution.attempt)
    } else if (execution.state !== 'CANCELING' && !isTerminalExecution(execution.state)) {
      this.executionGraph.transition(execution, 'CANCELING')
      this.sendTo(execution.attempt, { type: 'cancel' })
    }
  }

  /** New attempts of these tasks from the latest completed checkpoint (behaviour 12.3, 15.3). */
  restartTasks(tasks: readonly TaskPosition[], isGlobal: boolean): void {
    const executions = tasks.map(({ vertex, subtask }) => this.executionGraph.reset(this.executionGraph.execution(vertex, subtask)))
    this.taskStates.reset()
    this.moveTo('RUNNING')
    this.coordinator.start(this.random)
    this.coordinator.tasksRestart()
    const latest = this.coordinator.store.latest
    const problem = this.starter.restore(executions, latest, true)
    if (problem !== null) this.failGloballyLater(problem)
    if (isGlobal) this.operatorCoordinators.start(latest)
    else this.operatorCoordinators.resetSubtasks(executions, latest)
    this.starter.schedule(executions)
  }

  private onOperatorEvent(execution: Execution, operator: OperatorId, event: OperatorEvent): void {
    try {
      this.operatorCoordinators.onEvent(execution, operator, event)
    } catch (error) {
      this.failGloballyLater(`The operator coordinator of ${operator} failed: ${String(error)}`)
    }
  }

  private onSlotTimeout(): void {
    for (const execution of this.scheduler.scheduled) {
      // The first failure cancels the others of its region.
      if (execution.state === 'SCHEDULED') this.taskStates.fail(execution, { message: NO_RESOURCE_MESSAGE, nonRecoverable: false })
    }
  }

  private dealWithGlobalFailure(): void {
    const failure = this.failover.takeGlobalFailure()
    if (failure === null || !this.status.is('RUNNING', 'RESTARTING')) return
    this.exceptions.add({ at: this.context.now, message: failure.message, detail: null, taskName: null, attempt: null, taskManager: null })
    this.failover.failGlobally(failure)
  }

  // ── ending

  private stopAllTasks(): void {
    this.coordinator.leaveRunning()
    this.failover.abandon()
    this.scheduler.stopWaiting()
    for (const execution of this.executionGraph.executions) this.cancelExecution(execution)
  }

  /** What a later leader would find goes first: a job that was seen to end never comes back. */
  private end(status: Extract<JobStatus, 'FINISHED' | 'CANCELED' | 'FAILED'>): void {
    if (this.haEnabled) {
      const snapshots = this.coordinator.store.all.filter(({ location }) => !isAddressable(location)).map(({ checkpointId }) => snapshotPath(this.job, checkpointId))
      this.context.storage({ type: 'transact', writes: [], deletes: [...haPaths(this.job), ...snapshots], durability: 'strict' }, { owner: 'nobody' })
    }
    this.moveTo(status)
    this.coordinator.leaveRunning()
    this.coordinator.shutdown(status)
    this.savepoints.advance()
    this.slots.releaseAll()
  }

  private moveTo(status: JobStatus, cause?: string): void {
    this.context.event(this.status.to(status, this.context.now, cause))
  }
}
