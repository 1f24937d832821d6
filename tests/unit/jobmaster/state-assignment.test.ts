import { describe, expect, it } from 'vitest'
import { must } from '../../../workers/base/assert.ts'
import type { CompletedCheckpoint } from '../../../workers/coordinator/completed-checkpoint.ts'
import { ExecutionGraph } from '../../../workers/jobmaster/execution-graph.ts'
import { assignCheckpoint } from '../../../workers/jobmaster/state-assignment.ts'
import { compileJob } from '../../../workers/model/compile-job.ts'
import { operatorId } from '../../../workers/model/ids.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { OperatorState } from '../../../workers/model/state-handles.ts'
import { assignState } from '../../../workers/state/redistribution.ts'
import { testJob } from './harness.ts'

const listener = { now: 0, event: () => undefined }

/** The test job with its counter at that parallelism. */
function graphOf(parallelism: number, maxParallelism?: number): ExecutionGraph {
  const document = testJob()
  const operators = document.operators.map((operator) =>
    operator.uid === 'count' ? { ...operator, parallelism, ...(maxParallelism === undefined ? {} : { maxParallelism }) } : operator,
  ) as JobDocument['operators']
  return new ExecutionGraph(must(compileJob({ ...document, operators }).graph, 'graph'), listener, 0)
}

function stateOf(graph: ExecutionGraph, maxParallelism: number): OperatorState {
  const { vertex } = must(graph.vertices.find((candidate) => candidate.vertex.chain.some((operator) => operator.uid === 'count')), 'count')
  const managedKeyed = {
    kind: 'key-groups' as const, range: { start: 0, end: maxParallelism - 1 }, offsets: Array.from({ length: maxParallelism }, () => 0),
    stream: { kind: 'relative' as const, name: 'keyed', size: 1 }, id: 'x',
  }
  const { operatorId: id } = must(vertex.chain[0], 'head')
  return {
    name: 'count', uid: 'count', operatorId: id, parallelism: 1, maxParallelism, coordinatorState: null,
    subtasks: [{ index: 0, state: { managedOperator: null, managedKeyed } }],
  } as OperatorState
}

const snapshot = (...operatorStates: OperatorState[]): CompletedCheckpoint => ({ checkpointId: 7, location: '/s', operatorStates })
const countVertex = (graph: ExecutionGraph) => must(graph.vertices.find(({ vertex }) => vertex.chain[0]?.uid === 'count'), 'count')

describe('max parallelism at restore (behaviour 11.2)', () => {
  it('derived by default: silently replaced by the snapshot’s', () => {
    const graph = graphOf(2)
    expect(countVertex(graph).maxParallelism).toBe(128)
    expect(assignCheckpoint(graph, snapshot(stateOf(graph, 256)), assignState, false).ok).toBe(true)
    expect(countVertex(graph).maxParallelism).toBe(256)
  })

  it('set explicitly and different: an error', () => {
    const graph = graphOf(2, 64)
    const result = assignCheckpoint(graph, snapshot(stateOf(graph, 128)), assignState, false)
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining('Max parallelism mismatch between checkpoint/savepoint state and new program') as string })
  })

  it('set explicitly and equal: restored', () => {
    const graph = graphOf(2, 64)
    expect(assignCheckpoint(graph, snapshot(stateOf(graph, 64)), assignState, false).ok).toBe(true)
  })

  it('parallelism above the snapshot’s: an error; up to it: restored', () => {
    const wide = graphOf(5)
    expect(assignCheckpoint(wide, snapshot(stateOf(wide, 4)), assignState, false)).toMatchObject({
      ok: false, error: expect.stringContaining('The maximum parallelism (4) of the restored state is lower than the configured parallelism (5)') as string,
    })
    const fitting = graphOf(4)
    const result = assignCheckpoint(fitting, snapshot(stateOf(fitting, 4)), assignState, false)
    if (!result.ok) throw new Error(result.error)
    const { id } = countVertex(fitting).vertex
    expect([0, 1, 2, 3].map((subtask) => result.value.forTask(id, subtask).operators.map((operator) => operator.keyed.length))).toEqual([[1], [1], [1], [1]])
  })
})

describe('check at load (behaviour 12.2)', () => {
  const stranger = (graph: ExecutionGraph): OperatorState => ({ ...stateOf(graph, 128), uid: 'gone', operatorId: operatorId('0'.repeat(32)) })

  it('state of an operator that is not there: an error, unless non-restored state is allowed', () => {
    const graph = graphOf(2)
    expect(assignCheckpoint(graph, snapshot(stranger(graph)), assignState, false)).toMatchObject({
      ok: false, error: expect.stringContaining('Cannot map checkpoint/savepoint state for operator') as string,
    })
    expect(assignCheckpoint(graph, snapshot(stranger(graph)), assignState, true).ok).toBe(true)
  })

  it('an operator that is not there and has no state: skipped silently', () => {
    const graph = graphOf(2)
    expect(assignCheckpoint(graph, snapshot({ ...stranger(graph), subtasks: [] }), assignState, false).ok).toBe(true)
  })

  it('a new operator that the snapshot does not know starts empty', () => {
    const graph = graphOf(2)
    const result = assignCheckpoint(graph, snapshot(), assignState, false)
    if (!result.ok) throw new Error(result.error)
    expect(result.value.forTask(countVertex(graph).vertex.id, 0).operators).toEqual([])
  })
})

describe('in-flight data of both sides of a channel', () => {
  const stream = (name: string) => ({ kind: 'relative' as const, name, size: 9 })
  const channel = (subtask: number, minor: number, name: string) => ({ subtask, major: 0, minor, offsets: [4], size: 5, stream: stream(name) })
  const sender = (graph: ExecutionGraph): OperatorState => {
    const { vertex } = must(graph.vertices.find((candidate) => candidate.vertex.chain[0]?.uid === 'source'), 'source')
    const { operatorId: id } = must(vertex.chain[0], 'head')
    const subtasks = [0, 1].map((index) => ({ index, state: { managedOperator: null, managedKeyed: null, resultSubpartition: [channel(index, 1, `out-${index}`)] } }))
    return { ...stateOf(graph, 128), uid: 'source', operatorId: id, parallelism: 2, subtasks }
  }
  /** The second subtask has data of the first sender alone. */
  const receiver = (graph: ExecutionGraph): OperatorState => {
    const inputs = { managedOperator: null, managedKeyed: null, inputChannel: [channel(1, 0, 'in')] }
    return { ...stateOf(graph, 128), parallelism: 2, subtasks: [{ index: 1, state: inputs }] }
  }

  it.each([1, 2, 3])('an output knows the input before it, an input that it is gone on with, at parallelism %i', (parallelism) => {
    const graph = graphOf(parallelism)
    const result = assignCheckpoint(graph, snapshot(sender(graph), receiver(graph)), assignState, false)
    if (!result.ok) throw new Error(result.error)
    const source = must(graph.vertices.find(({ vertex }) => vertex.chain[0]?.uid === 'source'), 'source').vertex.id
    const outputs = [0, 1].flatMap((subtask) => result.value.forTask(source, subtask).operators.flatMap((operator) => operator.resultSubpartition ?? []))
    expect(outputs.map((handle) => handle.continues?.stream)).toEqual([stream('in'), undefined])
    const { id } = countVertex(graph).vertex
    const inputs = Array.from({ length: parallelism }, (_, subtask) => result.value.forTask(id, subtask).operators.flatMap((operator) => operator.inputChannel ?? [])).flat()
    expect(inputs.length).toBeGreaterThan(0)
    expect(inputs.every((handle) => handle.isContinued === true)).toBe(true)
  })
})
