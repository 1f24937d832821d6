/**
 * "counter-stop": how long a checkpoint stops a counter of the running job, with 10,000 and 1,000,000 keys. A subtask does not process records beyond
 * a turn of its worker's thread: the longest turn during its snapshots, against the longest turn in stretches as long of a run without checkpoints, when it had come as far.
 */
import type { Page } from 'playwright-core'
import type { EngineOptions } from '../page/engine-word-count.ts'
import type { PageTimes } from '../page/page-times.ts'
import type { WordCountPage } from '../page/word-count.ts'
import { millis, openWordCount, type Measuring } from './interleaved.ts'
import { ratioRow, type Row } from './row.ts'
import { longestTurn, moved, type LongestTurn, type Stretch, type TraceEvent } from './turns.ts'
import { byEngine } from './word-count-runs.ts'

declare const window: { readonly bench: WordCountPage }

const FEW = 10_000
const MANY = 1_000_000
const COUNTERS = 2
const PROBE_RECORDS = 1_000_000
/** By the rate of the probe, which is slower than the runs that follow. */
const SECONDS = 16
/** In a hurry too, there are checkpoints in the second half. */
const SECONDS_LEAST = 8
/** Drawn so often, six keys of seven are in state when half of the records have come, and nearly all at the end. */
const RECORDS_PER_KEY = 4
/** Turns of all threads, and marks. */
const CATEGORIES = ['-*', '__metadata', 'disabled-by-default-devtools.timeline', 'blink.user_timing']

interface Turns {
  readonly with: LongestTurn[]
  readonly without: LongestTurn[]
}

interface Traced {
  readonly times: PageTimes
  readonly trace: readonly TraceEvent[]
}

export async function counterStop(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const few = await turnsOf(page, FEW, measuring)
  const many = await turnsOf(page, MANY, measuring)
  await page.close()
  return [...rowsOf('10 k keys', few), ...rowsOf('1 M keys', many), ratioRow({ what: 'longest turn of a counter during a checkpoint, 1 M keys : 10 k, processor time', ours: many.with.map(processor), theirs: few.with.map(processor), show: millis })]
}

async function turnsOf(page: Page, keys: number, { rounds, share }: Measuring): Promise<Turns> {
  const rate = await byEngine(page, { records: PROBE_RECORDS, keys })
  const records = Math.ceil(Math.max(rate * Math.max(SECONDS * share, SECONDS_LEAST), keys * RECORDS_PER_KEY))
  const found: Turns = { with: [], without: [] }
  for (let round = 0; round <= rounds; round++) {
    const checkpointed = await traced(page, { records, keys, checkpointEveryMs: 1000 })
    const free = await traced(page, { records, keys })
    const stretches = checkpointed.times.snapshots.map((each) => each.filter(({ from }) => from > middleOf(checkpointed.times.run)))
    const during = longestOf(checkpointed, stretches)
    const meanwhile = longestOf(free, stretches.map((each) => moved(each, checkpointed.times.run, free.times.run)))
    console.log(`  round ${round}, ${keys} keys: during a checkpoint ${text(during)}, without ${text(meanwhile)}${round === 0 ? '; not counted' : ''}`)
    if (round === 0) continue
    found.with.push(during)
    found.without.push(meanwhile)
  }
  return found
}

const middleOf = ({ from, to }: Stretch): number => (from + to) / 2

/** Of both counters. A run in whose second half no snapshot was taken says nothing, and fails. */
function longestOf({ times, trace }: Traced, stretches: readonly (readonly Stretch[])[]): LongestTurn {
  const all = Array.from({ length: COUNTERS }, (_, i) => longestTurn(trace, `Count (${i + 1}/${COUNTERS})#0`, times.marked, stretches[i] ?? []))
  return { wall: Math.max(...all.map(wall)), processor: Math.max(...all.map(processor)) }
}

async function traced(page: Page, options: EngineOptions): Promise<Traced> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('there is no browser to trace')
  await browser.startTracing(page, { categories: CATEGORIES })
  let trace: Buffer | null = null
  try {
    const { times } = await page.evaluate((asked) => window.bench.byEngine(asked), options)
    trace = await browser.stopTracing()
    return { times, trace: (JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] }).traceEvents }
  } finally {
    if (trace === null) await browser.stopTracing()
  }
}

const wall = (turn: LongestTurn): number => turn.wall
const processor = (turn: LongestTurn): number => turn.processor
const text = (turn: LongestTurn): string => `${millis(turn.wall)} (${millis(turn.processor)} of processor time)`

const rowsOf = (keys: string, turns: Turns): readonly Row[] => [
  ratioRow({ what: `longest turn of a counter, ${keys}: during a checkpoint : without`, ours: turns.with.map(wall), theirs: turns.without.map(wall), show: millis }),
  ratioRow({ what: `longest turn of a counter, ${keys}: during a checkpoint : without, processor time`, ours: turns.with.map(processor), theirs: turns.without.map(processor), show: millis }),
]
