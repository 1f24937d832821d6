import { describe, expect, it } from 'vitest'
import { OutsideHarness } from './outside-harness.ts'

const committed = (outside: OutsideHarness) => outside.world.view('out').committed
const uncommitted = (outside: OutsideHarness) => outside.world.view('out').uncommitted

describe('transactions of a sink', () => {
  it('show their rows to a read-committed reader when they commit, not before', () => {
    const outside = new OutsideHarness()
    outside.begin('t1')
    outside.write('t1', 'a', 'b')
    expect([committed(outside), uncommitted(outside)]).toEqual([[], ['a', 'b']])
    outside.preCommit('t1')
    expect(committed(outside)).toEqual([])
    expect(outside.commit('t1')).toBe('ok')
    expect(committed(outside)).toEqual(['a', 'b'])
  })

  it('appear in the order of their commits to one reader, in the order of writing to the other', () => {
    const outside = new OutsideHarness()
    outside.begin('t1')
    outside.begin('t2')
    outside.write('t1', 1)
    outside.write('t2', 2)
    outside.write('t1', 3)
    outside.preCommit('t1')
    outside.preCommit('t2')
    outside.commit('t2')
    outside.commit('t1')
    expect(committed(outside)).toEqual([2, 1, 3])
    expect(uncommitted(outside)).toEqual([1, 2, 3])
  })

  it('never show aborted rows to a read-committed reader, as a Kafka log still shows them to the other', () => {
    const outside = new OutsideHarness()
    outside.begin('t1')
    outside.write('t1', 'gone')
    expect(outside.abort('t1')).toBe('ok')
    expect([committed(outside), uncommitted(outside)]).toEqual([[], ['gone']])
  })

  it('commit idempotently by id', () => {
    const outside = new OutsideHarness()
    outside.begin('t1')
    outside.write('t1', 'a')
    outside.preCommit('t1')
    expect([outside.commit('t1'), outside.commit('t1'), outside.commit('t1')]).toEqual(['ok', 'ok', 'ok'])
    expect(committed(outside)).toEqual(['a'])
  })

  it('pre-commit and abort idempotently; aborting an unknown one succeeds', () => {
    const outside = new OutsideHarness()
    outside.begin('t1')
    expect([outside.preCommit('t1'), outside.preCommit('t1')]).toEqual(['ok', 'ok'])
    expect([outside.abort('t1'), outside.abort('t1'), outside.abort('never')]).toEqual(['ok', 'ok', 'ok'])
  })

  it('can be aborted after pre-commit', () => {
    const outside = new OutsideHarness()
    outside.begin('t1')
    outside.write('t1', 'a')
    outside.preCommit('t1')
    outside.abort('t1')
    expect(outside.commit('t1')).toBe('TRANSACTION_ABORTED')
    expect(committed(outside)).toEqual([])
  })

  it('refuse what does not fit their state, and stay as they were', () => {
    const outside = new OutsideHarness()
    expect([outside.write('none', 'x'), outside.preCommit('none'), outside.commit('none')]).toEqual(Array(3).fill('UNKNOWN_TRANSACTION'))
    outside.begin('open')
    expect(outside.commit('open')).toBe('INVALID_TXN_STATE')
    outside.begin('sealed')
    outside.preCommit('sealed')
    expect(outside.write('sealed', 'x')).toBe('INVALID_TXN_STATE')
    outside.begin('done')
    outside.preCommit('done')
    outside.commit('done')
    expect([outside.write('done', 'x'), outside.preCommit('done'), outside.abort('done')]).toEqual(Array(3).fill('INVALID_TXN_STATE'))
    outside.begin('gone')
    outside.abort('gone')
    expect([outside.write('gone', 'x'), outside.preCommit('gone'), outside.commit('gone')]).toEqual(Array(3).fill('TRANSACTION_ABORTED'))
    expect(outside.states()).toEqual({ open: 'OPEN', sealed: 'PRE_COMMITTED', done: 'COMMITTED', gone: 'ABORTED' })
    expect([committed(outside), uncommitted(outside)]).toEqual([[], []])
  })

  it('begin once per id; a repeated request for an empty open one succeeds', () => {
    const outside = new OutsideHarness()
    expect([outside.begin('t1'), outside.begin('t1')]).toEqual(['ok', 'ok'])
    outside.write('t1', 'a')
    expect(outside.begin('t1')).toBe('INVALID_TXN_STATE')
    outside.abort('t1')
    expect(outside.begin('t1')).toBe('TRANSACTION_ABORTED')
  })

  it('belong to their sink: the same id elsewhere is another transaction', () => {
    const outside = new OutsideHarness()
    outside.begin('t1')
    expect(outside.outcome({ type: 'write', sink: 'other', transaction: 't1', rows: ['x'] })).toBe('UNKNOWN_TRANSACTION')
  })
})

