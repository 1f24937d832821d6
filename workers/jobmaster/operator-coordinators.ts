/** The operator coordinators of a job and what a restore means for them. Flink: OperatorCoordinatorHandler (behaviour 12.3). */
import type { CompletedCheckpoint } from '../coordinator/completed-checkpoint.ts'
import type { OperatorEvent } from '../model/control.ts'
import type { OperatorId } from '../model/ids.ts'
import type { JobGraph, OperatorDescription } from '../model/job-graph.ts'
import type { Execution } from './execution-graph.ts'
import { stateOf } from './state-assignment.ts'
import type { JobManagerOptions } from './job-manager-options.ts'
import { OperatorCoordinatorHolder } from './operator-coordinator-holder.ts'
import type { SubtaskGateway } from './operator-coordinator-holder.ts'

export class OperatorCoordinators {
  readonly holders: readonly OperatorCoordinatorHolder[]
  private readonly operators: readonly OperatorDescription[]

  constructor(graph: JobGraph, create: JobManagerOptions['createCoordinator'], gateway: SubtaskGateway) {
    this.operators = graph.vertices.flatMap((vertex) => vertex.chain)
    this.holders = graph.vertices.flatMap((vertex) =>
      vertex.chain
        .filter((operator) => operator.hasCoordinator)
        .map((operator) => new OperatorCoordinatorHolder(operator.operatorId, vertex.id, vertex.parallelism, create(operator, graph), gateway)),
    )
  }

  /** At the start of the job, and on a global failover: from the checkpoint, or afresh if there is none. */
  start(latest: CompletedCheckpoint | null): void {
    for (const holder of this.holders) {
      const operator = this.operators.find((candidate) => candidate.operatorId === holder.operatorId)
      holder.start(latest === null || operator === undefined ? null : (stateOf(latest, operator)?.coordinatorState ?? null))
    }
  }

  /** On a regional failover they keep their state and are told which subtasks were reset, and to which checkpoint. */
  resetSubtasks(executions: readonly Execution[], latest: CompletedCheckpoint | null): void {
    for (const holder of this.holders) {
      for (const { vertex, subtask } of executions) {
        if (vertex === holder.vertex) holder.onSubtaskReset(subtask, latest?.checkpointId ?? null)
      }
    }
  }

  /** May throw, as the coordinator does. */
  onEvent(execution: Execution, operator: OperatorId, event: OperatorEvent): void {
    const holder = this.holders.find((candidate) => candidate.operatorId === operator && candidate.vertex === execution.vertex)
    holder?.onReaderEvent(execution.subtask, event)
  }
}

const NOBODY: SubtaskGateway = { sendOperatorEvent: () => undefined, setProcessingBacklog: () => undefined }

/** Null, or why the coordinators of a job cannot start from a snapshot: it is tried with ones that nobody hears. */
export function coordinatorProblem(graph: JobGraph, create: JobManagerOptions['createCoordinator'], latest: CompletedCheckpoint | null): string | null {
  try {
    new OperatorCoordinators(graph, create, NOBODY).start(latest)
    return null
  } catch (error) {
    return `The state of an operator coordinator cannot be restored: ${error instanceof Error ? error.message : String(error)}`
  }
}
