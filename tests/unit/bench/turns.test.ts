import { expect, test } from 'vitest'
import { CLOCK_MARK, longestTurn, moved, type TraceEvent } from '../../../bench/runner/turns.ts'

/** The page's clock shows 50 ms when the trace shows 1,000 ms. */
const CLOCK = 50
const micros = (pageMillis: number): number => (pageMillis - CLOCK + 1000) * 1000
const mark = (name: string, tid: number, at = CLOCK): TraceEvent => ({ name, cat: 'blink.user_timing', pid: 1, tid, ts: micros(at) })
const turn = (tid: number, from: number, dur: number, tdur: number, pid = 1): TraceEvent => ({ name: 'RunTask', pid, tid, ts: micros(from), dur: dur * 1000, tdur: tdur * 1000 })

const TRACE = [
  mark(CLOCK_MARK, 9),
  mark('Count (1/2)#0', 3),
  mark('Count (2/2)#0', 4),
  turn(3, 100, 2, 2),
  turn(3, 110, 7, 1),
  turn(3, 120, 4, 3),
  turn(3, 200, 90, 80),
  turn(4, 110, 30, 30),
  turn(3, 110, 50, 50, 2),
  { name: 'FunctionCall', pid: 1, tid: 3, ts: micros(112), dur: 60_000 },
  { name: 'RunTask', pid: 1, tid: 3, ts: micros(113) },
]

test('the longest turn of one thread in the stretches, by the wall and by the processor, which may be another one', () => {
  const found = longestTurn(TRACE, 'Count (1/2)#0', CLOCK, [{ from: 99, to: 101 }, { from: 112, to: 121 }])
  expect(found.wall).toBeCloseTo(7)
  expect(found.processor).toBeCloseTo(3)
})

test('a turn counts that began before the stretch or ends after it, and none beside it', () => {
  const within = (from: number, to: number): number => longestTurn(TRACE, 'Count (1/2)#0', CLOCK, [{ from, to }]).wall
  expect(within(116, 121)).toBeCloseTo(7)
  expect(within(118, 121)).toBeCloseTo(4)
  expect(within(118, 201)).toBeCloseTo(90)
})

test('what is not in the trace is told', () => {
  expect(() => longestTurn(TRACE, 'Sink (1/1)#0', CLOCK, [{ from: 0, to: 1000 }])).toThrow('no mark "Sink (1/1)#0"')
  expect(() => longestTurn(TRACE, 'Count (1/2)#0', CLOCK, [{ from: 130, to: 190 }])).toThrow('no turn')
  expect(() => longestTurn(TRACE, 'Count (1/2)#0', CLOCK, [])).toThrow('no checkpoint completed')
})

test('stretches of another run begin when it had come as far, last as long, and end with it', () => {
  const run = { from: 1000, to: 3000 }
  const faster = { from: 500, to: 1500 }
  expect(moved([{ from: 2000, to: 2200 }, { from: 2900, to: 3100 }], run, faster)).toEqual([{ from: 1000, to: 1200 }, { from: 1450, to: 1500 }])
})
