/** The engine's word count against the same by hand and by other means, and against itself with checkpoints. */
import type { Page } from 'playwright-core'
import type { Way } from '../by-hand/channel.ts'
import type { Means } from '../one-thread/counts.ts'
import type { EngineOptions } from '../page/engine-word-count.ts'
import type { WordCountPage } from '../page/word-count.ts'
import { millions, openWordCount, ratioRow, takeTurns, type Measuring } from './interleaved.ts'
import type { Row } from './table.ts'

declare const window: { readonly bench: WordCountPage }

const RECORDS = 5_000_000
/** What is slow gets fewer: a rate is compared, and each runs for some seconds. */
const SLOW_RECORDS = 300_000
/** Long enough for several checkpoints, one each second. */
const CHECKPOINTED_RECORDS = 20_000_000
const BIG_STATE_KEYS = 1_000_000
/** Enough to tell how fast the machine is: how many records fill `BIG_STATE_SECONDS` depends on it. */
const BIG_STATE_PROBE = 1_000_000
/** Long enough for two checkpoints that are 10 s apart. */
const BIG_STATE_SECONDS = 24

/** Records per second. A run with checkpoints in which none completed says nothing, and fails. */
async function byEngine(page: Page, options: EngineOptions): Promise<number> {
  const run = await page.evaluate((asked) => window.bench.byEngine(asked), options)
  if (options.checkpointEveryMs !== undefined && run.checkpoints === 0) throw new Error('no checkpoint completed: the run was too short')
  return run.recordsPerSecond
}

const byHand = async (page: Page, way: Way, records: number): Promise<number> =>
  (await page.evaluate(([asked, count]) => window.bench.byHand(asked, count), [way, records] as const)).recordsPerSecond

const inOneThread = (page: Page, means: Means, records: number): Promise<number> =>
  page.evaluate(([asked, count]) => window.bench.inOneThread(asked, count), [means, records] as const)

/** Goal 1, and the engine with checkpoints against the same. */
export async function againstByHand(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const records = RECORDS * measuring.share
  const { hand, engine, checkpoints } = await takeTurns(
    measuring.rounds,
    {
      hand: () => byHand(page, { type: 'dictionary' }, records),
      engine: () => byEngine(page, { records }),
      checkpoints: () => byEngine(page, { records: 2 * records, checkpointEveryMs: 1000 }),
    },
    millions,
  )
  await page.close()
  return [
    ratioRow({ what: '1: word count, engine : by hand (H)', ours: engine, theirs: hand, show: millions, goal: '≥ 0.60, ≥ 0.80', atLeast: 0.6 }),
    ratioRow({ what: 'with a checkpoint each second : by hand (H)', ours: checkpoints, theirs: hand, show: millions, goal: '–' }),
  ]
}

/** Goals 11 to 14. */
export async function againstOthers(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const records = RECORDS * measuring.share
  const few = SLOW_RECORDS * measuring.share
  const all = await takeTurns(
    measuring.rounds,
    {
      engine: () => byEngine(page, { records }),
      'one a message': () => byHand(page, { type: 'objects', batch: 1 }, few),
      'objects ×1000': () => byHand(page, { type: 'objects', batch: 1000 }, records),
      RxJS: () => inOneThread(page, 'rxjs', records),
      'async generators': () => inOneThread(page, 'async generators', records),
      'Web Streams': () => inOneThread(page, 'web streams', few),
      ix: () => inOneThread(page, 'ix', few),
      Effect: () => inOneThread(page, 'effect', records),
      'a plain loop (S)': () => inOneThread(page, 'plain', records),
    },
    millions,
  )
  await page.close()
  const against = (what: string, theirs: readonly number[], goal: string, atLeast?: number): Row =>
    ratioRow({ what: `${what}`, ours: all.engine, theirs, show: millions, goal, ...(atLeast === undefined ? {} : { atLeast }) })
  return [
    against('11: engine : one record a postMessage', all['one a message'], '≥ 50, ≥ 80', 50),
    against('12: engine : structured clone of 1,000 objects', all['objects ×1000'], '≥ 4, ≥ 5.5', 4),
    against('13: engine : RxJS groupBy', all.RxJS, '≥ 3, ≥ 5', 3),
    against('14: engine : async generators', all['async generators'], '≥ 2, ≥ 2.6', 2),
    against('14: engine : Web Streams', all['Web Streams'], '≥ 40, ≥ 60', 40),
    against('14: engine : ix AsyncIterable', all.ix, '≥ 15, ≥ 22', 15),
    against('14: engine : Effect Stream', all.Effect, '≥ 1.5, ≥ 2', 1.5),
    against('engine : a plain loop in one worker (S)', all['a plain loop (S)'], '–'),
  ]
}

