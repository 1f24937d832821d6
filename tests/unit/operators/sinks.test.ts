import { describe, expect, it } from 'vitest'
import type { Schema, Value } from '../../../workers/model/schema.ts'
import { BATCH_ROWS, UNANSWERED_MAX } from '../../../workers/operators/sinks/row-writer.ts'
import { Outside, OperatorHarness } from './operator-harness.ts'

const ROW: Schema = { kind: 'row', fields: [{ name: 'key', type: 'String' }, { name: 'n', type: 'Int' }] }
const row = (n: number): Value => [`k${n % 3}`, n]
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => row(from + i))

const sink = (type: string, world: Outside, params: object = {}) => new OperatorHarness({ type, params: { ...params }, inputs: [ROW] }, world).open()

describe('a plain sink', () => {
  it('writes a batch when its linger time is over', () => {
    const world = new Outside()
    const harness = sink('print', world)
    harness.feed(row(0))
    harness.feed(row(1))
    expect(harness.requests).toEqual([])
    harness.fireTimer()
    harness.answerAll()
    expect(world.committed()).toEqual(rows(0, 2))
  })

  it('writes a full batch at once, and waits when too many are unanswered', () => {
    const harness = sink('print', new Outside())
    let fed = 0
    while (!harness.operator.isWaiting()) {
      harness.feed(row(fed++))
      expect(fed).toBeLessThan(10_000)
    }
    expect(fed).toBe(BATCH_ROWS * (UNANSWERED_MAX + 1))
    expect(harness.requests).toHaveLength(UNANSWERED_MAX)
    harness.answer()
    expect(harness.operator.isWaiting()).toBe(false)
    expect(harness.requests).toHaveLength(UNANSWERED_MAX)
  })

  it('writes a batch whose linger time ended while too many were unanswered', () => {
    const world = new Outside()
    const harness = sink('print', world)
    for (const value of rows(0, BATCH_ROWS * UNANSWERED_MAX + 1)) harness.feed(value)
    harness.fireTimer()
    expect(harness.requests).toHaveLength(UNANSWERED_MAX)
    harness.answerAll()
    expect(world.committed()).toHaveLength(BATCH_ROWS * UNANSWERED_MAX + 1)
  })

  it('has everything written and answered before the synchronous part ends', () => {
    const world = new Outside()
    const harness = sink('print', world)
    for (const value of rows(0, 600)) harness.feed(value)
    harness.operator.snapshotState(1)
    expect(harness.operator.isWaiting()).toBe(true)
    harness.answerAll()
    expect(harness.operator.isWaiting()).toBe(false)
    expect(world.committed()).toEqual(rows(0, 600))
  })

  it('flushes at the end', () => {
    const world = new Outside()
    const harness = sink('print', world)
    harness.feed(row(7))
    harness.operator.finish()
    expect(harness.operator.isWaiting()).toBe(true)
    harness.answerAll()
    expect(world.committed()).toEqual([row(7)])
    expect(harness.operator.isWaiting()).toBe(false)
  })

  it('counts and writes nothing when it discards', () => {
    const harness = sink('print', new Outside(), { discard: true })
    for (const value of rows(0, 5000)) harness.feed(value)
    harness.operator.snapshotState(1)
    expect(harness.requests).toEqual([])
    expect(harness.operator.isWaiting()).toBe(false)
    expect(harness.operator).toMatchObject({ rows: 5000 })
  })

  it('fails the task with a clear message where the outside world does', () => {
    const harness = sink('print', new Outside())
    harness.feed(row(0))
    harness.fireTimer()
    harness.answer({ ok: false, reason: 'UNAVAILABLE', message: 'the external system is unavailable' })
    expect(harness.failure?.message).toBe('Operator: writing to sink op failed: the external system is unavailable')
  })
})

describe('an upsert sink', () => {
  it('writes each row over the earlier one of its key', () => {
    const world = new Outside()
    const harness = sink('upsert', world, { by: 'key' })
    for (const value of rows(0, 7)) harness.feed(value)
    harness.fireTimer()
    harness.answerAll()
    expect([...world.committed()].sort()).toEqual([row(6), row(4), row(5)].sort())
    expect(world.asked).toMatchObject([{ type: 'append', upsertBy: 0 }])
  })
})
