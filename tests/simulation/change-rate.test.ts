/** A channel takes only so many bytes a second: by the document, and changed while the job runs; the answer is the same as without. */
import { describe, expect, it } from 'vitest'
import type { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import type { EdgeDocument, JobDocument } from '../../workers/model/job-document.ts'
import { simulatorFor } from './simulator-for.ts'

const ROWS = 3000

/** `rows`: what a source reads a second; null: as fast as it can. */
function job(rate: string | undefined, config: JobDocument['config'] = {}, rows: number | null = null): JobDocument {
  const first: EdgeDocument = { from: 'source', to: 'count', ship: 'hash', by: ['word'] }
  return {
    weir: 'job@1',
    name: 'one narrow channel',
    config: {
      'execution.checkpointing.dir': 'file:///checkpoints',
      'execution.checkpointing.interval': '20 ms',
      'restart-strategy.type': 'fixed-delay',
      'restart-strategy.fixed-delay.delay': '5 ms',
      'restart-strategy.fixed-delay.attempts': 5,
      'taskmanager.memory.segment-size': '1 kb',
      ...config,
    },
    topics: [{ name: 'words', partitions: 2, rows: Array.from({ length: ROWS }, (_, i) => `k${i % 7}`), schema: { fields: { word: 'String' } } }],
    operators: [
      { uid: 'source', type: 'log', parallelism: 2, params: { topic: 'words', rate: rows, bounded: true } },
      { uid: 'count', type: 'process-count', parallelism: 2, params: { emitEvery: 10 } },
      { uid: 'sink', type: 'two-phase-commit' },
    ],
    edges: [rate === undefined ? first : { ...first, rate }, { from: 'count', to: 'sink', ship: 'rebalance' }],
  }
}

function simulator(document: JobDocument, seed = 5): Simulator {
  return simulatorFor(document, { seed })
}

const SECOND = 1_000_000
const counted = (run: Simulator): { readonly records: number; readonly bytes: number } => {
  const reports = run.tasks().filter(({ deployment }) => deployment.chain[0]?.uid === 'count').map(({ machine }) => machine.report(run.now))
  return { records: reports.reduce((sum, { recordsIn }) => sum + recordsIn, 0), bytes: reports.reduce((sum, { bytesIn }) => sum + bytesIn, 0) }
}

function running(document: JobDocument): Simulator {
  const run = simulator(document)
  run.runUntil(() => run.tasks().length === 5 && run.tasks().every(({ machine }) => machine.state === 'RUNNING'), SECOND)
  return run
}

/** Runs until it has FINISHED, and says what the sink then holds. */
function answerOf(run: Simulator): string[] {
  run.runUntilEvent(({ body }) => body.type === 'JobStatusChanged' && body.to === 'FINISHED', run.now + 600 * SECOND)
  expect(run.watch.first).toBeNull()
  return run.sink('sink').committed.map((row) => JSON.stringify(row)).toSorted()
}

describe('the rate of a channel', () => {
  it('is what gets through, where it is less than the tasks could do', () => {
    const run = running(job('2 kb'))
    run.runTo(run.now + 2 * SECOND)
    // Four channels; a buffer of each may be on its way, and is taken whole.
    const through = 4 * 2048 * 2
    expect(counted(run).bytes).toBeGreaterThanOrEqual(through - 4 * 1024)
    expect(counted(run).bytes).toBeLessThanOrEqual(through)
  })

  it('changes while the job runs, tells so, and holds for the tasks of a restart', () => {
    const run = running(job(undefined, {}, 2000))
    run.runTo(run.now + 50_000)
    expect(run.inject({ kind: 'limit-channel', from: 'source', to: 'count', rate: '1 kb' })).toBe(true)
    const told = run.runUntilEvent(({ body }) => body.type === 'ChannelRateChanged', SECOND)
    expect(told).toMatchObject({ body: { bytesPerSecond: 1024, channel: '0:0>0' } })
    run.inject({ kind: 'kill-subtask', uid: 'source', subtask: 0 })
    run.runUntilEvent(({ body }) => body.type === 'CheckpointRestored', 2 * SECOND)
    run.runTo(run.now + 20_000)
    const rates = run.tasks().flatMap(({ deployment }) => deployment.partitions.flatMap(({ subpartitions }) => subpartitions.map(({ bytesPerSecond }) => bytesPerSecond ?? null)))
    expect(rates).toEqual([1024, 1024, 1024, 1024, null, null])
    expect(run.inject({ kind: 'limit-channel', from: 'source', to: 'count', rate: null })).toBe(true)
    expect(answerOf(run)).not.toEqual([])
  })

  it('of the document can be taken away, and only channels that are there have one', () => {
    const run = running(job('1 kb', {}, 2000))
    run.runTo(run.now + 200_000)
    const before = counted(run).records
    run.inject({ kind: 'limit-channel', from: 'source', to: 'count', rate: null })
    run.runTo(run.now + 100_000)
    expect(before).toBeLessThan(100)
    expect(counted(run).records).toBeGreaterThan(300)
    expect(run.inject({ kind: 'limit-channel', from: 'sink', to: 'source', rate: '1 kb' })).toBe(false)
  })
})

const MODES: readonly (readonly [name: string, config: NonNullable<JobDocument['config']>])[] = [
  ['aligned', {}],
  ['unaligned', { 'execution.checkpointing.unaligned.enabled': true }],
  ['aligned with a time-out', { 'execution.checkpointing.unaligned.enabled': true, 'execution.checkpointing.aligned-checkpoint-timeout': '5 ms' }],
]

describe.each(MODES)('with a rate the answer is the same as without, %s', (_, config) => {
  const straight = answerOf(simulator(job(undefined, config)))

  it.each([1, 2, 3])('also where it is changed and a task is killed, seed %i', (seed) => {
    const run = simulator(job('8 kb', config), seed)
    run.runTo(100_000 + seed * 7_000)
    run.inject({ kind: 'limit-channel', from: 'source', to: 'count', rate: '3 kb' })
    run.runTo(run.now + 60_000 + seed * 11_000)
    run.inject({ kind: 'kill-subtask', uid: 'count', subtask: seed % 2 })
    run.runUntilEvent(({ body }) => body.type === 'CheckpointRestored', run.now + SECOND)
    run.runTo(run.now + 90_000)
    run.inject({ kind: 'limit-channel', from: 'source', to: 'count', rate: '100 kb' })
    expect(answerOf(run)).toEqual(straight)
  })
})

describe('a checkpoint over a slow channel', () => {
  const duration = (config: JobDocument['config']): number => {
    const run = simulator(job('2 kb', { 'taskmanager.memory.segment-size': '256 b', ...config }))
    run.runTo(200_000)
    const { at } = run.events.findLast(({ body }) => body.type === 'CheckpointTriggered') ?? { at: 0 }
    const done = run.runUntilEvent(({ at: end, body }) => end > at && body.type === 'CheckpointCompleted', 60 * SECOND)
    return done?.body.type === 'CheckpointCompleted' ? done.body.durationMicros : 0
  }

  it('takes as long as the data before its barrier, aligned; no longer than what is on the link, unaligned', () => {
    const aligned = duration({})
    const unaligned = duration({ 'execution.checkpointing.unaligned.enabled': true })
    // A buffer of 256 bytes takes 125 ms, and up to ten wait.
    expect(aligned).toBeGreaterThan(400_000)
    expect(unaligned).toBeLessThan(200_000)
  })
})
