/**
 * Gives tasks their state and brings them into slots. Flink: DefaultScheduler.allocateSlotsAndDeploy, SchedulerBase.restoreState
 * (behaviour 12.3, 15.3).
 */
import type { CheckpointCoordinator } from '../coordinator/checkpoint-coordinator.ts'
import type { CompletedCheckpoint } from '../coordinator/completed-checkpoint.ts'
import type { DeploymentContext } from './deployment-descriptor.ts'
import type { Execution, ExecutionGraph } from './execution-graph.ts'
import { counterFile } from './high-availability/ha-files.ts'
import type { JobManagerOptions } from './job-manager-options.ts'
import type { JobStatusMachine } from './job-status-machine.ts'
import type { MachineContext } from './machine-context.ts'
import type { Scheduler } from './scheduler.ts'
import { assignCheckpoint } from './state-assignment.ts'

/** What the starter needs of the job. */
export interface TaskStarterHome {
  readonly haEnabled: boolean
  readonly status: JobStatusMachine
  readonly executionGraph: ExecutionGraph
  readonly coordinator: CheckpointCoordinator
  readonly deploymentContext: DeploymentContext
}

export class TaskStarter {
  private readonly home: TaskStarterHome
  private readonly context: MachineContext
  private readonly scheduler: Scheduler
  private readonly assignState: JobManagerOptions['assignState']

  constructor(home: TaskStarterHome, context: MachineContext, scheduler: Scheduler, assignState: JobManagerOptions['assignState']) {
    this.home = home
    this.context = context
    this.scheduler = scheduler
    this.assignState = assignState
  }

  /**
   * What they start from. Null, or what is wrong. Without any checkpoint a restart begins from empty state, which is said in the log alone, as
   * in Flink.
   */
  restore(executions: readonly Execution[], latest: CompletedCheckpoint | null, isRestart: boolean): string | null {
    if (latest === null) {
      if (isRestart) this.context.event({ type: 'RestoredEmpty' })
      return null
    }
    const restored = assignCheckpoint(this.home.executionGraph, latest, this.assignState, true)
    if (!restored.ok) return restored.error
    for (const execution of executions) {
      const state = restored.value.forTask(execution.vertex, execution.subtask)
      execution.isFinishedOnRestore = state.isFinished === true
      this.scheduler.setRestore(execution.attempt, state)
    }
    this.home.coordinator.restoredFrom(latest)
    return null
  }

  schedule(executions: readonly Execution[]): void {
    for (const execution of executions) this.home.executionGraph.transition(execution, 'SCHEDULED')
    this.deployScheduled()
  }

  /** If there are slots for all now; otherwise they wait for TaskManagers. */
  deployScheduled(): void {
    const { status, coordinator, executionGraph } = this.home
    if (this.scheduler.scheduled.length === 0 || !status.is('RUNNING') || !this.scheduler.allocate()) return
    const { deploymentContext } = this.home
    if (this.home.haEnabled) {
      // Before any task starts, so that no later leader gives out its attempt id again.
      const counter = { nextCheckpointId: coordinator.nextCheckpointId, nextAttempt: executionGraph.attemptsUsed }
      const writes = [counterFile(deploymentContext.job, counter)]
      this.context.storage({ type: 'transact', writes, deletes: [], durability: 'relaxed' }, { owner: 'nobody' })
    }
    this.scheduler.deploy(deploymentContext)
  }
}
