import { describe, expect, it } from 'vitest'
import { parseDataSet } from '../../../workers/outside/data-set.ts'
import { topicContent, topicContents } from '../../../workers/outside/topics.ts'
import { OutsideHarness } from './outside-harness.ts'

const fetch = (outside: OutsideHarness, partition: number, offset: number, limit = 100, topic = 'numbers') => {
  const result = outside.ask({ type: 'fetch', topic, partition, offset, limit })
  return result.ok ? result.fetched : result.reason
}

describe('a topic', () => {
  const topic = topicContent('numbers', [10, 11, 12, 13, 14], 2)

  it('deals row i to partition i % n in the order of the file', () => {
    expect(topic.partitions).toEqual([[10, 12, 14], [11, 13]])
    expect(topicContent('small', [1], 3).partitions).toEqual([[1], [], []])
  })

  it('gives rows from an offset up to a limit, with the offset of the end', () => {
    const outside = new OutsideHarness([topic])
    expect(fetch(outside, 0, 0, 2)).toEqual({ rows: [10, 12], endOffset: 3 })
    expect(fetch(outside, 0, 2)).toEqual({ rows: [14], endOffset: 3 })
    expect(fetch(outside, 1, 0)).toEqual({ rows: [11, 13], endOffset: 2 })
  })

  it('is unbounded: at its end there are no rows, and no error', () => {
    expect(fetch(new OutsideHarness([topic]), 0, 3)).toEqual({ rows: [], endOffset: 3 })
  })

  it('refuses an offset beyond its end, an unknown partition and an unknown topic', () => {
    const outside = new OutsideHarness([topic])
    expect(fetch(outside, 0, 4)).toBe('OFFSET_OUT_OF_RANGE')
    expect(fetch(outside, 0, -1)).toBe('OFFSET_OUT_OF_RANGE')
    expect(fetch(outside, 2, 0)).toBe('UNKNOWN_TOPIC')
    expect(fetch(outside, 0, 0, 1, 'none')).toBe('UNKNOWN_TOPIC')
  })

  it('grows at its end, and a fetch may span old and new rows', () => {
    const outside = new OutsideHarness([topic])
    outside.send({ type: 'append-to-topic', topic: 'numbers', partition: 1, rows: [15, 17] })
    outside.send({ type: 'append-to-topic', topic: 'numbers', partition: 1, rows: [19] })
    expect(fetch(outside, 1, 1, 2)).toEqual({ rows: [13, 15], endOffset: 5 })
    expect(fetch(outside, 1, 3)).toEqual({ rows: [17, 19], endOffset: 5 })
    expect(fetch(outside, 0, 0, 1)).toEqual({ rows: [10], endOffset: 3 })
  })

  it('can be loaded later', () => {
    const outside = new OutsideHarness()
    expect(fetch(outside, 0, 0)).toBe('UNKNOWN_TOPIC')
    outside.send({ type: 'load-topic', topic })
    expect(fetch(outside, 0, 0, 1)).toEqual({ rows: [10], endOffset: 3 })
  })
})

describe('topics of a document', () => {
  it('take rows of a data set, or their own, bare or not', () => {
    const flights = { name: 'flights-20k', schema: { kind: 'row' as const, fields: [] }, rows: [['a'], ['b'], ['c']] }
    const contents = topicContents(
      [
        { name: 'flights', partitions: 2, data: 'flights-20k' },
        { name: 'words', partitions: 1, rows: ['x', 'y'], schema: { fields: { word: 'String' } } },
        { name: 'listed', partitions: 1, rows: [['x'], 'y'], schema: { kind: 'bare', fields: { word: 'String' } } },
        { name: 'pairs', partitions: 1, rows: [['x', 1]], schema: { kind: 'tuple', fields: { word: 'String', n: 'Int' } } },
        { name: 'singles', partitions: 1, rows: [['x'], 'y'], schema: { kind: 'row', fields: { word: 'String' } } },
        { name: 'empty', partitions: 2 },
      ],
      new Map([['flights-20k', flights]]),
    )
    expect(contents.ok && contents.value.map(({ name, partitions }) => [name, partitions])).toEqual([
      ['flights', [[['a'], ['c']], [['b']]]],
      ['words', [['x', 'y']]],
      ['listed', [['x', 'y']]],
      ['pairs', [[['x', 1]]]],
      ['singles', [[['x'], ['y']]]],
      ['empty', [[], []]],
    ])
  })

  it('name the data set that is missing', () => {
    expect(topicContents([{ name: 't', partitions: 1, data: 'nothing' }], new Map())).toMatchObject({ ok: false, error: expect.stringContaining('"nothing"') })
  })
})

describe('a data set file', () => {
  const fields = ['date', 'delay', 'distance', 'origin', 'destination']
  const row = ['2001/01/01 00:47', 66, 1750, 'DTW', 'LAS']

  it('is taken when it fits the schema', () => {
    expect(parseDataSet('flights-20k', { fields, rows: [row] })).toMatchObject({ ok: true, value: { name: 'flights-20k', rows: [row] } })
  })

  it.each([
    ['an unknown name', 'other', { fields, rows: [] }, /no data set "other"/],
    ['no object', 'flights-20k', null, /expected the fields/],
    ['other fields', 'flights-20k', { fields: ['date'], rows: [] }, /expected the fields date, delay/],
    ['no rows', 'flights-20k', { fields }, /list of rows/],
    ['a short row', 'flights-20k', { fields, rows: [row, row.slice(1)] }, /row 1: expected a list of 5/],
    ['a value of another type', 'flights-20k', { fields, rows: [['x', '66', 1, 'a', 'b']] }, /"66" is not a value of delay \(Int\)/],
    ['an Int that is too large', 'flights-20k', { fields, rows: [['x', 2 ** 31, 1, 'a', 'b']] }, /delay \(Int\)/],
  ])('is refused with %s', (_, name, json, message) => {
    expect(parseDataSet(name, json)).toMatchObject({ ok: false, error: expect.stringMatching(message) })
  })
})
