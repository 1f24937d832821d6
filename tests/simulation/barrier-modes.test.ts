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
import type { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { simulatorFor } from './simulator-for.ts'

const MODES: readonly BarrierMode[] = [{ kind: 'aligned' }, { kind: 'unaligned' }, { kind: 'timeout', micros: 2000 }]
const ROWS = 150
/** A run for each of some twenty checkpoints. */
const MANY_RUNS_MS = 120_000
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

const run = (mode: BarrierMode, seed: number, faults: readonly PlannedFault[]): Simulator => runOf(withBarrierMode(WORD_COUNT, mode), seed, faults)

/** `heals`: what the plan has not broken by then does not break any more. */
function runOf(document: JobDocument, seed: number, faults: readonly PlannedFault[], heals = true): Simulator {
  const simulator = simulatorFor(document, { seed, faults })
  simulator.runTo(300_000)
  if (heals) simulator.faults.heal()
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

/** The same, with sources that read all the while, a little faster than the counters count: records come behind every barrier. */
const PACED: JobDocument = {
  ...WORD_COUNT,
  operators: WORD_COUNT.operators.map((operator) => (operator.uid === 'source' ? { ...operator, params: { ...operator.params, rate: 900 } } : operator)),
}

/** Ids, in order. */
const completed = (simulator: Simulator): readonly number[] => simulator.events.flatMap(({ body }) => (body.type === 'CheckpointCompleted' ? [body.checkpointId] : []))
const restored = (simulator: Simulator): readonly number[] => simulator.events.flatMap(({ body }) => (body.type === 'CheckpointRestored' ? [body.checkpointId] : []))

/** One run for each checkpoint that the straight run of this seed completes: the same up to there, and then a task is killed. Told with its checkpoint. */
function* restoresOf(document: JobDocument, seed: number): Generator<{ readonly name: string; readonly simulator: Simulator }> {
  const checkpoints = completed(runOf(document, seed, []))
  expect(checkpoints.length).toBeGreaterThan(10)
  for (const [index, id] of checkpoints.entries()) {
    const kill: PlannedFault = { fault: { kind: 'kill-subtask', uid: 'count', subtask: index % 2 }, when: { event: 'CheckpointCompleted', count: index + 1 } }
    const simulator = runOf(document, seed, [kill], false)
    simulator.runUntil(() => restored(simulator).length > 0, simulator.now + 1_000_000)
    simulator.runUntil(() => simulator.sink('sink').committedTotal >= ROWS, simulator.now + 20_000_000)
    simulator.runTo(simulator.now + 100_000)
    const name = `seed ${seed}, checkpoint ${id}`
    expect(simulator.watch.first, name).toBeNull()
    expect(restored(simulator), name).toEqual([id])
    yield { name, simulator }
  }
}

describe('a restore', () => {
  for (const mode of MODES) {
    it(`from every completed checkpoint of a run gives the straight run's result, ${mode.kind}`, () => {
      let inFlight = 0
      for (const { name, simulator } of restoresOf(withBarrierMode(PACED, mode), 1)) {
        expect(committed(simulator), name).toEqual(straight())
        inFlight += count(simulator, 'InFlightRestored')
      }
      expect(inFlight > 0).toBe(mode.kind !== 'aligned')
    }, MANY_RUNS_MS)
  }

  it("from every completed checkpoint of a run loses no row of the straight run's result, at least once", () => {
    const document = { ...PACED, config: { ...PACED.config, 'execution.checkpointing.mode': 'AT_LEAST_ONCE' } }
    let repeated = 0
    for (const { name, simulator } of restoresOf(document, 1)) {
      const rows = new Set(committed(simulator))
      expect(straight().filter((row) => !rows.has(row)), name).toEqual([])
      if (simulator.sink('sink').committedTotal > ROWS) repeated++
    }
    expect(repeated).toBeGreaterThan(0)
  }, MANY_RUNS_MS)
})
