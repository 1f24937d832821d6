import { describe, expect, test } from 'vitest'
import { FLIGHTS_DELAY } from '../../../workers/model/builtin-jobs/flights-delay.ts'
import { nextDocument } from '../../../workers/model/next-document.ts'

const uids = (document: typeof FLIGHTS_DELAY) => document.operators.map(({ uid }) => uid)

describe('the document of the next job', () => {
  test('nothing said: the one before; a whole one: that', () => {
    expect(nextDocument(FLIGHTS_DELAY, {})).toBe(FLIGHTS_DELAY)
    const other = { ...FLIGHTS_DELAY, name: 'other' }
    expect(nextDocument(FLIGHTS_DELAY, { job: other })).toBe(other)
    expect(nextDocument(FLIGHTS_DELAY, { job: other, change: { name: 'third' } })).toEqual({ ...other, name: 'third' })
  })

  test('operators are changed, added and taken out by uid, in the order of before', () => {
    const [first, second, third] = uids(FLIGHTS_DELAY) as [string, string, string]
    const changed = nextDocument(FLIGHTS_DELAY, { change: { operators: { [second]: { parallelism: 3 }, [third]: null, more: { type: 'x' } } } })
    expect(uids(changed)).toEqual([first, second, 'more'])
    expect(changed.operators[1]).toEqual({ ...FLIGHTS_DELAY.operators[1], parallelism: 3 })
    expect(changed.operators[2]).toEqual({ uid: 'more', type: 'x' })
    expect(changed.edges).toEqual(FLIGHTS_DELAY.edges)
  })

  test('null removes a field, objects are merged, lists replaced (RFC 7386)', () => {
    const before = { ...FLIGHTS_DELAY, config: { a: '1', b: '2' } }
    const changed = nextDocument(before, { change: { config: { a: null, c: '3' }, edges: [], description: null } })
    expect(changed.config).toEqual({ b: '2', c: '3' })
    expect(changed.edges).toEqual([])
    expect(changed).not.toHaveProperty('description')
    expect(before.config).toEqual({ a: '1', b: '2' })
  })
})
