/** A plain savepoint on the whole simulated cluster (behaviour 3.2): it is written, and nothing else follows from it. */
import { describe, expect, it } from 'vitest'
import { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'

const SECOND = 1_000_000

function runner(unaligned: boolean, seed: number): Simulator {
  const rows = Array.from({ length: 300 }, (_, index) => ['abcd'[index % 4]!, index] as const)
  const document: JobDocument = {
    weir: 'job@1',
    name: 'savepoint',
    config: {
      'execution.checkpointing.dir': 'file:///checkpoints',
      'execution.checkpointing.interval': '1 h', 'execution.checkpointing.min-pause': '1 h', 'execution.checkpointing.unaligned.enabled': unaligned,
      'restart-strategy.type': 'fixed-delay', 'restart-strategy.fixed-delay.attempts': 10,
    },
    topics: [{ name: 'in', partitions: 2, schema: { fields: { key: 'String', value: 'Int' } }, rows }],
    operators: [
      { uid: 'source', type: 'log', parallelism: 2, params: { topic: 'in', rate: 50 } },
      { uid: 'count', type: 'process-count', parallelism: 2 },
      { uid: 'out', type: 'two-phase-commit' },
    ],
    edges: [
      { from: 'source', to: 'count', ship: 'hash', by: ['key'] },
      { from: 'count', to: 'out' },
    ],
  }
  const partitions = [0, 1].map((partition) => rows.filter((_, index) => index % 2 === partition).map((row) => [...row]))
  return new Simulator({ document, seed, topics: [{ name: 'in', partitions }] })
}

const completes = (simulator: Simulator): void => {
  const found = simulator.runUntilEvent(({ body }) => body.type === 'CheckpointCompleted', simulator.now + 60 * SECOND)
  if (found === null) throw new Error('no completion')
}

describe.each([[false], [true]])('a savepoint by hand, unaligned %s', (unaligned) => {
  it.each([[1], [2], [3]])('commits nothing and is not what a failure goes back to, seed %i', (seed) => {
    const simulator = runner(unaligned, seed)
    simulator.runTo(SECOND)
    simulator.triggerCheckpoint()
    completes(simulator)
    simulator.runTo(simulator.now + SECOND)
    const committed = simulator.sink('out').committedTotal
    expect(committed).toBeGreaterThan(0)
    simulator.triggerSavepoint('/savepoints')
    completes(simulator)
    simulator.runTo(simulator.now + SECOND)
    expect(simulator.sink('out').committedTotal).toBe(committed)
    expect(simulator.files('/savepoints/').some(({ path }) => path.endsWith('/_metadata'))).toBe(true)
    simulator.inject({ kind: 'kill-subtask', uid: 'count', subtask: 1 })
    const restored = simulator.runUntilEvent(({ body }) => body.type === 'CheckpointRestored', simulator.now + 60 * SECOND)
    expect(restored?.body).toMatchObject({ checkpointId: 1 })
    simulator.runTo(simulator.now + 10 * SECOND)
    simulator.triggerCheckpoint()
    completes(simulator)
    simulator.runTo(simulator.now + SECOND)
    expect(simulator.sink('out').committedTotal).toBe(300)
    expect(simulator.files('/savepoints/').some(({ path }) => path.endsWith('/_metadata'))).toBe(true)
    expect(simulator.watch.first).toBeNull()
  })
})
