/** How long it takes from one event of a scenario to another. */
import { expect, it } from 'vitest'
import { judge } from '../../../workers/invariants/scenario-expectations.ts'
import type { RunView } from '../../../workers/invariants/run-view.ts'
import type { Expectation } from '../../../workers/model/scenario-document.ts'

const run = (times: Readonly<Record<string, number>>): RunView =>
  ({ host: 'simulator', events: Object.entries(times).map(([type, at]) => ({ at, body: { type } })) }) as unknown as RunView

const outcomeOf = (times: Readonly<Record<string, number>>, bounds: { readonly atLeast?: string; readonly atMost?: string }): string | undefined => {
  const duration = { from: { type: 'JobStatusChanged' }, to: { type: 'CheckpointCompleted' }, ...bounds }
  return judge([{ duration } as Expectation], run(times))[0]?.outcome
}

it('lies within its bounds', () => {
  const times = { JobStatusChanged: 1000, CheckpointCompleted: 3000 }
  expect(outcomeOf(times, { atMost: '2 ms' })).toBe('met')
  expect(outcomeOf(times, { atMost: '1 ms' })).toBe('failed')
  expect(outcomeOf(times, { atLeast: '3 ms' })).toBe('failed')
})

it('is never negative: an event that came before the other one fails the expectation, whatever the bounds', () => {
  const times = { JobStatusChanged: 3000, CheckpointCompleted: 1000 }
  for (const bounds of [{ atMost: '2 ms' }, { atLeast: '0 ms' }, { atLeast: '0 ms', atMost: '1 d' }]) expect(outcomeOf(times, bounds)).toBe('failed')
})
