import { expect, test } from 'vitest'
import { parseArguments } from '../../../bench/runner/arguments.ts'

const KNOWN = ['one', 'two', 'three']
const ALL = { names: KNOWN, rounds: 8, share: 1, out: null, resume: false, list: false }

test.each([
  { given: [], asked: ALL },
  { given: ['three', 'one'], asked: { ...ALL, names: ['one', 'three'] } },
  { given: ['--only', 'two,three'], asked: { ...ALL, names: ['two', 'three'] } },
  { given: ['--only=two', 'one'], asked: { ...ALL, names: ['one', 'two'] } },
  { given: ['--quick'], asked: { ...ALL, rounds: 3, share: 0.25 } },
  { given: ['--quick', '--rounds', '1'], asked: { ...ALL, rounds: 1, share: 0.25 } },
  { given: ['--out', 'some/figures.json', '--resume'], asked: { ...ALL, out: 'some/figures', resume: true } },
  { given: ['--list'], asked: { ...ALL, list: true } },
])('$given', ({ given, asked }) => {
  expect(parseArguments(given, KNOWN)).toEqual(asked)
})

test.each([
  { given: ['four'], says: 'There is no benchmark "four". Known: one, two, three.' },
  { given: ['--only', 'one,four'], says: 'There is no benchmark "four".' },
  { given: ['--fast'], says: 'There is no option "--fast".' },
  { given: ['--rounds', '0'], says: '--rounds wants a whole number from 1 on, not "0".' },
  { given: ['--rounds', '2.5'], says: 'not "2.5"' },
  { given: ['--rounds'], says: '--rounds wants something behind it.' },
  { given: ['--out', '--quick'], says: '--out wants something behind it.' },
  { given: ['--resume'], says: '--resume wants --out' },
])('$given is refused: $says', ({ given, says }) => {
  expect(() => parseArguments(given, KNOWN)).toThrow(says)
})
