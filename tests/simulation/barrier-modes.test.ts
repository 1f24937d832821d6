/**
 * The way in which barriers align changes when and how much is written, never what comes out: the same seed and faults under aligned, unaligned and
 * aligned-with-time-out give the same committed output, and every completed checkpoint is one that the job can go back to.
 */
import { describe, expect, it } from 'vitest'
import { Prng } from '../../workers/base/prng.ts'
import type { PlannedFault } from '../../workers/hosts/simulator/fault-injector.ts'
import { withBarrierMode } from '../../workers/hosts/simulator/random/barrier-mode.ts'
import type { BarrierMode } from '../../workers/hosts/simulator/random/barrier-mode.ts'
import { randomFaults } from '../../workers/hosts/simulator/random/random-faults.ts'
import { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { topicContents } from '../../workers/outside/topics.ts'

const MODES: readonly BarrierMode[] = [{ kind: 'aligned' }, { kind: 'unaligned' }, { kind: 'timeout', micros: 2000 }]
const ROWS = 150
const KEYS = 7

/** Two sources that read as fast as they may, counters that are slow: the queues between them are full. The bag of rows that comes out is certain. */
const WORD_COUNT: JobDocument = {
  weir: 'job@1',
  name: 'word count under pressure',
  config: {
    'execution.checkpointing.dir': 'file:///checkpoints',
    'execution.checkpointing.interval': '15 ms',
    'execution.checkpointing.timeout': '10 s',
    'execution.checkpointing.tolerable-failed-checkpoints': 1000,
    'execution.checkpointing.data-inline-threshold': '0 b',
    'restart-strategy.type': 'fixed-delay',
    'restart-strategy.fixed-delay.attempts': 1000,
    'restart-strategy.fixed-delay.delay': '5 ms',
    'execution.buffer-timeout.interval': '1 ms',
    'taskmanager.memory.segment-size': '256 b',
  },
  playground: { detectionDelay: '1 ms', slotsPerTaskManager: 2 },
  topics: [
    {
      name: 'words',
      partitions: 3,
      rows: Array.from({ length: ROWS }, (_, i) => [`k${(i * 5) % KEYS}`, i]),
      schema: { kind: 'row', fields: { key: 'String', id: 'Int' } },
    },
  ],
  operators: [
    { uid: 'source', type: 'log', parallelism: 2, params: { topic: 'words', rate: null, bounded: false } },
    { uid: 'map', type: 'map', parallelism: 3, params: { function: 'identity' } },
    { uid: 'count', type: 'process-count', parallelism: 2, params: { emitEvery: 1 }, cost: '1500 us' },
    { uid: 'sink', type: 'two-phase-commit', parallelism: 1 },
  ],
  edges: [
    { from: 'source', to: 'map', ship: 'rebalance' },
    { from: 'map', to: 'count', ship: 'hash', by: ['key'] },
    { from: 'count', to: 'sink', ship: 'rebalance' },
  ],
}

function run(mode: BarrierMode, seed: number, faults: readonly PlannedFault[]): Simulator {
  const topics = topicContents(WORD_COUNT.topics ?? [], new Map())
  if (!topics.ok) throw new RangeError(topics.error)
  const simulator = new Simulator({ document: withBarrierMode(WORD_COUNT, mode), seed, topics: topics.value, faults })
  simulator.runTo(300_000)
  simulator.faults.heal()
  simulator.runUntil(() => simulator.sink('sink').committedTotal >= ROWS, 20_000_000)
  simulator.runTo(simulator.now + 100_000)
  return simulator
}

const committed = (simulator: Simulator): readonly string[] => simulator.sink('sink').committed.map((row) => JSON.stringify(row)).sort()
const count = (simulator: Simulator, type: string): number => simulator.events.filter(({ body }) => body.type === type).length

/** `[key, n]` for the n-th record of each key. */
const straight = (): readonly string[] => {
  const seen = new Map<string, number>()
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const key = `k${(i * 5) % KEYS}`
    seen.set(key, (seen.get(key) ?? 0) + 1)
    return JSON.stringify([key, seen.get(key)])
  })
  return rows.sort()
}

describe('aligned, unaligned and aligned with a time-out', () => {
  it('commit the same rows under the same seed and faults', () => {
    const restored = new Map<string, number>(MODES.map(({ kind }) => [kind, 0]))
    for (let seed = 1; seed <= 8; seed++) {
      const kill: PlannedFault = { fault: { kind: 'kill-subtask', uid: 'map', subtask: seed % 3 }, when: { event: 'CheckpointCompleted', count: 1 + (seed % 3) } }
      const faults = [...randomFaults(new Prng(seed), WORD_COUNT), kill]
      for (const mode of MODES) {
        const simulator = run(mode, seed, faults)
        expect(simulator.watch.first, `seed ${seed}, ${mode.kind}`).toBeNull()
        expect(committed(simulator), `seed ${seed}, ${mode.kind}`).toEqual(straight())
        restored.set(mode.kind, (restored.get(mode.kind) ?? 0) + count(simulator, 'CheckpointRestored'))
      }
    }
    for (const [kind, restores] of restored) expect(restores, kind).toBeGreaterThan(0)
  })

  it('differ in what they write: only those that may overtake keep data in flight, and they complete sooner', () => {
    const [aligned, unaligned, timedOut] = MODES.map((mode) => run(mode, 3, []))
    expect(count(aligned as Simulator, 'InFlightPersisted')).toBe(0)
    expect(count(unaligned as Simulator, 'InFlightPersisted')).toBeGreaterThan(0)
    expect(count(timedOut as Simulator, 'InFlightPersisted')).toBeGreaterThan(0)
    expect(count(timedOut as Simulator, 'BarrierPulledForward')).toBeGreaterThan(0)
    expect(firstDuration(unaligned as Simulator)).toBeLessThan(firstDuration(aligned as Simulator))
    expect(firstDuration(timedOut as Simulator)).toBeLessThan(firstDuration(aligned as Simulator))
  })
})

function firstDuration(simulator: Simulator): number {
  const body = simulator.events.find((event) => event.body.type === 'CheckpointCompleted')?.body
  return body?.type === 'CheckpointCompleted' ? body.durationMicros : Infinity
}

describe('a restore', () => {
  for (const mode of MODES) {
    it(`from any completed checkpoint gives the straight run's result, ${mode.kind}`, () => {
      let inFlight = 0
      for (let nth = 1; nth <= 6; nth++) {
        const fault: PlannedFault = { fault: { kind: 'kill-subtask', uid: 'count', subtask: nth % 2 }, when: { event: 'CheckpointCompleted', count: nth } }
        const simulator = run(mode, nth, [fault])
        expect(simulator.watch.first, `checkpoint ${nth}`).toBeNull()
        expect(count(simulator, 'CheckpointRestored'), `checkpoint ${nth}`).toBe(1)
        expect(committed(simulator), `checkpoint ${nth}`).toEqual(straight())
        inFlight += count(simulator, 'InFlightRestored')
      }
      expect(inFlight > 0).toBe(mode.kind !== 'aligned')
    })
  }
})