describe('the timeout of a transaction', () => {
  it('aborts an open one in engine time, and says so', () => {
    const outside = new OutsideHarness()
    outside.now = 100
    outside.begin('t1', 1000)
    outside.write('t1', 'a')
    outside.advanceTo(1099)
    expect(outside.states()).toEqual({ t1: 'OPEN' })
    outside.advanceTo(1100)
    expect(outside.states()).toEqual({ t1: 'ABORTED' })
    expect(outside.events).toEqual([{ type: 'TransactionTimedOut', sink: 'out', transaction: 't1' }])
    expect(outside.write('t1', 'b')).toBe('TRANSACTION_ABORTED')
  })

  it('aborts what was pre-committed and left behind: its commit then comes too late', () => {
    const outside = new OutsideHarness()
    outside.begin('t1', 1000)
    outside.write('t1', 'a')
    outside.preCommit('t1')
    outside.advanceTo(1000)
    expect(outside.commit('t1')).toBe('TRANSACTION_ABORTED')
    expect(committed(outside)).toEqual([])
  })

  it('does not touch what has ended, and clears its timer', () => {
    const outside = new OutsideHarness()
    outside.begin('t1', 1000)
    outside.preCommit('t1')
    outside.commit('t1')
    expect(outside.timers.size).toBe(0)
    outside.advanceTo(5000)
    expect(outside.states()).toEqual({ t1: 'COMMITTED' })
    expect(outside.events).toEqual([])
  })

  it('comes for each at its own time', () => {
    const outside = new OutsideHarness()
    outside.begin('late', 3000)
    outside.begin('early', 1000)
    outside.advanceTo(1000)
    expect(outside.states()).toEqual({ late: 'OPEN', early: 'ABORTED' })
    outside.advanceTo(3000)
    expect(outside.states()).toEqual({ late: 'ABORTED', early: 'ABORTED' })
  })

  it('goes on while the system is unavailable', () => {
    const outside = new OutsideHarness()
    outside.begin('t1', 1000)
    outside.send({ type: 'fault', fault: { kind: 'unavailable', durationMicros: 5000 } })
    outside.advanceTo(1000)
    expect(outside.states()).toEqual({ t1: 'ABORTED' })
  })
})

describe('rows outside transactions', () => {
  it('are visible at once', () => {
    const outside = new OutsideHarness()
    outside.begin('t1')
    outside.write('t1', 'a')
    outside.outcome({ type: 'append', sink: 'out', rows: ['b'], upsertBy: null })
    expect([committed(outside), uncommitted(outside)]).toEqual([['b'], ['a', 'b']])
  })

  it('replace those of the same key with upsert, of its type, and keep their place', () => {
    const outside = new OutsideHarness()
    const upsert = (rows: [string | number, number][]) => outside.outcome({ type: 'append', sink: 'out', rows, upsertBy: 0 })
    upsert([['a', 1], ['b', 1], ['1', 1]])
    upsert([['a', 2], [1, 9]])
    expect(committed(outside)).toEqual([['a', 2], ['b', 1], ['1', 1], [1, 9]])
    expect(outside.world.view('out')).toMatchObject({ committedTotal: 4, uncommittedTotal: 4 })
  })
})

describe('views of a sink', () => {
  it('of an unknown sink are empty', () => {
    expect(new OutsideHarness().world.view('none')).toMatchObject({ committed: [], uncommitted: [], committedTotal: 0, transactions: [] })
  })

  it('give the newest rows up to a limit, and totals of all', () => {
    const outside = new OutsideHarness()
    for (let i = 0; i < 5; i++) outside.outcome({ type: 'append', sink: 'out', rows: [i, i + 0.5], upsertBy: null })
    expect(outside.world.view('out', 3)).toMatchObject({ committed: [3.5, 4, 4.5], uncommitted: [3.5, 4, 4.5], committedTotal: 10, uncommittedTotal: 10 })
    expect(outside.world.view('out', 0)).toMatchObject({ committed: [], committedTotal: 10 })
  })

  it('limit the ended transactions, never the pending ones', () => {
    const outside = new OutsideHarness()
    for (const id of ['p1', 'e1', 'p2', 'e2', 'e3']) outside.begin(id)
    for (const id of ['e1', 'e2', 'e3']) outside.abort(id)
    expect(outside.world.view('out', 2).transactions.map(({ id }) => id)).toEqual(['p1', 'p2', 'e2', 'e3'])
    expect(outside.world.view('out').transactions).toHaveLength(5)
  })
})
