/** Snapshots of jobs of which a part has finished (behaviour 14, FLIP-147). */
import { describe, expect, it } from 'vitest'
import { must } from '../../../workers/base/assert.ts'
import type { Simulator } from '../../../workers/hosts/simulator/simulator.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { OperatorRecord } from '../../../workers/savepoint/model.ts'
import { readSavepoint } from '../../../workers/savepoint/savepoint-reader.ts'
import { cancel, checkpoint, restoreFrom, savepoint, SECOND, start, until, untilRunning, wordJob } from './restore-runs.ts'

/** A bounded source of two subtasks beside an unbounded one, both counted. `unequal`: the bounded topic has one long partition alone, so that one of its two readers ends at once. */
function job(unequal = false, parallelism = 2): JobDocument {
  const base = wordJob({ parallelism: 2 })
  const short = Array.from({ length: unequal ? 1000 : 40 }, (_, index) => [`short-${index % 5}`, index])
  const topic = (name: string, rows: readonly (readonly (string | number)[])[]) => ({ name, partitions: name === 'short' && unequal ? 1 : 2, schema: { fields: { word: 'String' as const, value: 'Int' as const } }, rows: rows.map((row) => [...row]) })
  return {
    ...base,
    topics: [topic('short', short), topic('long', Array.from({ length: 1000 }, (_, i) => [`long-${i % 7}`, i]))],
    operators: [
      { uid: 'bounded', type: 'log', parallelism: 2, params: { topic: 'short', rate: unequal ? 20 : 1000, bounded: true } },
      { uid: 'unbounded', type: 'log', parallelism: 2, params: { topic: 'long', rate: 10 } },
      { uid: 'first', type: 'process-count', parallelism },
      { uid: 'count', type: 'process-count', parallelism: 2 },
      { uid: 'out', type: 'print' },
      { uid: 'out2', type: 'print' },
    ],
    edges: [
      { from: 'bounded', to: 'first', ship: 'hash', by: ['word'] },
      { from: 'unbounded', to: 'count', ship: 'hash', by: ['word'] },
      { from: 'first', to: 'out' },
      { from: 'count', to: 'out2' },
    ],
  }
}

const records = (simulator: Simulator, path: string): ReadonlyMap<string, OperatorRecord> => {
  const read = simulator.cluster.storage.files.execute({ type: 'read', path: `${path}/_metadata` }, null)
  return new Map(readSavepoint(must(read.ok ? read.bytes : undefined, path)).operators.map((operator) => [operator.uid, operator]))
}
const finishedTasks = (simulator: Simulator, uid: string): number => {
  const vertex = simulator.graph.vertices.find(({ chain }) => chain.some((operator) => operator.uid === uid))?.id
  return (simulator.cluster.leader?.machine.executions ?? []).filter((execution) => execution.vertex === vertex && execution.state === 'FINISHED').length
}
/** The bounded part ends, its last checkpoint completes, its tasks finish. */
function partFinished(simulator: Simulator): void {
  untilRunning(simulator)
  simulator.runTo(simulator.now + 2 * SECOND)
  checkpoint(simulator)
  simulator.runTo(simulator.now + SECOND)
}

describe('a fully finished operator', () => {
  it.each(['CANONICAL', 'NATIVE'] as const)('is marked in a %s savepoint, restored as finished, and finishes without another record', (format) => {
    const simulator = start(job())
    partFinished(simulator)
    expect(finishedTasks(simulator, 'bounded')).toBe(2)
    const path = savepoint(simulator, format)
    for (const uid of ['bounded', 'first', 'out']) expect(records(simulator, path).get(uid)).toMatchObject({ fullyFinished: true, subtasks: [], coordinator: null })
    expect(records(simulator, path).get('count')).toMatchObject({ fullyFinished: false })
    cancel(simulator)

    const [bounded, unbounded] = [simulator.sink('out').committedTotal, simulator.sink('out2').committedTotal]
    simulator.submitNext({ restore: restoreFrom(path) })
    untilRunning(simulator)
    simulator.runTo(simulator.now + SECOND)
    // They run until a checkpoint that began behind their end of data has completed, and are in it as finished.
    const again = checkpoint(simulator)
    for (const uid of ['bounded', 'first', 'out']) expect(records(simulator, again).get(uid)).toMatchObject({ fullyFinished: true, subtasks: [] })
    simulator.runTo(simulator.now + SECOND)
    expect([finishedTasks(simulator, 'bounded'), finishedTasks(simulator, 'first'), finishedTasks(simulator, 'out')]).toEqual([2, 2, 1])
    expect(simulator.sink('out').committedTotal).toBe(bounded)
    expect(simulator.sink('out2').committedTotal).toBeGreaterThan(unbounded)
    expect(simulator.watch.first).toBeNull()
  })

  it('goes on as finished after a failover, and the job at another parallelism', () => {
    const simulator = start(job())
    partFinished(simulator)
    const path = savepoint(simulator)
    cancel(simulator)
    const total = simulator.sink('out').committedTotal
    simulator.submitNext({ document: job(false, 3), restore: restoreFrom(path) })
    untilRunning(simulator)
    simulator.inject({ kind: 'kill-subtask', uid: 'first', subtask: 1 })
    simulator.runTo(simulator.now + SECOND)
    untilRunning(simulator)
    checkpoint(simulator)
    simulator.runTo(simulator.now + SECOND)
    expect(finishedTasks(simulator, 'first')).toBe(3)
    expect(simulator.sink('out').committedTotal).toBe(total)
  })

  it('cannot come behind one that is not finished: the job does not start', () => {
    const simulator = start(job())
    partFinished(simulator)
    const path = savepoint(simulator)
    cancel(simulator)
    const other: JobDocument = {
      ...job(),
      operators: job().operators.map((operator) => (operator.uid === 'bounded' ? { ...operator, uid: 'another' } : operator)),
      edges: (job().edges ?? []).map((edge) => (edge.from === 'bounded' ? { ...edge, from: 'another' } : edge)),
    }
    simulator.submitNext({ document: other, restore: restoreFrom(path) })
    expect(until(simulator, 'FAILED')).toMatch(/^Illegal JobGraph modification\. Cannot run a program with fully finished vertices preceded by .*predecessor that is not fully finished/)
  })
})

describe('a partly finished operator', () => {
  it('names its finished subtasks; what is left is redistributed, and nothing is read twice', () => {
    const simulator = start(job(true))
    partFinished(simulator)
    expect(finishedTasks(simulator, 'bounded')).toBe(1)
    const path = savepoint(simulator)
    const record = must(records(simulator, path).get('bounded'), 'bounded')
    expect(record.fullyFinished).toBe(false)
    expect(record.subtasks.filter(({ finished }) => finished)).toHaveLength(1)
    expect(record.subtasks.filter(({ finished }) => !finished)).toHaveLength(1)
    cancel(simulator)
    simulator.submitNext({ document: job(true, 3), restore: restoreFrom(path) })
    untilRunning(simulator)
    simulator.runTo(simulator.now + 10 * SECOND)
    const state = simulator.keyedState('first')
    const counted = [...(state?.values() ?? [])].reduce((sum, count) => sum + Number(count), 0)
    const read = simulator.tasks().flatMap((task) => task.machine.report(simulator.now).operators).filter(({ uid }) => uid === 'bounded').flatMap(({ splits }) => splits ?? [])
    expect(read).toHaveLength(1)
    expect(counted).toBeGreaterThan(100)
    checkpoint(simulator)
    expect(simulator.watch.first).toBeNull()
  })
})
