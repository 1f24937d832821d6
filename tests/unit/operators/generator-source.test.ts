import { describe, expect, it } from 'vitest'
import { KeySampler, wordOf } from '../../../workers/operators/sources/key-sampler.ts'
import { encodeSequenceSplit, READER_STATE } from '../../../workers/operators/sources/split-codec.ts'
import { splitSequence } from '../../../workers/operators/sources/sequence-enumerator.ts'
import { OperatorHarness } from './operator-harness.ts'

const generator = (params: object = {}) => new OperatorHarness({ type: 'generator', params: { ...params } })

const give = (harness: OperatorHarness, next: number, to: number, last = true) => {
  const operator = harness.operator as { onCoordinatorEvent(event: object): void }
  operator.onCoordinatorEvent({ type: 'add-splits', splits: [encodeSequenceSplit({ id: '1', next, to })] })
  if (last) operator.onCoordinatorEvent({ type: 'no-more-splits' })
}

describe('a generator', () => {
  it('asks for a split, reads it to its end, asks for another', () => {
    const harness = generator().open()
    expect(harness.toCoordinator).toEqual([{ type: 'reader-registered', subtask: 0 }, { type: 'request-split', subtask: 0 }])
    give(harness, 0, 9, false)
    expect(harness.poll(100)).toBe('idle')
    expect(harness.emitted).toHaveLength(10)
    expect(harness.toCoordinator).toHaveLength(3)
    ;(harness.operator as { onCoordinatorEvent(event: object): void }).onCoordinatorEvent({ type: 'no-more-splits' })
    expect(harness.poll(100)).toBe('ended')
    expect(harness.operator.report().splits).toEqual([{ split: '1', partition: 0, offset: 10, first: 0, end: null }])
  })

  it('makes words or pairs', () => {
    const words = generator({ rows: 'word', keys: 5 }).open()
    give(words, 0, 99)
    words.poll(100)
    expect(new Set(words.emitted)).toEqual(new Set([0, 1, 2, 3, 4].map(wordOf)))
    const pairs = generator({ keys: 3 }).open()
    give(pairs, 0, 499)
    pairs.poll(1000)
    for (const pair of pairs.emitted) {
      const [key, value] = pair as readonly [string, number]
      expect(['key-0', 'key-1', 'key-2']).toContain(key)
      expect(value).toBeGreaterThanOrEqual(1)
      expect(value).toBeLessThanOrEqual(100)
    }
  })

  it('makes the same records of the same seed and positions after a restore, and others of another seed', () => {
    const first = generator({ seed: 5, skew: 1 }).open()
    give(first, 0, 999)
    first.poll(300)
    const state = first.checkpoint(1, READER_STATE)
    first.becomeCopy()
    first.poll(1000)
    const second = generator({ seed: 5, skew: 1 }).restoreFrom(state).open(1)
    expect(second.eventsOf('SourceRewound')).toMatchObject([{ split: '1', to: 300 }])
    second.poll(1000)
    expect(second.emitted).toEqual(first.emitted.slice(300))
    const other = generator({ seed: 6, skew: 1 }).open()
    give(other, 0, 999)
    other.poll(1000)
    expect(other.emitted).not.toEqual(first.emitted)
  })

  it('keeps its rate', () => {
    const harness = generator({ rate: 20 }).open()
    give(harness, 0, Number.MAX_SAFE_INTEGER)
    while (harness.time < 5_000_000) if (harness.poll(100) === 'idle') harness.fireTimer()
    expect(Math.abs(harness.emitted.length - 100)).toBeLessThanOrEqual(1)
  })

  it('stops when it may not emit', () => {
    const harness = generator().open()
    give(harness, 0, 999)
    let left = 3
    expect(harness.poll(100, () => left-- > 0)).toBe('more')
    expect(harness.emitted).toHaveLength(3)
    expect(harness.readings.map(({ offset }) => offset)).toEqual([0, 1, 2])
  })
})

describe('keys', () => {
  const shares = (keys: number, skew: number, draws: number, from = 0) => {
    const sampler = new KeySampler(keys, skew, 1)
    const counts = new Array<number>(keys).fill(0)
    for (let i = from; i < from + draws; i++) counts[sampler.keyAt(i)] = (counts[sampler.keyAt(i)] ?? 0) + 1
    return counts.map((count) => count / draws)
  }

  it('are all alike without skew', () => {
    for (const share of shares(10, 0, 100_000)) expect(Math.abs(share - 0.1)).toBeLessThan(0.005)
  })

  it('follow Zipf with skew 1: key k has weight 1 / (k + 1)', () => {
    const found = shares(10, 1, 200_000)
    const total = found.reduce((sum, _, k) => sum + 1 / (k + 1), 0)
    found.forEach((share, k) => expect(Math.abs(share - 1 / (k + 1) / total)).toBeLessThan(0.005))
  })

  it('are as even far beyond 32 bits', () => {
    for (const share of shares(4, 0, 40_000, 2 ** 40)) expect(Math.abs(share - 0.25)).toBeLessThan(0.01)
  })

  it('are numbers of one key where there is one', () => {
    expect(shares(1, 2, 100)).toEqual([1])
  })

  it('have different words', () => {
    expect(new Set(Array.from({ length: 20_000 }, (_, i) => wordOf(i))).size).toBe(20_000)
  })
})

describe('where a split of a generator begins', () => {
  const splits = (count: number | null, id: string, next: number, to: number) => {
    const harness = generator(count === null ? {} : { count }).open()
    ;(harness.operator as { onCoordinatorEvent(event: object): void }).onCoordinatorEvent({ type: 'add-splits', splits: [encodeSequenceSplit({ id, next, to })] })
    return harness.operator.report().splits?.[0]
  }

  it('is known of every split of every sequence, also of one that is half read: the split itself keeps its end alone', () => {
    for (const count of [1, 2, 3, 7, 10, 64, 1000, null]) {
      for (const parts of [1, 2, 3, 4, 7, 128]) {
        for (const { id, next, to } of splitSequence(count, parts)) {
          const read = Math.min(to, next + 2)
          expect(splits(count, id, read, to)).toMatchObject({ offset: read, first: next, end: count === null ? null : to + 1 })
        }
      }
    }
  })
})

describe('events of a split', () => {
  it('tell where it begins, unless that is at 0: a reader counts from there', () => {
    const harness = generator({ seed: 5, skew: 1 }).open()
    const splits = [encodeSequenceSplit({ id: '1', next: 0, to: 499 }), encodeSequenceSplit({ id: '2', next: 500, to: 999 })]
    ;(harness.operator as { onCoordinatorEvent(event: object): void }).onCoordinatorEvent({ type: 'add-splits', splits })
    expect(harness.eventsOf('SplitAssigned')).toMatchObject([{ split: '1', offset: 0 }, { split: '2', offset: 500, first: 500 }])
    expect(harness.eventsOf('SplitAssigned')[0]).not.toHaveProperty('first')
  })
})
