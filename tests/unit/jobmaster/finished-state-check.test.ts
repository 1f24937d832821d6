/** What a snapshot with finished operators demands of the job graph that it is restored into (behaviour 14). */
import { describe, expect, it } from 'vitest'
import { must } from '../../../workers/base/assert.ts'
import { ExecutionGraph } from '../../../workers/jobmaster/execution-graph.ts'
import { finishedStateProblem } from '../../../workers/jobmaster/finished-state-check.ts'
import { compileJob } from '../../../workers/model/compile-job.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { OperatorState } from '../../../workers/model/state-handles.ts'
import { testJob } from './harness.ts'

type Finished = 'fully' | 'partly' | 'not'
type Ship = 'hash' | 'rescale'

/** A source and a sink behind it, joined by that edge; with chaining on, both are one vertex. */
function problemOf(source: Finished, sink: Finished, ship: Ship, isChained = false): string | null {
  const document: JobDocument = {
    ...testJob({ 'pipeline.operator-chaining.enabled': isChained }),
    operators: [
      { uid: 'source', type: 'log', parallelism: 2, params: { topic: 'in' } },
      { uid: 'sink', type: 'print', parallelism: 2 },
    ],
    edges: [ship === 'hash' ? { from: 'source', to: 'sink', ship, by: ['k'] } : { from: 'source', to: 'sink', ship: isChained ? 'forward' : ship }],
  }
  const compiled = compileJob(document)
  const graph = new ExecutionGraph(must(compiled.graph, JSON.stringify(compiled.problems)), { now: 0, event: () => undefined }, 0)
  const operators = graph.vertices.flatMap(({ vertex }) => vertex.chain)
  const operatorStates = operators.map(({ uid, operatorId }): OperatorState => {
    const finished = uid === 'source' ? source : sink
    return {
      name: uid, uid, operatorId, parallelism: 2, maxParallelism: 128, coordinatorState: null, subtasks: [],
      ...(finished === 'fully' ? { fullyFinished: true } : finished === 'partly' ? { finishedSubtasks: [1] } : {}),
    }
  })
  return finishedStateProblem(graph, { checkpointId: 1, location: '/s', operatorStates })
}

describe('an operator that had finished', () => {
  it.each<[Finished, Finished, Ship]>([
    ['not', 'not', 'hash'],
    ['fully', 'not', 'hash'],
    ['fully', 'partly', 'hash'],
    ['fully', 'fully', 'hash'],
    ['partly', 'not', 'hash'],
    ['not', 'partly', 'rescale'],
    ['partly', 'partly', 'rescale'],
  ])('a source that had %s finished before a sink that had %s, on a %s edge, is restored', (source, sink, ship) => {
    expect(problemOf(source, sink, ship)).toBeNull()
  })

  it.each<[Finished, Ship]>([['not', 'hash'], ['partly', 'hash'], ['not', 'rescale'], ['partly', 'rescale']])('fully, behind one that had %s, on a %s edge, is refused', (source, ship) => {
    expect(problemOf(source, 'fully', ship)).toMatch(/^Illegal JobGraph modification\. Cannot run a program with fully finished vertices preceded by .* has a predecessor that is not fully finished\.$/)
  })

  it('partly, behind one that runs or has finished in part, is refused on an all-to-all edge alone', () => {
    expect(problemOf('not', 'partly', 'hash')).toMatch(/partially finished vertices preceded by running or partially finished ones, connected by ALL_TO_ALL edges\. .* has a running predecessor\.$/)
    expect(problemOf('partly', 'partly', 'hash')).toMatch(/ has a partially finished predecessor\.$/)
  })

  it('fully, in a chain with one that had not, is refused', () => {
    expect(problemOf('fully', 'not', 'rescale', true)).toMatch(/^Can not restore vertex .* which contain mixed operator finished state: FULLY_FINISHED, ALL_RUNNING\.$/)
    expect(problemOf('fully', 'fully', 'rescale', true)).toBeNull()
  })
})
