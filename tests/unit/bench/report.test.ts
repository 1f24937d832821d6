import { expect, test } from 'vitest'
import { BENCHMARKS, checkGoals, listed, NAMES } from '../../../bench/runner/benchmarks.ts'
import { GOALS } from '../../../bench/runner/goals.ts'
import { EMPTY_REPORT, isTaken, markdown, parseReport, rowsOf, withEntry, type Entry } from '../../../bench/runner/report.ts'
import { ratioRow, type Row } from '../../../bench/runner/row.ts'

const row = (what: string, goal = GOALS.wordCount as Row['goal']): Row => ratioRow({ what, ours: [9], theirs: [10], show: String, ...(goal === null ? {} : { goal }) })
const entry = (name: string, further: Partial<Entry> = {}): Entry => ({
  name,
  rounds: 8,
  share: 1,
  takenAt: '2026-01-02T03:04:05.678Z',
  seconds: 61.4,
  load: [0.5, 1.25, 2],
  machine: { cores: 2, processor: 'Some', memoryGiB: 15.6, system: 'Linux 6', chromium: '150.0', node: '20.19.0', commit: 'abc' },
  rows: [row(name)],
  ...further,
})
const NAMED = ['first', 'second', 'third']

test('an entry replaces the one of its name and stands in the order of the benchmarks', () => {
  const both = withEntry(withEntry(EMPTY_REPORT, entry('third'), NAMED), entry('first'), NAMED)
  expect(both.entries.map(({ name }) => name)).toEqual(['first', 'third'])
  const again = withEntry(both, entry('third', { rounds: 3 }), NAMED)
  expect(again.entries.map(({ name, rounds }) => [name, rounds])).toEqual([['first', 8], ['third', 3]])
  expect(rowsOf(again).map(({ what }) => what)).toEqual(['first', 'third'])
})

test('a report is read as it was written; anything else is not touched', () => {
  const report = withEntry(EMPTY_REPORT, entry('first'), NAMED)
  expect(parseReport(JSON.stringify(report))).toEqual(report)
  expect(() => parseReport('{"entries":[]}')).toThrow('this is no report of the form weir-bench@1')
  expect(() => parseReport('null')).toThrow('this is no report')
})

test.each([
  { asked: {}, is: true },
  { asked: { rounds: 3 }, is: true },
  { asked: { rounds: 9 }, is: false },
  { asked: { commit: 'def' }, is: false },
])('a run of 8 rounds at abc tells all that $asked asks: $is', ({ asked, is }) => {
  const report = withEntry(EMPTY_REPORT, entry('first'), NAMED)
  expect(isTaken(report, 'first', { rounds: 8, share: 1, commit: 'abc', ...asked })).toBe(is)
  expect(isTaken(report, 'second', { rounds: 8, share: 1, commit: 'abc', ...asked })).toBe(false)
})

test('a quarter of the records does not stand for all of them', () => {
  const report = withEntry(EMPTY_REPORT, entry('first', { share: 0.25 }), NAMED)
  expect(isTaken(report, 'first', { rounds: 8, share: 1, commit: 'abc' })).toBe(false)
})

test('Markdown tells the machine once, and of each benchmark when it was taken and how busy the machine was', () => {
  const text = markdown(withEntry(withEntry(EMPTY_REPORT, entry('first'), NAMED), entry('second'), NAMED))
  expect(text.match(/2 cores \(Some\), 16 GiB, Linux 6, Chromium 150.0, Node 20.19.0/g)).toHaveLength(1)
  expect(text).toContain('| first | 2026-01-02 03:04 | 61 s | 8 | 1 | 0.5, 1.3, 2.0 | abc |')
  expect(text).toContain('| 1 | second | 9 | 10 | 0.90 | 0.90–0.90 | 1 | ≥ 0.6 | ≥ 0.8 | ambitious met |')
  expect(text.endsWith('|\n')).toBe(true)
})

test('every goal that a browser can measure alone is answered by one benchmark', () => {
  const answered = BENCHMARKS.flatMap(({ goals }) => goals).toSorted((a, b) => a - b)
  expect(answered).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 19, 20, 21, 22])
  expect(new Set(NAMES).size).toBe(NAMES.length)
  expect(listed().split('\n')[1]).toBe('word-count-checkpoints  the engine against itself without checkpoints, 10,000 keys; goals 2, 3')
})

test('a benchmark without a row for one of its goals has failed', () => {
  const two = { name: 'two', goals: [1, 2] }
  expect(() => checkGoals(two, [row('a'), row('b', null)])).toThrow('two has no row for goal 2')
  expect(() => checkGoals(two, [row('a'), row('b', GOALS.checkpointEachSecond)])).not.toThrow()
})
