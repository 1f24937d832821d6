import { describe, expect, it } from 'vitest'
import type { Schema, Value } from '../../../workers/model/schema.ts'
import { OperatorHarness } from './operator-harness.ts'

const ROW: Schema = {
  kind: 'row',
  fields: [
    { name: 'key', type: 'String' },
    { name: 'n', type: 'Int' },
    { name: 'x', type: 'Double' },
    { name: 'part', type: 'Int' },
  ],
}

const aggregate = (aggregates: readonly object[], keys: readonly string[] = ['key'], input = ROW) =>
  new OperatorHarness({ type: 'aggregate', params: { aggregates }, inputs: [input], keyFields: [keys] }).open()

const entries = (harness: OperatorHarness) => Object.fromEntries([...(harness.keyed?.entries() ?? [])].map(({ key, value }) => [String(key), value]))

describe('a keyed aggregate', () => {
  it('emits the updated row after each record', () => {
    const harness = aggregate([{ fn: 'count', as: 'c' }, { fn: 'sum', field: 'n', as: 's' }, { fn: 'min', field: 'n', as: 'lo' }, { fn: 'max', field: 'n', as: 'hi' }])
    for (const row of [['a', 5, 0, 1], ['b', -2, 0, 1], ['a', -7, 0, 1], ['a', 3, 0, 1]] as const) harness.feed(row)
    expect(harness.emitted).toEqual([
      ['a', 1, 5, 5, 5],
      ['b', 1, -2, -2, -2],
      ['a', 2, -2, -7, 5],
      ['a', 3, 1, -7, 5],
    ])
    expect(entries(harness)).toEqual({ a: [3, 1, -7, 5], b: [1, -2, -2, -2] })
    expect(harness.changes.at(-1)).toEqual({ state: 'aggregate', value: [3, 1, -7, 5] })
  })

  it('keeps one figure as a bare value', () => {
    const harness = aggregate([{ fn: 'count', as: 'c' }])
    harness.feed(['a', 1, 1, 1])
    harness.feed(['a', 1, 1, 1])
    expect(harness.emitted).toEqual([['a', 1], ['a', 2]])
    expect(entries(harness)).toEqual({ a: 2 })
  })

  it('computes a mean of a sum and a count, which it shares with others', () => {
    const harness = aggregate([{ fn: 'mean', field: 'n', as: 'm' }, { fn: 'sum', field: 'n', as: 's' }, { fn: 'count', as: 'c' }])
    harness.feed(['a', 1, 0, 0])
    harness.feed(['a', 2, 0, 0])
    expect(harness.emitted).toEqual([['a', 1, 1, 1], ['a', 1.5, 3, 2]])
    expect(entries(harness)).toEqual({ a: [3, 2] })
  })

  it('adds Doubles as Java does', () => {
    const harness = aggregate([{ fn: 'sum', field: 'x', as: 's' }])
    for (const x of [0.1, 0.2]) harness.feed(['a', 0, x, 0])
    expect(harness.emitted.at(-1)).toEqual(['a', 0.1 + 0.2])
  })

  it('with a key of two fields puts both first', () => {
    const harness = aggregate([{ fn: 'count', as: 'c' }], ['part', 'key'])
    harness.feed(['a', 1, 1, 3])
    expect(harness.emitted).toEqual([[3, 'a', 1]])
  })

  it('fails the job where a sum leaves 2^53, naming operator, state and key', () => {
    const input: Schema = { kind: 'row', fields: [{ name: 'key', type: 'String' }, { name: 'n', type: 'Long' }] }
    const harness = aggregate([{ fn: 'sum', field: 'n', as: 's' }, { fn: 'count', as: 'c' }], ['key'], input)
    harness.feed(['a', Number.MAX_SAFE_INTEGER])
    harness.feed(['a', 1])
    expect(harness.failure?.nonRecoverable).toBe(true)
    for (const piece of ['Operator', '"aggregate"', '"a"', 'refused']) expect(harness.failure?.message).toContain(piece)
    expect(entries(harness)).toEqual({ a: [Number.MAX_SAFE_INTEGER, 1] })
    expect(harness.emitted).toHaveLength(1)
  })
})

describe('a keyed process with a count', () => {
  it('emits after every so many records of a key', () => {
    const harness = new OperatorHarness({ type: 'process-count', params: { emitEvery: 2 }, inputs: [ROW], keyFields: [['key']] }).open()
    for (const key of ['a', 'b', 'a', 'a', 'a', 'b']) harness.feed([key, 0, 0, 0])
    expect(harness.emitted).toEqual([['a', 2], ['a', 4], ['b', 2]])
    expect(entries(harness)).toEqual({ a: 4, b: 2 })
  })
})

describe('a connect', () => {
  const RIGHT: Schema = { kind: 'row', fields: [{ name: 'city', type: 'String' }, { name: 'key', type: 'String' }, { name: 'size', type: 'Long' }] }
  const connect = (params: object = {}) => new OperatorHarness({ type: 'connect', params: { ...params }, inputs: [ROW, RIGHT], keyFields: [['key'], ['key']] }).open()
  const left: Value = ['a', 1, 0, 0]

  it('adds the latest of input 2 to the records of input 1', () => {
    const harness = connect()
    harness.feed(['Oslo', 'a', 7], 1)
    harness.feed(left)
    harness.feed(['Rome', 'a', 9], 1)
    harness.feed(left)
    expect(harness.emitted).toEqual([['a', 1, 0, 0, 'Oslo', 7], ['a', 1, 0, 0, 'Rome', 9]])
    expect(entries(harness)).toEqual({ a: ['Rome', 'a', 9] })
    expect(harness.description.output?.fields.map((field) => field.name)).toEqual(['key', 'n', 'x', 'part', 'city', 'size'])
  })

  it('drops a record of input 1 without a match, or fills it up', () => {
    const dropping = connect()
    dropping.feed(left)
    expect(dropping.emitted).toEqual([])
    const filling = connect({ unmatched: 'defaults' })
    filling.feed(left)
    expect(filling.emitted).toEqual([['a', 1, 0, 0, '', 0]])
  })

  it('never matches across keys', () => {
    const harness = connect()
    harness.feed(['Oslo', 'b', 7], 1)
    harness.feed(left)
    expect(harness.emitted).toEqual([])
  })
})
