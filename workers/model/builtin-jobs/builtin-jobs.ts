/** The jobs that come with the playground, by the name that `weir.load` takes. */
import type { JobDocument } from '../job-document.ts'
import { FLIGHTS_DELAY } from './flights-delay.ts'
import { SUM_AND_UPPER } from './sum-and-upper.ts'
import { WORD_COUNT } from './word-count.ts'

export const DEFAULT_JOB = 'flights-delay'

export const BUILTIN_JOBS: Readonly<Record<string, JobDocument>> = {
  [DEFAULT_JOB]: FLIGHTS_DELAY,
  'sum-and-upper': SUM_AND_UPPER,
  'word-count': WORD_COUNT,
}

/** What each of them shows, in one sentence. */
export const BUILTIN_SUMMARIES: Readonly<Record<string, string>> = {
  [DEFAULT_JOB]: 'US flights, one row of counts per airport, each counted exactly once into a transactional sink.',
  'sum-and-upper': 'A keyed sum beside an upper-case map: one has state to snapshot, the other has none.',
  'word-count': 'A thousand words, flat out, nothing slowed: what the engine can do in this tab.',
}
