/** The order of events, and what all subtasks of an operator tell together. */
import { describe, expect, it } from 'vitest'
import { judge } from '../../../workers/invariants/scenario-expectations.ts'
import type { RunView } from '../../../workers/invariants/run-view.ts'
import type { EventPattern, Expectation } from '../../../workers/model/scenario-document.ts'

const run = (bodies: readonly object[]): RunView =>
  ({ host: 'simulator', events: bodies.map((body) => ({ at: 7, body })), vertexOf: (uid: string) => uid }) as unknown as RunView

describe('an order of events', () => {
  const committed = (transaction: string): object => ({ type: 'TransactionCommitted', transaction })
  const pattern = (transaction?: string, count?: number): EventPattern => ({
    type: 'TransactionCommitted', ...(transaction === undefined ? {} : { where: { transaction } }), ...(count === undefined ? {} : { count }),
  })
  const outcomeOf = (bodies: readonly object[], order: readonly EventPattern[]): string | undefined => judge([{ order }], run(bodies))[0]?.outcome

  it('is that of the log, also at one moment', () => {
    const order = [pattern('a'), pattern('b')]
    expect(outcomeOf([committed('a'), committed('b')], order)).toBe('met')
    expect(outcomeOf([committed('b'), committed('a')], order)).toBe('failed')
    expect(outcomeOf([committed('b'), committed('a'), committed('b')], order)).toBe('met')
  })

  it('takes no event twice, and counts from the one before on', () => {
    expect(outcomeOf([committed('a')], [pattern(), pattern()])).toBe('failed')
    expect(outcomeOf([committed('a'), committed('a')], [pattern(), pattern()])).toBe('met')
    expect(outcomeOf([committed('a'), committed('b'), committed('b')], [pattern('a'), pattern('b', 2)])).toBe('met')
    expect(outcomeOf([committed('b'), committed('a'), committed('b')], [pattern('a'), pattern('b', 2)])).toBe('failed')
  })
})

it('in-flight bytes of all subtasks together have bounds of their own', () => {
  const acknowledged = (subtask: number, persistedBytes: number): object => ({ type: 'CheckpointAcknowledged', checkpointId: 1, vertex: 'x', subtask, metrics: { persistedBytes } })
  const view = run([{ type: 'CheckpointTriggered', checkpointId: 1 }, acknowledged(0, 30), acknowledged(1, 12)])
  const outcomeOf = (bounds: object): string | undefined => judge([{ figures: { checkpoint: 1, uid: 'x', persistedInAll: bounds } } as Expectation], view)[0]?.outcome
  expect(outcomeOf({ atLeast: 42, atMost: 42 })).toBe('met')
  expect(outcomeOf({ atLeast: 43 })).toBe('failed')
  expect(outcomeOf({ atMost: 41 })).toBe('failed')
})
