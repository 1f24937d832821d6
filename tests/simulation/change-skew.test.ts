/** A generator's keys are skewed while the job runs: one subtask gets the load, what was set holds after a restart, and exactly-once holds. */
import { describe, expect, it } from 'vitest'
import { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import { SimulatorView } from '../../workers/hosts/simulator/simulator-view.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'

const KEYS = 64

const JOB: JobDocument = {
  weir: 'job@1',
  name: 'words',
  config: { 'execution.checkpointing.dir': 'file:///checkpoints', 'execution.checkpointing.interval': '40 ms', 'restart-strategy.type': 'fixed-delay', 'restart-strategy.fixed-delay.delay': '5 ms', 'restart-strategy.fixed-delay.attempts': 5 },
  operators: [
    { uid: 'words', type: 'generator', parallelism: 2, params: { rows: 'word', keys: KEYS, count: 6000, rate: 10_000 } },
    { uid: 'count', type: 'process-count', parallelism: 2, params: { emitEvery: 10 } },
    { uid: 'sink', type: 'print' },
  ],
  edges: [
    { from: 'words', to: 'count', ship: 'hash', by: ['word'] },
    { from: 'count', to: 'sink', ship: 'rebalance' },
  ],
}

const simulator = (): Simulator => new Simulator({ document: JOB, seed: 3, topics: [] })

/** Share of the busiest key among all that have been counted. */
function heaviest(run: Simulator): number {
  const counts = [...(run.keyedState('count') ?? new Map<string, string>()).values()].map(Number)
  return Math.max(...counts) / counts.reduce((sum, count) => sum + count, 0)
}

const changes = (run: Simulator): readonly { readonly from: number; readonly skew: number }[] =>
  run.events.flatMap(({ body }) => (body.type === 'KeySkewChanged' ? [{ from: body.from, skew: body.skew }] : []))

describe('key skew', () => {
  it('changes while the job runs: one key takes most of what comes from then on', () => {
    const run = simulator()
    run.runTo(100_000)
    expect(heaviest(run)).toBeLessThan(0.1)
    expect(run.inject({ kind: 'set-skew', uid: 'words', skew: 3 })).toBe(true)
    run.runTo(280_000)
    expect(heaviest(run)).toBeGreaterThan(0.3)
  })

  it('is for generators alone', () => {
    const run = simulator()
    run.runTo(100_000)
    expect(run.inject({ kind: 'set-skew', uid: 'count', skew: 3 })).toBe(false)
    expect(run.inject({ kind: 'set-skew', uid: 'nowhere', skew: 3 })).toBe(false)
  })

  it('holds after a restart, from the restored position on, and nothing is lost or doubled', () => {
    const run = simulator()
    run.runTo(200_000)
    run.inject({ kind: 'set-skew', uid: 'words', skew: 2 })
    run.runTo(220_000)
    const before = changes(run).length
    run.inject({ kind: 'kill-subtask', uid: 'count', subtask: 0 })
    run.runUntilEvent(({ body }) => body.type === 'CheckpointRestored', 2_000_000)
    run.runUntilEvent(({ body }) => body.type === 'KeySkewChanged', 2_000_000)
    expect(changes(run).slice(before).every(({ skew }) => skew === 2)).toBe(true)
    run.runUntil((one) => one.status === 'FINISHED', 20_000_000)
    expect(run.status).toBe('FINISHED')
    expect(new SimulatorView(run).exactlyOnce()).toBeNull()
    expect(run.watch.first).toBeNull()
  })

  it('holds for a split that is given out later', () => {
    const run = simulator()
    run.runTo(5_000)
    run.cluster.tellLeader({ type: 'change-settings', change: { skews: { words: 1 } } })
    run.runUntil((one) => one.status === 'FINISHED', 20_000_000)
    expect(new SimulatorView(run).exactlyOnce()).toBeNull()
  })
})
