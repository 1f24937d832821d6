/**
 * Records that lead to more output than pool and overdraft hold: tasks are blocked inside of them while barriers come and tasks are killed, and
 * what is committed is exact (FC-013).
 */
import { describe, expect, it } from 'vitest'
import { Prng } from '../../workers/base/prng.ts'
import type { PlannedFault } from '../../workers/hosts/simulator/fault-injector.ts'
import { withBarrierMode } from '../../workers/hosts/simulator/random/barrier-mode.ts'
import type { BarrierMode } from '../../workers/hosts/simulator/random/barrier-mode.ts'
import { randomFaults } from '../../workers/hosts/simulator/random/random-faults.ts'
import type { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { simulatorFor } from './simulator-for.ts'

const MODES: readonly BarrierMode[] = [{ kind: 'aligned' }, { kind: 'unaligned' }, { kind: 'timeout', micros: 5000 }]
const ROWS = 6
const TIMES = 10 * 100
const SEEDS = 4

/** A thousand out of each row, for sinks that are slow; hashed, so that one of them gets all of them. */
const JOB: JobDocument = {
  weir: 'job@1',
  name: 'one into a thousand',
  config: {
    'execution.checkpointing.dir': 'file:///checkpoints',
    'execution.checkpointing.interval': '40 ms',
    'execution.checkpointing.timeout': '10 s',
    'execution.checkpointing.tolerable-failed-checkpoints': 1000,
    'restart-strategy.type': 'fixed-delay',
    'restart-strategy.fixed-delay.attempts': 1000,
    'restart-strategy.fixed-delay.delay': '5 ms',
    'execution.buffer-timeout.interval': '1 ms',
    'pipeline.operator-chaining.enabled': true,
    'taskmanager.memory.segment-size': '256 b',
  },
  playground: { detectionDelay: '1 ms', slotsPerTaskManager: 2 },
  topics: [
    { name: 'in', partitions: 2, rows: Array.from({ length: ROWS }, (_, i) => [`order-${i}`, i]), schema: { kind: 'row', fields: { key: 'String', id: 'Int' } } },
  ],
  operators: [
    { uid: 'source', type: 'log', parallelism: 2, params: { topic: 'in', rate: 10, bounded: false } },
    { uid: 'ten', type: 'flat-map', parallelism: 2, params: { function: 'repeat', times: 10 } },
    { uid: 'many', type: 'flat-map', parallelism: 2, params: { function: 'repeat', times: 100 } },
    { uid: 'sink', type: 'two-phase-commit', parallelism: 2, cost: '50 us' },
  ],
  edges: [
    { from: 'source', to: 'ten', ship: 'rebalance' },
    { from: 'ten', to: 'many' },
    { from: 'many', to: 'sink', ship: 'hash', by: ['key'] },
  ],
}

interface Run {
  readonly simulator: Simulator
  /** Over all looks at all tasks. */
  readonly blockedMicros: number
}

/** Of a task that is blocked most of the time, after a checkpoint and whenever; and whatever else. */
const faultsOf = (seed: number): readonly PlannedFault[] => [
  ...randomFaults(new Prng(seed), JOB),
  { fault: { kind: 'kill-subtask', uid: 'many', subtask: seed % 2 }, when: { event: 'CheckpointCompleted', count: 1 + (seed % 3) } },
  { fault: { kind: 'kill-subtask', uid: 'many', subtask: 1 - (seed % 2) }, when: { at: 350_000 + seed * 17_000 } },
]

function run(mode: BarrierMode, seed: number): Run {
  const document = withBarrierMode(JOB, mode)
  const simulator = simulatorFor(document, { seed, faults: faultsOf(seed) })
  let blockedMicros = 0
  for (let at = 50_000; at <= 600_000; at += 50_000) {
    simulator.runTo(at)
    for (const { machine } of simulator.tasks()) blockedMicros = Math.max(blockedMicros, machine.report(simulator.now).hardBackpressuredMicros)
  }
  simulator.faults.heal()
  simulator.runUntil(() => simulator.sink('sink').committedTotal >= ROWS * TIMES, 20_000_000)
  simulator.runTo(simulator.now + 100_000)
  return { simulator, blockedMicros }
}

describe('records that a task is blocked in', () => {
  it.each(MODES)('are exactly once under faults, $kind', (mode) => {
    let restored = 0
    let blocked = 0
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { simulator, blockedMicros } = run(mode, seed)
      const counts = new Map<string, number>()
      for (const row of simulator.sink('sink').committed) counts.set(JSON.stringify(row), (counts.get(JSON.stringify(row)) ?? 0) + 1)
      const expected = Array.from({ length: ROWS }, (_, i) => [JSON.stringify([`order-${i}`, i]), TIMES])
      expect([...counts].sort(([a], [b]) => (a < b ? -1 : 1)), `seed ${seed}`).toEqual(expected)
      restored += simulator.events.filter(({ body }) => body.type === 'CheckpointRestored').length
      if (blockedMicros > 0) blocked++
    }
    expect(restored).toBeGreaterThan(0)
    expect(blocked).toBeGreaterThan(SEEDS / 2)
  }, 120_000)
})