/** Goals 2 and 3. */
export async function withCheckpoints(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const records = CHECKPOINTED_RECORDS * measuring.share
  const { none, second, tenth } = await takeTurns(
    measuring.rounds,
    {
      none: () => byEngine(page, { records }),
      second: () => byEngine(page, { records, checkpointEveryMs: 1000 }),
      tenth: () => byEngine(page, { records, checkpointEveryMs: 100 }),
    },
    millions,
  )
  await page.close()
  return [
    ratioRow({ what: '2: checkpoint each second, 10 k keys : none', ours: second, theirs: none, show: millions, goal: '≥ 0.97, ≥ 0.99', atLeast: 0.97 }),
    ratioRow({ what: '3: checkpoint each 100 ms, 10 k keys : none', ours: tenth, theirs: none, show: millions, goal: '≥ 0.80, ≥ 0.90', atLeast: 0.8 }),
  ]
}

/** What each mode costs: a checkpoint each 500 ms in all of them. */
export async function checkpointModes(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const options = { records: CHECKPOINTED_RECORDS * measuring.share, checkpointEveryMs: 500 }
  const { none, aligned, unaligned, atLeastOnce } = await takeTurns(
    measuring.rounds,
    {
      none: () => byEngine(page, { records: options.records }),
      aligned: () => byEngine(page, options),
      unaligned: () => byEngine(page, { ...options, config: { 'execution.checkpointing.unaligned.enabled': true } }),
      atLeastOnce: () => byEngine(page, { ...options, config: { 'execution.checkpointing.mode': 'AT_LEAST_ONCE' } }),
    },
    millions,
  )
  await page.close()
  const row = (what: string, ours: readonly number[], theirs: readonly number[]): Row => ratioRow({ what, ours, theirs, show: millions, goal: '–' })
  return [
    row('aligned, each 500 ms : no checkpoints', aligned, none),
    row('unaligned, each 500 ms : no checkpoints', unaligned, none),
    row('at least once, each 500 ms : no checkpoints', atLeastOnce, none),
    row('unaligned : aligned', unaligned, aligned),
    row('at least once : aligned', atLeastOnce, aligned),
  ]
}

/** Goals 4 and 5. */
export async function bigState(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const rate = await byEngine(page, { records: BIG_STATE_PROBE, keys: BIG_STATE_KEYS })
  // On a machine that is busy with something else, still two for each key: else there would not be so many keys.
  const records = Math.ceil(Math.max(rate * BIG_STATE_SECONDS, 2 * BIG_STATE_KEYS) * measuring.share)
  const options = { records, keys: BIG_STATE_KEYS }
  console.log(`  ${records} records a run`)
  const { none, second, tenSeconds } = await takeTurns(
    measuring.rounds,
    {
      none: () => byEngine(page, options),
      second: () => byEngine(page, { ...options, checkpointEveryMs: 1000 }),
      // In a hurry the run is shorter than that.
      tenSeconds: () => byEngine(page, { ...options, checkpointEveryMs: 10_000 * measuring.share }),
    },
    millions,
  )
  await page.close()
  return [
    ratioRow({ what: '4: 1 M keys, full snapshot each second : none', ours: second, theirs: none, show: millions, goal: '≥ 0.82, ≥ 0.92', atLeast: 0.82 }),
    ratioRow({ what: '5: 1 M keys, full snapshot each 10 s : none', ours: tenSeconds, theirs: none, show: millions, goal: '≥ 0.96, ≥ 0.98', atLeast: 0.96 }),
  ]
}

/** Goal 22. */
export async function inFront(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const records = CHECKPOINTED_RECORDS * measuring.share
  const shown = async (tokens: number | null): Promise<number> => {
    await page.evaluate((asked) => window.bench.show(asked), tokens)
    // Tokens fill the wires first; blank waits as long.
    await page.waitForTimeout(3000)
    return byEngine(page, { records })
  }
  const { blank, animated } = await takeTurns(measuring.rounds, { blank: () => shown(null), animated: () => shown(1000) }, millions)
  await page.close()
  return [ratioRow({ what: '22: 1,000 moving tokens in front : blank page', ours: animated, theirs: blank, show: millions, goal: '≥ 0.85, ≥ 0.95', atLeast: 0.85 })]
}
