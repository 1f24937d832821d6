/** An operator is made slow, and quick again, while the job runs; what was set holds for the tasks of a restart too. */
import { describe, expect, it } from 'vitest'
import type { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { simulatorFor } from './simulator-for.ts'

const JOB: JobDocument = {
  weir: 'job@1',
  name: 'one slow operator',
  config: { 'execution.checkpointing.dir': 'file:///checkpoints', 'execution.checkpointing.interval': '20 ms', 'restart-strategy.type': 'fixed-delay', 'restart-strategy.fixed-delay.delay': '5 ms' },
  topics: [{ name: 'words', partitions: 1, rows: Array.from({ length: 4000 }, (_, i) => [`k${i % 5}`]), schema: { kind: 'tuple', fields: { key: 'String' } } }],
  operators: [
    { uid: 'source', type: 'log', params: { topic: 'words', rate: null, bounded: false } },
    { uid: 'count', type: 'process-count', params: { emitEvery: 1000 }, cost: '1 ms' },
    { uid: 'sink', type: 'print' },
  ],
  edges: [
    { from: 'source', to: 'count', ship: 'hash', by: ['key'] },
    { from: 'count', to: 'sink', ship: 'rebalance' },
  ],
}

function simulator(): Simulator {
  return simulatorFor(JOB, { seed: 5 })
}

const counted = (run: Simulator): number => run.tasks().find(({ deployment }) => deployment.chain[0]?.uid === 'count')?.machine.report(run.now).recordsIn ?? 0

describe('the cost of a record', () => {
  it('changes while the job runs: the throughput follows', () => {
    const run = simulator()
    run.runTo(300_000)
    const before = counted(run)
    run.cluster.tellLeader({ type: 'change-settings', change: { costs: { count: 100 } } })
    run.runTo(400_000)
    expect(before).toBeLessThan(320)
    expect(counted(run) - before).toBeGreaterThan(800)
  })

  it('is a fault of scenarios too: with its unit, and only for an operator that is there', () => {
    const run = simulator()
    run.runTo(300_000)
    const before = counted(run)
    expect(run.inject({ kind: 'set-cost', uid: 'count', cost: '20 ms' })).toBe(true)
    run.runTo(400_000)
    expect(counted(run) - before).toBeLessThan(8)
    expect(run.inject({ kind: 'set-cost', uid: 'nowhere', cost: '1 ms' })).toBe(false)
  })

  it('holds for the tasks of a restart', () => {
    const run = simulator()
    run.runTo(200_000)
    run.cluster.tellLeader({ type: 'change-settings', change: { costs: { count: 100 } } })
    run.runTo(210_000)
    run.inject({ kind: 'kill-subtask', uid: 'count', subtask: 0 })
    run.runUntilEvent(({ body }) => body.type === 'CheckpointRestored', 2_000_000)
    run.runTo(run.now + 10_000)
    expect(run.tasks().find(({ deployment }) => deployment.chain[0]?.uid === 'count')?.deployment.chain[0]?.costMicros).toBe(100)
    expect(run.watch.first).toBeNull()
  })
})
