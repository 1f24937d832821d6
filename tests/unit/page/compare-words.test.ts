import { expect, test } from 'vitest'
import { inFlightWords, intervalWords, liveWords } from '../../../src/compare/compare-words.ts'
import type { LiveJob } from '../../../src/compare/compare-words.ts'

const SECOND = 1_000_000
const LIVE: LiveJob = { status: 'RUNNING', paused: false, dead: false, led: true }

test('an interval that was assumed is said to be, and that the job has none', () => {
  expect(intervalWords({ intervalMicros: 10 * SECOND, assumed: true, periodMicros: 10 * SECOND })).toBe('A checkpoint every 10.0 s: the interval is assumed for the comparison, the job itself has none.')
  expect(intervalWords({ intervalMicros: 10 * SECOND, assumed: true, periodMicros: 30 * SECOND })).toBe(
    'A checkpoint every 30.0 s: min-pause raises the interval of 10.0 s that is assumed for the comparison, the job itself has none.',
  )
})

test('an interval of the job is called its own, also where min-pause raises it', () => {
  expect(intervalWords({ intervalMicros: 5 * SECOND, assumed: false, periodMicros: 5 * SECOND })).toBe('A checkpoint every 5.000 s: the job’s own interval.')
  expect(intervalWords({ intervalMicros: 5 * SECOND, assumed: false, periodMicros: 30 * SECOND })).toBe('A checkpoint every 30.0 s: min-pause raises the job’s interval of 5.000 s.')
})

test.each([
  ['INITIALIZING', 'The live job is being started meanwhile.'],
  ['CREATED', 'The live job is being started meanwhile.'],
  ['RUNNING', 'The live job goes on.'],
  ['FAILING', 'The live job is FAILING meanwhile.'],
  ['FAILED', 'The live job has FAILED and does not go on.'],
  ['CANCELLING', 'The live job is being cancelled meanwhile.'],
  ['CANCELED', 'The live job was CANCELED and does not go on.'],
  ['FINISHED', 'The live job has FINISHED and does not go on.'],
  ['RESTARTING', 'The live job is RESTARTING meanwhile.'],
  ['SUSPENDED', 'The live job is SUSPENDED: it could not be recovered.'],
  ['RECONCILING', 'The live job is being recovered meanwhile.'],
  [null, 'There is no live job.'],
] as const)('a live job that is %s is not said to be anything else', (status, words) => {
  expect(liveWords({ ...LIVE, status })).toBe(words)
})

test('a job that is paused, without a JobManager or in a dead engine does not go on', () => {
  expect(liveWords({ ...LIVE, paused: true })).toBe('The live job is paused and stays so.')
  expect(liveWords({ ...LIVE, led: false })).toBe('The live job waits for a JobManager meanwhile.')
  expect(liveWords({ ...LIVE, dead: true, paused: true })).toBe('The live job stands still: its engine has stopped.')
})

test('what has ended stays what it is, whatever happens to the engine', () => {
  for (const other of [{ paused: true }, { dead: true }, { led: false }]) {
    expect(liveWords({ ...LIVE, status: 'FINISHED', ...other })).toBe('The live job has FINISHED and does not go on.')
    expect(liveWords({ ...LIVE, status: null, ...other })).toBe('There is no live job.')
  }
})

test('bytes in flight come with how their checkpoint failed; without an account there is a dash', () => {
  expect(inFlightWords({ bytes: 0, failed: 'expired' })).toBe('0 B (expired)')
  expect(inFlightWords({ bytes: 0, failed: 'failed' })).toBe('0 B (failed)')
  expect(inFlightWords({ bytes: 2048, failed: null })).toBe('2.00 KB')
  expect(inFlightWords(null)).toBe('–')
})
