import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import { record, redo, startHistory, undo, UNDO_STEPS_MAX } from '../../../src/editor/edit-history.ts'
import * as edit from '../../../src/editor/edit-job.ts'
import { decodeJobLink, encodeJobLink, LINK_BYTES_MAX } from '../../../src/editor/job-link.ts'

const JOB: JobDocument = {
  weir: 'job@1',
  name: 'two',
  operators: [
    { uid: 'in', type: 'log', params: { topic: 't' } },
    { uid: 'out', type: 'print' },
  ],
  edges: [{ from: 'in', to: 'out' }],
}

describe('edits of a job document', () => {
  it('a new operator gets a uid that is free', () => {
    const once = edit.addOperator(JOB, { uid: 'in', type: 'map' })
    const twice = edit.addOperator(once, { uid: 'in', type: 'map' })
    expect(twice.operators.map(({ uid }) => uid)).toEqual(['in', 'out', 'in-2', 'in-3'])
  })

  it('a removed operator takes its edges along', () => {
    const removed = edit.removeOperator(JOB, 'in')
    expect(removed.operators.map(({ uid }) => uid)).toEqual(['out'])
    expect(removed.edges).toEqual([])
  })

  it('edges follow a renamed uid, and a taken uid is refused', () => {
    expect(edit.renameUid(JOB, 'in', 'source').edges).toEqual([{ from: 'source', to: 'out' }])
    expect(edit.renameUid(JOB, 'in', 'out')).toBe(JOB)
  })

  it('two operators are joined once per input', () => {
    const again = edit.connect(JOB, { from: 'in', to: 'out', input: 1 })
    expect(again).toBe(JOB)
    const second = edit.connect(JOB, { from: 'in', to: 'out', input: 2 })
    expect(second.edges.at(-1)).toEqual({ from: 'in', to: 'out', input: 2 })
    expect(edit.disconnect(second, { from: 'in', to: 'out', input: 1 }).edges).toEqual([{ from: 'in', to: 'out', input: 2 }])
  })

  it('key fields belong to a hash edge only', () => {
    const key = { from: 'in', to: 'out', input: 1 }
    const hashed = edit.setShip(JOB, key, 'hash', ['origin'])
    expect(hashed.edges).toEqual([{ from: 'in', to: 'out', ship: 'hash', by: ['origin'] }])
    expect(edit.setShip(hashed, key, 'rebalance', ['origin']).edges).toEqual([{ from: 'in', to: 'out', ship: 'rebalance' }])
    expect(edit.setShip(hashed, key, undefined, []).edges).toEqual(JOB.edges)
    const rated = edit.setLink(hashed, key, 'rate', '64 kb')
    expect(rated.edges).toEqual([{ ...hashed.edges[0], rate: '64 kb' }])
    expect(edit.setShip(rated, key, 'rebalance', []).edges).toEqual([{ from: 'in', to: 'out', ship: 'rebalance', rate: '64 kb' }])
    expect(edit.setLink(rated, key, 'rate', undefined)).toEqual(hashed)
    const late = edit.setLink(rated, key, 'delay', '200 ms')
    expect(late.edges).toEqual([{ ...hashed.edges[0], rate: '64 kb', delay: '200 ms' }])
    expect(edit.setLink(late, key, 'rate', undefined)).toEqual(edit.setLink(hashed, key, 'delay', '200 ms'))
  })

  it('a parameter set to undefined is gone', () => {
    expect(edit.setParam(JOB, 'in', 'topic', undefined).operators[0]?.params).toEqual({})
    expect(edit.setParam(JOB, 'in', 'rate', 5).operators[0]?.params).toEqual({ topic: 't', rate: 5 })
  })

  it('an edit never changes the document that it was given', () => {
    const before = structuredClone(JOB)
    edit.addOperator(JOB, { uid: 'x', type: 'map' })
    edit.removeOperator(JOB, 'in')
    edit.setParam(JOB, 'in', 'topic', 'u')
    edit.setShip(JOB, { from: 'in', to: 'out', input: 1 }, 'broadcast', [])
    edit.setOption(JOB, 'execution.checkpointing.interval', '5 s')
    expect(JOB).toEqual(before)
  })
})

describe('undo and redo', () => {
  const named = (name: string): JobDocument => ({ ...JOB, name })

  it('undo after any edits gives the first document, redo the last', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 20 }), (names) => {
        let history = startHistory(JOB)
        for (const name of names) history = record(history, named(name))
        const last = history.present
        for (let i = 0; i < names.length; i++) history = undo(history)
        expect(history.present).toEqual(JOB)
        for (let i = 0; i < names.length; i++) history = redo(history)
        expect(history.present).toEqual(last)
      }),
    )
  })

  it('edits with one tag are one step', () => {
    let history = record(startHistory(JOB), named('a'), 'name')
    history = record(history, named('ab'), 'name')
    history = record(history, named('abc'), 'name')
    expect(undo(history).present).toBe(JOB)
  })

  it('a new edit forgets what was undone, and the past is bounded', () => {
    let history = undo(record(startHistory(JOB), named('a')))
    history = record(history, named('b'))
    expect(redo(history)).toBe(history)
    for (let i = 0; i < UNDO_STEPS_MAX + 10; i++) history = record(history, named(`n${i}`))
    expect(history.past.length).toBe(UNDO_STEPS_MAX)
  })
})

describe('the job in the link', () => {
  it('a document comes back as it was', () => {
    const hash = encodeJobLink({ ...JOB, name: 'grüße ✓ 😀' })
    expect(hash.ok && decodeJobLink(hash.value)).toEqual({ ok: true, value: { ...JOB, name: 'grüße ✓ 😀' } })
  })

  it('a cut or changed link is a clear error, whatever the damage', () => {
    const hash = encodeJobLink(JOB)
    if (!hash.ok) throw new Error(hash.error)
    fc.assert(
      fc.property(fc.integer({ min: 5, max: hash.value.length - 1 }), (length) => {
        const decoded = decodeJobLink(hash.value.slice(0, length))
        expect(decoded === null || !decoded.ok || typeof decoded.value === 'object').toBe(true)
      }),
    )
    expect(decodeJobLink('#job=%%%')?.ok).toBe(false)
  })

  it('a hash without a job is no job', () => {
    expect(decodeJobLink('#view=state')).toBeNull()
    expect(decodeJobLink('')).toBeNull()
  })

  it('a job too large for a link says so', () => {
    let noise = ''
    let state = 1
    while (noise.length < 2 * LINK_BYTES_MAX) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0
      noise += state.toString(36)
    }
    expect(encodeJobLink({ ...JOB, name: noise }).ok).toBe(false)
  })
})
