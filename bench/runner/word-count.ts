/** The engine's word count against the same by hand, and against itself with checkpoints. */
import type { WordCountPage } from '../page/word-count.ts'
import { GOALS } from './goals.ts'
import { millions, openWordCount, takeTurns, type Measuring } from './interleaved.ts'
import { ratioRow, type Row } from './row.ts'
import { byEngine, byHand, CHECKPOINTED_LEAST, checkpointedRecords, RECORDS } from './word-count-runs.ts'

declare const window: { readonly bench: WordCountPage }

const BIG_STATE_KEYS = 1_000_000
/** Enough to tell how fast the machine is: how many records fill `BIG_STATE_SECONDS` depends on it. */
const BIG_STATE_PROBE = 1_000_000
/** Long enough for two checkpoints that are 10 s apart. */
const BIG_STATE_SECONDS = 24

/** Goal 1, and the engine with checkpoints against the same. */
export async function againstByHand(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const records = RECORDS * measuring.share
  const { hand, engine, checkpoints } = await takeTurns(
    measuring.rounds,
    {
      hand: () => byHand(page, { type: 'dictionary' }, records),
      engine: () => byEngine(page, { records }),
      checkpoints: () => byEngine(page, { records: CHECKPOINTED_LEAST, checkpointEveryMs: 1000 }),
    },
    millions,
  )
  await page.close()
  return [
    ratioRow({ what: 'word count, engine : by hand (H)', ours: engine, theirs: hand, show: millions, goal: GOALS.wordCount }),
    ratioRow({ what: 'word count, engine with a checkpoint each second : by hand (H), without', ours: checkpoints, theirs: hand, show: millions }),
  ]
}

/** Goals 2 and 3. */
export async function withCheckpoints(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const records = checkpointedRecords(measuring)
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
    ratioRow({ what: 'checkpoint each second, 10 k keys : none', ours: second, theirs: none, show: millions, goal: GOALS.checkpointEachSecond }),
    ratioRow({ what: 'checkpoint each 100 ms, 10 k keys : none', ours: tenth, theirs: none, show: millions, goal: GOALS.checkpointEach100Millis }),
  ]
}

/** What each mode costs: a checkpoint each 500 ms in all of them. */
export async function checkpointModes(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const options = { records: checkpointedRecords(measuring), checkpointEveryMs: 500 }
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
  const row = (what: string, ours: readonly number[], theirs: readonly number[]): Row => ratioRow({ what, ours, theirs, show: millions })
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
    ratioRow({ what: '1 M keys on the heap, full snapshot into IndexedDB each second : none', ours: second, theirs: none, show: millions, goal: GOALS.bigStateEachSecond }),
    ratioRow({ what: `1 M keys on the heap, full snapshot into IndexedDB each ${10 * measuring.share} s : none`, ours: tenSeconds, theirs: none, show: millions, goal: GOALS.bigStateEach10Seconds }),
  ]
}

/** Goal 22. */
export async function inFront(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const records = checkpointedRecords(measuring)
  const shown = async (tokens: number | null): Promise<number> => {
    await page.evaluate((asked) => window.bench.show(asked), tokens)
    // Tokens fill the wires first; blank waits as long.
    await page.waitForTimeout(3000)
    return byEngine(page, { records })
  }
  const { blank, animated } = await takeTurns(measuring.rounds, { blank: () => shown(null), animated: () => shown(1000) }, millions)
  await page.close()
  return [ratioRow({ what: 'word count, 1,000 moving tokens in front : blank page', ours: animated, theirs: blank, show: millions, goal: GOALS.inFront })]
}
