import { expect, test } from 'vitest'
import { GOALS, limitText, type Goal } from '../../../bench/runner/goals.ts'
import { absoluteRow, ratioRow, verdict } from '../../../bench/runner/row.ts'
import { markdownTable, textTable } from '../../../bench/runner/table.ts'

const HIGHER: Goal = { number: 1, better: 'higher', realistic: 0.6, ambitious: 0.8 }
const LOWER: Goal = { number: 6, better: 'lower', realistic: 2, ambitious: 0.5, unit: 'ms' }
const show = (figure: number): string => `${figure} ms`

test.each([
  { goal: HIGHER, figures: [0.8, 0.85, 0.9], says: 'ambitious met' },
  { goal: HIGHER, figures: [0.5, 0.7, 0.75], says: 'met' },
  { goal: HIGHER, figures: [0.5, 0.7, 0.8], says: 'ambitious met by the better end, met by the median' },
  { goal: HIGHER, figures: [0.4, 0.5, 0.6], says: 'met by the better end, missed by the median' },
  { goal: HIGHER, figures: [0.4, 0.5, 0.59], says: 'missed' },
  { goal: LOWER, figures: [2.1, 3, 4], says: 'missed' },
  { goal: LOWER, figures: [2, 3, 4], says: 'met by the better end, missed by the median' },
  { goal: LOWER, figures: [0.6, 1, 9], says: 'met' },
  { goal: LOWER, figures: [0.1, 0.5, 9], says: 'ambitious met' },
  { goal: { ...LOWER, realistic: null }, figures: [0.6, 1, 9], says: 'missed' },
  { goal: { ...LOWER, realistic: null }, figures: [0.1, 0.2, 9], says: 'ambitious met' },
])('$figures for a goal where $goal.better is better: $says', ({ goal, figures, says }) => {
  expect(verdict(absoluteRow({ what: 'a stop', ours: figures, show, goal }))).toBe(says)
})

test('a ratio is taken round by round, not of the medians', () => {
  const row = ratioRow({ what: 'a', ours: [1, 10, 100], theirs: [2, 10, 50], show })
  expect(row).toMatchObject({ figure: '10 ms', against: '10 ms', value: { low: 0.5, median: 1, high: 2, count: 3 }, goal: null })
  expect(verdict(row)).toBe('')
  expect(() => ratioRow({ what: 'a', ours: [1], theirs: [1, 2], show })).toThrow('1 figures cannot be compared with 2')
})

test('both figures of a goal stand beside each row', () => {
  expect(limitText(HIGHER, HIGHER.realistic)).toBe('≥ 0.6')
  expect(limitText(LOWER, LOWER.ambitious)).toBe('≤ 0.5 ms')
  expect(limitText(GOALS.stopByState, GOALS.stopByState.realistic)).toBe('–')
  const rows = [
    ratioRow({ what: 'word count : by hand', ours: [1, 1, 1], theirs: [2, 2, 2], show, goal: HIGHER }),
    absoluteRow({ what: 'longest | slice', ours: [0.456, 1, 1234], show, goal: LOWER }),
    ratioRow({ what: 'no goal', ours: [23.44], theirs: [1], show }),
  ]
  expect(markdownTable(rows).split('\n')).toEqual([
    '| goal | benchmark | figure | against | ratio | 90 % interval | rounds | realistic | ambitious | reached |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    '| 1 | word count : by hand | 1 ms | 2 ms | 0.50 | 0.50–0.50 | 3 | ≥ 0.6 | ≥ 0.8 | missed |',
    '| 6 | longest \\| slice | 1 ms | – | – | 0.46–1234 ms | 3 | ≤ 2 ms | ≤ 0.5 ms | ambitious met by the better end, met by the median |',
    '|  | no goal | 23.44 ms | 1 ms | 23.4 | 23.4–23.4 | 1 | – | – |  |',
  ])
})

test('columns of the text table are as wide as their longest cell, and no line ends in spaces', () => {
  const lines = textTable([ratioRow({ what: 'a rather long name of a benchmark', ours: [1], theirs: [1], show })]).split('\n')
  expect(lines[1]?.split('  ')[1]).toBe('-'.repeat('a rather long name of a benchmark'.length))
  expect(lines.filter((line) => line !== line.trimEnd())).toEqual([])
})
