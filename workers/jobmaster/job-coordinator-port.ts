/** The checkpoint coordinator's door to its job. */
import type { CheckpointedCoordinator, CoordinatorPort, CoordinatorStorageStep } from '../coordinator/coordinator-port.ts'
import type { PlanVertex, TaskRef } from '../coordinator/checkpoint-plan.ts'
import type { CompletedCheckpoint } from '../coordinator/completed-checkpoint.ts'
import type { CheckpointRequest } from '../coordinator/checkpoint-request.ts'
import type { OperationResult } from '../coordinator/operations.ts'
import type { TaskCommand } from '../model/control.ts'
import type { EventBody } from '../model/events.ts'
import type { CheckpointId, ExecutionAttemptId, JobId } from '../model/ids.ts'
import type { FileWrite, StorageOp } from '../model/storage.ts'
import type { EngineTime } from '../model/time.ts'
import { checkpointsFile, counterFile, snapshotPath } from './high-availability/ha-files.ts'
import type { ExecutionGraph } from './execution-graph.ts'
import type { MachineContext } from './machine-context.ts'

/** What the port needs of the job. */
export interface CoordinatorHome {
  readonly job: JobId
  readonly haEnabled: boolean
  readonly executionGraph: ExecutionGraph
  readonly holders: readonly CheckpointedCoordinator[]
  sendTo(attempt: ExecutionAttemptId, command: TaskCommand): void
  failGloballyLater(message: string): void
  requestEnded(request: CheckpointRequest, result: OperationResult): void
}

export class JobCoordinatorPort implements CoordinatorPort {
  private readonly home: CoordinatorHome
  private readonly context: MachineContext

  constructor(home: CoordinatorHome, context: MachineContext) {
    this.home = home
    this.context = context
  }

  get now(): EngineTime {
    return this.context.now
  }

  planVertices(): readonly PlanVertex[] {
    return this.home.executionGraph.planVertices()
  }

  send(task: TaskRef, command: TaskCommand): void {
    this.home.sendTo(task.attempt, command)
  }

  storage(op: StorageOp, step: CoordinatorStorageStep): void {
    this.context.storage(op, { owner: 'coordinator', job: this.home.job, step })
  }

  setTimer(timer: string, at: EngineTime): void {
    this.context.out.setTimer(timer, at)
  }

  clearTimer(timer: string): void {
    this.context.out.clearTimer(timer)
  }

  event(body: EventBody): void {
    this.context.event(body)
  }

  requestEnded(request: CheckpointRequest, result: OperationResult): void {
    this.home.requestEnded(request, result)
  }

  failGlobally(message: string): void {
    this.home.failGloballyLater(message)
  }

  operatorCoordinators(): readonly CheckpointedCoordinator[] {
    return this.home.holders
  }

  haCheckpoints(retained: readonly CompletedCheckpoint[]): readonly FileWrite[] {
    return this.home.haEnabled ? [checkpointsFile(this.home.job, retained)] : []
  }

  haSnapshotPath(checkpointId: CheckpointId): string | null {
    return this.home.haEnabled ? snapshotPath(this.home.job, checkpointId) : null
  }

  haCounter(nextCheckpointId: CheckpointId): readonly FileWrite[] {
    if (!this.home.haEnabled) return []
    return [counterFile(this.home.job, { nextCheckpointId, nextAttempt: this.home.executionGraph.attemptsUsed })]
  }
}
