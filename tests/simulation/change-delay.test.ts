/** What is sent through a channel comes later: by the document, and changed while the job runs; over restarts, and under a new leader. */
import { describe, expect, it } from 'vitest'
import type { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import type { EdgeDocument, JobDocument } from '../../workers/model/job-document.ts'
import { simulatorFor } from './simulator-for.ts'

const MILLI = 1000
const SECOND = 1000 * MILLI
const ROWS = 600

function job(delay: string | undefined): JobDocument {
  const first: EdgeDocument = { from: 'source', to: 'count', ship: 'hash', by: ['word'] }
  return {
    weir: 'job@1',
    name: 'one late channel',
    config: {
      'execution.checkpointing.dir': 'file:///checkpoints',
      'execution.checkpointing.interval': '50 ms',
      'high-availability.type': 'kubernetes',
      'high-availability.storageDir': 'file:///ha',
      'restart-strategy.type': 'fixed-delay',
      'restart-strategy.fixed-delay.delay': '5 ms',
      'restart-strategy.fixed-delay.attempts': 5,
    },
    topics: [{ name: 'words', partitions: 2, rows: Array.from({ length: ROWS }, (_, i) => `k${i % 7}`), schema: { fields: { word: 'String' } } }],
    operators: [
      { uid: 'source', type: 'log', parallelism: 2, params: { topic: 'words', rate: 200, bounded: true } },
      { uid: 'count', type: 'process-count', parallelism: 2, params: { emitEvery: 10 } },
      { uid: 'sink', type: 'two-phase-commit' },
    ],
    edges: [delay === undefined ? first : { ...first, delay }, { from: 'count', to: 'sink', ship: 'rebalance' }],
  }
}

function simulator(document: JobDocument, seed = 3): Simulator {
  return simulatorFor(document, { seed })
}

const isRunning = (run: Simulator): boolean => run.tasks().length === 5 && run.tasks().every(({ machine }) => machine.state === 'RUNNING')

function running(document: JobDocument): Simulator {
  const run = simulator(document)
  expect(run.runUntil(() => isRunning(run), SECOND)).toBe(true)
  return run
}

/** How long the barriers of the next checkpoint are on their way from the sources to the counts; the longest. */
function wayOfBarriers(run: Simulator): number {
  const since = run.events.length
  const begun = run.runUntilEvent(({ body }) => body.type === 'CheckpointTriggered', run.now + 2 * SECOND)
  if (begun?.body.type !== 'CheckpointTriggered') throw new Error('no checkpoint was triggered')
  const { checkpointId } = begun.body
  run.runUntilEvent(({ body }) => body.type === 'CheckpointCompleted' && body.checkpointId === checkpointId, run.now + 5 * SECOND)
  const events = run.events.slice(since)
  const arrivals = events.filter(({ body }) => body.type === 'BarrierArrived' && body.checkpointId === checkpointId && body.channel.startsWith('0:'))
  expect(arrivals).toHaveLength(4)
  const sent = events.find(({ body }) => body.type === 'BarrierEmitted' && body.checkpointId === checkpointId)
  return Math.max(...arrivals.map(({ at }) => at)) - (sent?.at ?? 0)
}

const delays = (run: Simulator): readonly number[] =>
  run.tasks().flatMap(({ deployment }) => deployment.gates.flatMap(({ channels }) => channels.map(({ delayMicros }) => delayMicros ?? 0))).toSorted((a, b) => b - a)

function restarted(run: Simulator): void {
  const { now } = run
  run.inject({ kind: 'kill-subtask', uid: 'count', subtask: 0 })
  run.runUntilEvent(({ at, body }) => at > now && body.type === 'CheckpointRestored', now + 2 * SECOND)
  expect(run.runUntil(() => isRunning(run), run.now + SECOND)).toBe(true)
}

describe('the delay of a channel', () => {
  it('of the document is how long everything on that edge takes, and nothing on others', () => {
    expect(wayOfBarriers(running(job(undefined)))).toBeLessThan(20 * MILLI)
    const run = running(job('40 ms'))
    expect(delays(run)).toEqual([40_000, 40_000, 40_000, 40_000, 0, 0])
    const way = wayOfBarriers(run)
    expect(way).toBeGreaterThanOrEqual(40 * MILLI)
    expect(way).toBeLessThan(60 * MILLI)
  })

  it('of the document holds for the tasks of a restart', () => {
    const run = running(job('40 ms'))
    run.runUntilEvent(({ body }) => body.type === 'CheckpointCompleted', run.now + SECOND)
    restarted(run)
    expect(wayOfBarriers(run)).toBeGreaterThanOrEqual(40 * MILLI)
  })

  it('of the document holds under a new leader', () => {
    const run = running(job('40 ms'))
    run.runUntilEvent(({ body }) => body.type === 'CheckpointCompleted', run.now + SECOND)
    run.inject({ kind: 'kill-job-manager' })
    const { now } = run
    run.runUntilEvent(({ at, body }) => at > now && body.type === 'CheckpointRestored', now + 2 * SECOND)
    expect(run.runUntil(() => isRunning(run), run.now + SECOND)).toBe(true)
    expect(wayOfBarriers(run)).toBeGreaterThanOrEqual(40 * MILLI)
  })

  it('changes while the job runs, tells so at each receiver, and holds for the tasks of a restart', () => {
    const run = running(job('40 ms'))
    run.runUntilEvent(({ body }) => body.type === 'CheckpointCompleted', run.now + SECOND)
    expect(run.inject({ kind: 'slow-channel', from: 'source', to: 'count', by: '90 ms' })).toBe(true)
    run.runTo(run.now + 10 * MILLI)
    const told = run.events.flatMap(({ body }) => (body.type === 'ChannelDelayed' ? [[body.channel, body.subtask, body.micros]] : []))
    expect(told.toSorted()).toEqual([['0:0>0', 0, 90_000], ['0:0>1', 1, 90_000], ['0:1>0', 0, 90_000], ['0:1>1', 1, 90_000]])
    expect(wayOfBarriers(run)).toBeGreaterThanOrEqual(90 * MILLI)
    restarted(run)
    expect(delays(run)).toEqual([90_000, 90_000, 90_000, 90_000, 0, 0])
    expect(wayOfBarriers(run)).toBeGreaterThanOrEqual(90 * MILLI)
  })

  it('of the document can be taken away, also for the tasks of a restart', () => {
    const run = running(job('40 ms'))
    run.runUntilEvent(({ body }) => body.type === 'CheckpointCompleted', run.now + SECOND)
    run.inject({ kind: 'slow-channel', from: 'source', to: 'count', by: '0 ms' })
    // What was sent before is behind it.
    run.runTo(run.now + 100 * MILLI)
    expect(wayOfBarriers(run)).toBeLessThan(20 * MILLI)
    restarted(run)
    expect(wayOfBarriers(run)).toBeLessThan(20 * MILLI)
  })

  it('is of channels that are there', () => {
    expect(running(job(undefined)).inject({ kind: 'slow-channel', from: 'sink', to: 'source', by: '1 s' })).toBe(false)
  })
})

function answerOf(run: Simulator): string[] {
  run.runUntilEvent(({ body }) => body.type === 'JobStatusChanged' && body.to === 'FINISHED', run.now + 600 * SECOND)
  expect(run.watch.first).toBeNull()
  return run.sink('sink').committed.map((row) => JSON.stringify(row)).toSorted()
}

it.each([1, 2, 3])('with a delay the answer is the same as without, also where it is changed and a task is killed, seed %i', (seed) => {
  const straight = answerOf(simulator(job(undefined)))
  expect(straight).not.toEqual([])
  const run = simulator(job('30 ms'), seed)
  run.runTo(300 * MILLI + seed * 7 * MILLI)
  run.inject({ kind: 'slow-channel', from: 'source', to: 'count', by: '80 ms' })
  run.runTo(run.now + 120 * MILLI + seed * 11 * MILLI)
  run.inject({ kind: 'kill-subtask', uid: 'count', subtask: seed % 2 })
  run.runTo(run.now + 400 * MILLI)
  run.inject({ kind: 'slow-channel', from: 'source', to: 'count', by: '0 ms' })
  expect(answerOf(run)).toEqual(straight)
})
