import { describe, expect, it } from 'vitest'
import type { TopicDescription } from '../../../workers/model/job-graph.ts'
import { bare } from '../../../workers/model/schema.ts'
import { decodeLogSplit, decodeStateElement, encodeLogSplit, READER_STATE } from '../../../workers/operators/sources/split-codec.ts'
import { Outside, OperatorHarness } from './operator-harness.ts'

const TOPIC: TopicDescription = { name: 'events', partitions: 2, schema: bare('Int'), source: { kind: 'rows' } }

/** Row = partition · 10,000 + offset. */
const outside = (...lengths: number[]) => new Outside([{ name: 'events', partitions: lengths.map((length, p) => Array.from({ length }, (_, i) => p * 10_000 + i)) }])

const source = (world: Outside, params: object = {}, attemptNumber = 0) =>
  new OperatorHarness({ type: 'log', params: { topic: 'events', ...params }, topics: [TOPIC], attemptNumber }, world)

const give = (harness: OperatorHarness, ...partitions: number[]) => {
  const splits = partitions.map((partition) => encodeLogSplit({ topic: 'events', partition, offset: 0, stop: null }))
  ;(harness.operator as { onCoordinatorEvent(event: object): void }).onCoordinatorEvent({ type: 'add-splits', splits })
  ;(harness.operator as { onCoordinatorEvent(event: object): void }).onCoordinatorEvent({ type: 'no-more-splits' })
}

