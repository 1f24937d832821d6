import { describe, expect, it } from 'vitest'
import type { Schema, Value } from '../../../workers/model/schema.ts'
import { BATCH_ROWS } from '../../../workers/operators/sinks/row-writer.ts'
import { decodeTransactionState, TRANSACTION_STATE } from '../../../workers/operators/sinks/transaction-state.ts'
import { Outside, OperatorHarness } from './operator-harness.ts'

const ROW: Schema = { kind: 'row', fields: [{ name: 'key', type: 'String' }, { name: 'n', type: 'Int' }] }
const row = (n: number): Value => ['k', n]
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => row(from + i))

const create = (world: Outside, attemptNumber = 0) => new OperatorHarness({ type: 'two-phase-commit', inputs: [ROW], attemptNumber }, world)

function opened(world: Outside): OperatorHarness {
  const harness = create(world).open()
  harness.answerAll()
  return harness
}

function feedAll(harness: OperatorHarness, values: readonly Value[]): void {
  for (const value of values) {
    while (harness.operator.isWaiting()) if (!harness.answer()) throw new Error('waits for nothing')
    harness.feed(value)
  }
}

const complete = (harness: OperatorHarness, checkpointId: number) => {
  harness.operator.notifyCheckpointComplete(checkpointId)
  harness.answerAll()
}

const transactions = (world: Outside) => world.world.view('op').transactions.map(({ state, rows: count }) => `${state} ${count}`)
const types = (harness: OperatorHarness) => harness.events.map((event) => event.type.replace('Transaction', ''))

