/** What finished operators of a snapshot demand of the new job graph. Flink: VertexFinishedStateChecker (behaviour 14). */
import type { CompletedCheckpoint } from '../coordinator/completed-checkpoint.ts'
import type { OperatorState } from '../model/state-handles.ts'
import type { ExecutionGraph, ExecutionJobVertex } from './execution-graph.ts'
import { isPointwise } from './channel-wiring.ts'
import { stateOf } from './state-assignment.ts'

type FinishedState = 'ALL_RUNNING' | 'PARTIALLY_FINISHED' | 'FULLY_FINISHED'

/** Null, or Flink's sentence. A fully finished task cannot come behind one that still runs. */
export function finishedStateProblem(graph: ExecutionGraph, checkpoint: CompletedCheckpoint): string | null {
  const states = new Map<string, FinishedState>()
  for (const { vertex } of graph.vertices) {
    const found = new Set(vertex.chain.map((operator) => finishedStateOf(stateOf(checkpoint, operator))))
    if (found.has('FULLY_FINISHED') && found.size > 1) {
      return `Can not restore vertex ${vertex.name}(id = ${vertex.id}) which contain mixed operator finished state: ${[...found].join(', ')}.`
    }
    states.set(vertex.id, found.has('FULLY_FINISHED') ? 'FULLY_FINISHED' : found.has('PARTIALLY_FINISHED') ? 'PARTIALLY_FINISHED' : 'ALL_RUNNING')
  }
  for (const owner of graph.vertices) {
    const problem = predecessorProblem(graph, owner, states)
    if (problem !== null) return problem
  }
  return null
}

function predecessorProblem(graph: ExecutionGraph, { vertex }: ExecutionJobVertex, states: ReadonlyMap<string, FinishedState>): string | null {
  const state = states.get(vertex.id)
  if (state === undefined || state === 'ALL_RUNNING') return null
  for (const edge of graph.graph.edges.filter(({ to }) => to === vertex.id)) {
    const before = states.get(edge.from)
    if (before === 'FULLY_FINISHED' || before === undefined) continue
    const name = `Task vertex ${vertex.name}(id = ${vertex.id})`
    if (state === 'FULLY_FINISHED') {
      return `Illegal JobGraph modification. Cannot run a program with fully finished vertices preceded by vertices that are not fully finished. ${name} has a predecessor that is not fully finished.`
    }
    if (!isPointwise(edge)) {
      return (
        'Illegal JobGraph modification. Cannot run a program with partially finished vertices preceded by running or partially finished ones, connected by ' +
        `ALL_TO_ALL edges. ${name} has a ${before === 'ALL_RUNNING' ? 'running' : 'partially finished'} predecessor.`
      )
    }
  }
  return null
}

/** An operator that the snapshot does not know runs. */
function finishedStateOf(state: OperatorState | undefined): FinishedState {
  if (state?.fullyFinished === true) return 'FULLY_FINISHED'
  return (state?.finishedSubtasks?.length ?? 0) > 0 ? 'PARTIALLY_FINISHED' : 'ALL_RUNNING'
}