/** Reads until the source has nothing more for the moment. */
function drain(harness: OperatorHarness, budget = 100) {
  for (let i = 0; i < 10_000; i++) {
    const status = harness.poll(budget)
    if (status === 'ended') return status
    if (status === 'idle' && !harness.answer()) return status
  }
  throw new Error('no end')
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
const offsets = (state: ReadonlyMap<string, readonly Uint8Array[]>) => (state.get(READER_STATE) ?? []).map((element) => decodeLogSplit(decodeStateElement('log', element)).offset)

describe('a log source', () => {
  it('registers, and reads the partitions it is given to their end', () => {
    const harness = source(outside(1500, 700)).open()
    expect(harness.toCoordinator).toEqual([{ type: 'reader-registered', subtask: 0 }])
    expect(harness.poll(10)).toBe('idle')
    give(harness, 0, 1)
    expect(harness.eventsOf('SplitAssigned')).toMatchObject([{ split: 'events-0', offset: 0 }, { split: 'events-1', offset: 0 }])
    expect(drain(harness)).toBe('idle')
    expect([...harness.emitted].sort((a, b) => Number(a) - Number(b))).toEqual([...range(0, 1500), ...range(10_000, 10_700)])
    expect(harness.emitted.filter((row) => Number(row) < 10_000)).toEqual(range(0, 1500))
  })

  it('names each record before it is emitted', () => {
    const harness = source(outside(3)).open()
    give(harness, 0)
    drain(harness)
    expect(harness.readings).toEqual([0, 1, 2].map((offset) => ({ partition: 0, offset })))
  })

  it('keeps no more than two requests of 512 rows under way or unread for each partition', () => {
    const harness = source(outside(5000)).open()
    give(harness, 0)
    // Nothing is known of the partition before the first answer.
    expect(harness.requests.map(({ op }) => op)).toMatchObject([{ type: 'fetch', offset: 0, limit: 512 }])
    harness.answerAll()
    expect(harness.requests).toEqual([])
    expect(harness.poll(2000)).toBe('idle')
    expect(harness.emitted).toHaveLength(1024)
    expect(harness.requests.map(({ op }) => op)).toMatchObject([{ offset: 1024 }, { offset: 1536 }])
  })

  it('takes answers in any order', () => {
    const harness = source(outside(1600)).open()
    give(harness, 0)
    harness.answer()
    harness.poll(1)
    harness.poll(511)
    harness.requests.reverse()
    expect(harness.requests.length).toBeGreaterThan(1)
    harness.answer()
    expect(harness.poll(10)).toBe('idle')
    drain(harness)
    expect(harness.emitted).toEqual(range(0, 1600))
  })

  it('is idle at the end of an unbounded topic, says so once, and looks again by timer', () => {
    const world = outside(3)
    const harness = source(world).open()
    give(harness, 0)
    drain(harness)
    expect(harness.eventsOf('SourceIdle')).toMatchObject([{ split: 'events-0', offset: 3 }])
    for (let i = 0; i < 3; i++) {
      harness.fireTimer()
      expect(harness.requests).toHaveLength(1)
      expect(drain(harness)).toBe('idle')
    }
    expect(harness.eventsOf('SourceIdle')).toHaveLength(1)
    world.handle({ type: 'append-to-topic', topic: 'events', partition: 0, rows: [3, 4] })
    harness.fireTimer()
    drain(harness)
    expect(harness.emitted).toEqual(range(0, 5))
    expect(harness.eventsOf('SourceIdle')).toHaveLength(2)
    expect(harness.operator.report().splits).toEqual([{ split: 'events-0', partition: 0, offset: 5, first: 0, end: 5 }])
  })

  it('is idle in an empty partition', () => {
    const harness = source(outside(0)).open()
    give(harness, 0)
    expect(drain(harness)).toBe('idle')
    expect(harness.eventsOf('SourceIdle')).toHaveLength(1)
  })

  it('ends where a bounded one found the end when it began', () => {
    const world = outside(600, 0)
    const harness = source(world, { bounded: true }).open()
    give(harness, 0, 1)
    harness.answer()
    world.handle({ type: 'append-to-topic', topic: 'events', partition: 0, rows: [99] })
    expect(drain(harness)).toBe('ended')
    expect(harness.emitted).toEqual(range(0, 600))
    const again = source(world, { bounded: true }, 1).restoreFrom(harness.checkpoint(1, READER_STATE)).open(1)
    give(again)
    expect(drain(again)).toBe('ended')
    expect(again.emitted).toEqual([])
  })

  it('without any partition waits if unbounded and ends if bounded', () => {
    const waiting = source(outside(1)).open()
    give(waiting)
    expect(waiting.poll(1)).toBe('idle')
    const ending = source(outside(1), { bounded: true }).open()
    expect(ending.poll(1)).toBe('idle')
    give(ending)
    expect(ending.poll(1)).toBe('ended')
  })

  it('stops when it may not emit, within the budget', () => {
    const harness = source(outside(100)).open()
    give(harness, 0)
    harness.answerAll()
    expect(harness.poll(7)).toBe('more')
    expect(harness.emitted).toHaveLength(7)
    let left = 5
    expect(harness.poll(50, () => left-- > 0)).toBe('more')
    expect(harness.emitted).toHaveLength(12)
    expect(harness.poll(50, () => false)).toBe('more')
    expect(harness.emitted).toEqual(range(0, 12))
  })

  it('fails the task where the outside world does', () => {
    const harness = source(outside(1)).open()
    give(harness, 0)
    harness.answer({ ok: false, reason: 'UNAVAILABLE', message: 'the external system is unavailable' })
    expect(harness.failure?.message).toBe('Operator: reading events-0 at offset 0 failed: the external system is unavailable')
  })
})

describe('after a restore a log source', () => {
  it('goes back to its offsets and reads the same again', () => {
    const world = outside(1000, 1000)
    const first = source(world).open()
    give(first, 0, 1)
    first.answerAll()
    first.poll(700)
    const state = first.checkpoint(1, READER_STATE)
    const before = first.emitted.length
    drain(first)
    const second = source(world, {}, 1).restoreFrom(state).open(1)
    expect(second.eventsOf('SourceRewound').map((event) => (event as { to: number }).to)).toEqual(offsets(state))
    give(second)
    drain(second)
    expect(offsets(state).reduce((a, b) => a + b)).toBe(before)
    for (const p of [0, 1]) {
      const of = (rows: readonly unknown[]) => rows.filter((row) => Math.floor(Number(row) / 10_000) === p)
      expect([...of(first.emitted.slice(0, before)), ...of(second.emitted)]).toEqual(range(p * 10_000, p * 10_000 + 1000))
    }
  })

  it('at any moment loses nothing and doubles nothing, also as a copy of itself', () => {
    for (let cut = 0; cut <= 40; cut += 4) {
      const world = outside(40)
      const first = source(world).open()
      give(first, 0)
      first.answerAll()
      if (cut > 0) first.poll(cut)
      first.becomeCopy()
      const state = first.checkpoint(1, READER_STATE)
      first.poll(3)
      const second = source(world, {}, 1).restoreFrom(state).open(1)
      drain(second)
      expect([...first.emitted.slice(0, cut), ...second.emitted]).toEqual(range(0, 40))
    }
  })
})

describe('a rate', () => {
  const paced = (rate: number, length = 1000) => {
    const harness = source(outside(length, length), { rate }).open()
    give(harness, 0, 1)
    harness.answerAll()
    return harness
  }

  it('spreads records over engine time', () => {
    const harness = paced(54)
    while (harness.time < 10_000_000) if (harness.poll(100) === 'idle') harness.fireTimer()
    expect(Math.abs(harness.emitted.length - 540)).toBeLessThanOrEqual(2)
  })

  it('takes partitions in turn', () => {
    const harness = paced(100)
    while (harness.time < 100_000) if (harness.poll(100) === 'idle') harness.fireTimer()
    expect(harness.emitted.slice(0, 4)).toEqual([0, 10_000, 1, 10_001])
  })

  it('is kept by a host that wakes the source late', () => {
    const harness = paced(1000, 20_000)
    for (harness.time = 0; harness.time < 1_000_000; harness.time += 16_000) {
      while (harness.poll(100) === 'more' && harness.emitted.length < 19_000) if (harness.requests.length > 0) harness.answerAll()
      harness.answerAll()
    }
    expect(Math.abs(harness.emitted.length - 1000)).toBeLessThanOrEqual(20)
  })

  it('is not made up for after a pause: no burst', () => {
    const harness = paced(100)
    while (harness.time < 100_000) if (harness.poll(100) === 'idle') harness.fireTimer()
    const before = harness.emitted.length
    harness.time += 60_000_000
    harness.poll(1000)
    expect(harness.emitted.length - before).toBeLessThanOrEqual(6)
  })
})