describe('a two-phase-commit sink', () => {
  it('has one open transaction from the start, and takes no record before', () => {
    const world = new Outside()
    const harness = create(world).open()
    expect(harness.operator.isWaiting()).toBe(true)
    harness.answerAll()
    expect(harness.operator.isWaiting()).toBe(false)
    expect(transactions(world)).toEqual(['OPEN 0'])
    expect(harness.operator.report().transactions).toMatchObject([{ rows: 0, state: 'open' }])
  })

  it('commits with the checkpoint: pre-commit in the synchronous part, commit when notified', () => {
    const world = new Outside()
    const harness = opened(world)
    feedAll(harness, rows(0, 3))
    harness.operator.snapshotState(1)
    expect(harness.operator.isWaiting()).toBe(true)
    harness.answerAll()
    expect(harness.operator.isWaiting()).toBe(false)
    expect(transactions(world)).toEqual(['PRE_COMMITTED 3', 'OPEN 0'])
    expect(world.committed()).toEqual([])
    expect(world.uncommitted()).toEqual(rows(0, 3))
    complete(harness, 1)
    expect(world.committed()).toEqual(rows(0, 3))
    expect(types(harness)).toEqual(['Begun', 'PreCommitted', 'Begun', 'Committed'])
    expect(harness.events[1]).toMatchObject({ rows: 3 })
  })

  it('keeps 1024 transactions that wait for a completed checkpoint, commits them all with the next one, and fails in words beyond', () => {
    const world = new Outside()
    const harness = opened(world)
    const snapshot = (checkpointId: number) => {
      harness.operator.snapshotState(checkpointId)
      harness.answerAll()
    }
    for (let id = 1; id <= 1024; id++) snapshot(id)
    expect(() => snapshot(1025)).toThrow('1024 transactions wait for a completed checkpoint')
    complete(harness, 1024)
    expect(types(harness).filter((type) => type === 'Committed')).toHaveLength(1024)
    snapshot(1025)
    expect(harness.operator.report().transactions).toHaveLength(2)
  })

  it('pre-commits only after every row has been answered', () => {
    const world = new Outside()
    const harness = opened(world)
    feedAll(harness, rows(0, BATCH_ROWS * 2 + 10))
    harness.operator.snapshotState(1)
    const asked: string[] = []
    while (harness.requests.length > 0) {
      asked.push(...harness.requests.map(({ op }) => op.type))
      harness.answer()
    }
    expect(asked.lastIndexOf('write')).toBeLessThan(asked.indexOf('pre-commit'))
    expect(transactions(world)).toEqual([`PRE_COMMITTED ${BATCH_ROWS * 2 + 10}`, 'OPEN 0'])
  })

  it('shows rows to uncommitted readers when their linger time is over', () => {
    const world = new Outside()
    const harness = opened(world)
    feedAll(harness, rows(0, 2))
    harness.fireTimer()
    harness.answerAll()
    expect(world.uncommitted()).toEqual(rows(0, 2))
  })

  it('commits what an aborted checkpoint left behind with the next one, oldest first', () => {
    const world = new Outside()
    const harness = opened(world)
    feedAll(harness, rows(0, 2))
    harness.checkpoint(1)
    harness.operator.notifyCheckpointAborted(1)
    feedAll(harness, rows(2, 4))
    harness.checkpoint(2)
    feedAll(harness, rows(4, 6))
    harness.checkpoint(3)
    complete(harness, 2)
    expect(world.committed()).toEqual(rows(0, 4))
    expect(transactions(world)).toEqual(['COMMITTED 2', 'COMMITTED 2', 'PRE_COMMITTED 2', 'OPEN 0'])
    complete(harness, 3)
    expect(world.committed()).toEqual(rows(0, 6))
  })

  it('waits while it commits, and goes on as a copy of itself', () => {
    const world = new Outside()
    const harness = opened(world)
    feedAll(harness, rows(0, 2))
    harness.checkpoint(1)
    harness.operator.notifyCheckpointComplete(1)
    harness.becomeCopy()
    expect(harness.operator.isWaiting()).toBe(true)
    harness.answerAll()
    expect(world.committed()).toEqual(rows(0, 2))
  })

  it('fails the task after all commits were tried, if one failed', () => {
    const world = new Outside()
    const harness = opened(world)
    feedAll(harness, rows(0, 1))
    harness.checkpoint(1)
    feedAll(harness, rows(1, 2))
    harness.checkpoint(2)
    harness.operator.notifyCheckpointComplete(2)
    harness.answer({ ok: false, reason: 'TRANSACTION_ABORTED', message: 'it has timed out' })
    expect(harness.failure).toBeNull()
    harness.answer()
    expect(harness.failure?.message).toContain('could not commit transaction')
    expect(harness.failure?.message).toContain('with 1 rows: it has timed out')
    expect(world.committed()).toEqual(rows(1, 2))
  })

  it.each(['write', 'pre-commit', 'begin'])('fails the task where a %s fails', (step) => {
    const world = new Outside()
    const harness = opened(world)
    feedAll(harness, rows(0, 1))
    harness.operator.snapshotState(1)
    for (let i = 0; i < 10 && harness.requests.length > 0; i++) {
      const failing = harness.requests[0]?.op.type === step
      harness.answer(failing ? { ok: false, reason: 'UNAVAILABLE', message: 'gone' } : undefined)
      if (failing) break
    }
    expect(harness.failure?.message).toContain(`could not ${step} transaction`)
  })

  it('asks for the transaction timeout in engine time', () => {
    const world = new Outside()
    new OperatorHarness({ type: 'two-phase-commit', inputs: [ROW], params: { transactionTimeout: '90 s' } }, world).open().answerAll()
    create(world, 1).open().answerAll()
    expect(world.asked.map((op) => (op.type === 'begin' ? op.timeoutMicros : 0))).toEqual([90_000_000, 900_000_000])
  })

  it('never uses an id twice: neither in another attempt nor in another subtask', () => {
    const ids = new Set<string>()
    for (const attemptNumber of [0, 1]) {
      for (const subtask of [0, 1]) {
        const world = new Outside()
        const harness = new OperatorHarness({ type: 'two-phase-commit', inputs: [ROW], attemptNumber, subtask }, world).open()
        harness.answerAll()
        harness.checkpoint(1)
        for (const { id } of world.world.view('op').transactions) ids.add(id)
      }
    }
    expect(ids.size).toBe(8)
  })
})

describe('after a restore a two-phase-commit sink', () => {
  it('commits what was pending, aborts what was current at the snapshot, begins a new one', () => {
    const world = new Outside()
    const first = opened(world)
    feedAll(first, rows(0, 3))
    const state = first.checkpoint(1, TRANSACTION_STATE)
    feedAll(first, rows(3, 5))
    first.fireTimer()
    first.answerAll()
    // The checkpoint is complete, and the task dies before it hears of it.
    const second = create(world, 1).restoreFrom(state).open(1)
    expect(second.operator.isWaiting()).toBe(true)
    second.answerAll()
    expect(transactions(world)).toEqual(['COMMITTED 3', 'ABORTED 2', 'OPEN 0'])
    expect(types(second)).toEqual(['Committed', 'Aborted', 'Begun'])
    feedAll(second, rows(3, 5))
    second.checkpoint(2)
    complete(second, 2)
    expect(world.committed()).toEqual(rows(0, 5))
  })

  it('commits again what was committed already', () => {
    const world = new Outside()
    const first = opened(world)
    feedAll(first, rows(0, 3))
    const state = first.checkpoint(1, TRANSACTION_STATE)
    complete(first, 1)
    const second = create(world, 1).restoreFrom(state).open(1)
    second.answerAll()
    expect(second.failure).toBeNull()
    expect(world.committed()).toEqual(rows(0, 3))
  })

  it('leaves a transaction of a checkpoint that never completed to its timeout', () => {
    const world = new Outside()
    const first = opened(world)
    const state = first.checkpoint(1, TRANSACTION_STATE)
    complete(first, 1)
    first.checkpoint(2)
    feedAll(first, rows(0, 2))
    first.checkpoint(3)
    const second = create(world, 1).restoreFrom(state).open(1)
    second.answerAll()
    expect(transactions(world)).toContain('PRE_COMMITTED 2')
    expect(world.committed()).toEqual([])
  })

  it('fails where the pending transaction has timed out: its rows are lost', () => {
    const world = new Outside()
    const first = opened(world)
    feedAll(first, rows(0, 2))
    const state = first.checkpoint(1, TRANSACTION_STATE)
    const pending = world.world.view('op').transactions[0]?.id ?? ''
    world.handle({ type: 'fault', fault: { kind: 'abort-transaction', sink: 'op', transaction: pending } })
    const second = create(world, 1).restoreFrom(state).open(1)
    second.answerAll()
    expect(second.failure?.message).toContain(`could not commit transaction ${pending} with 2 rows`)
  })
})

describe('a two-phase-commit sink whose snapshot is of another outside world', () => {
  it('goes on where a restored transaction is not known: it is told with its rows, the others are committed', () => {
    const [there, here] = [new Outside(), new Outside()]
    const first = opened(there)
    feedAll(first, rows(0, 3))
    const state = first.checkpoint(1, TRANSACTION_STATE)
    const second = create(here, 1).restoreFrom(state).open(1)
    second.answerAll()
    expect(second.failure).toBeNull()
    expect(types(second)).toEqual(['Unknown', 'Aborted', 'Begun'])
    expect(second.events[0]).toMatchObject({ rows: 3 })
    feedAll(second, rows(3, 5))
    second.checkpoint(2)
    complete(second, 2)
    expect(here.committed()).toEqual(rows(3, 5))
  })

  it('still fails where a transaction of its own is not known when it is to be committed', () => {
    const world = new Outside()
    const harness = opened(world)
    harness.checkpoint(1)
    harness.operator.notifyCheckpointComplete(1)
    const asked = harness.requests.find(({ op }) => op.type === 'commit')
    harness.operator.onOutsideReply(asked?.id ?? -1, { ok: false, reason: 'UNKNOWN_TRANSACTION', message: 'gone' })
    expect(harness.failure?.message).toContain('could not commit transaction')
  })
})

describe('at the end of the data a two-phase-commit sink', () => {
  it('has its tail committed by the final checkpoint, and begins no further transaction', () => {
    const world = new Outside()
    const harness = opened(world)
    feedAll(harness, rows(0, 2))
    harness.operator.finish()
    harness.answerAll()
    const state = harness.checkpoint(1, TRANSACTION_STATE)
    expect(decodeTransactionState((state.get(TRANSACTION_STATE) as readonly Uint8Array[])[0] as Uint8Array)).toMatchObject({ current: null, pending: [{ rows: 2 }] })
    complete(harness, 1)
    expect(transactions(world)).toEqual(['COMMITTED 2'])
    harness.checkpoint(2)
    harness.operator.close()
    expect(harness.requests).toEqual([])
  })

  it('aborts its open transaction when it is closed', () => {
    const world = new Outside()
    const harness = opened(world)
    feedAll(harness, rows(0, 2))
    harness.operator.close()
    harness.answerAll()
    expect(transactions(world)).toEqual(['ABORTED 0'])
  })
})
