/** What a snapshot does to a backend that is alone on its thread: how long it stops it, and what serialising costs. */
import type { SnapshotTimes } from '../heap/measure-snapshots.ts'
import type { WordCountPage } from '../page/word-count.ts'
import { GOALS } from './goals.ts'
import { millis, openWordCount, type Measuring } from './interleaved.ts'
import { absoluteRow, ratioRow, type Row } from './row.ts'

declare const window: { readonly bench: WordCountPage }

const FEW = 10_000
const MANY = 1_000_000
/** The clock of a page that is not isolated shows tenths of a millisecond: below one, a stop counts as one. */
const CLOCK_STEP_MS = 0.1

const stop = ({ call, longestSlice, result }: SnapshotTimes): number => Math.max(call, longestSlice, result, CLOCK_STEP_MS)
const typicalStop = ({ call, longestTypicalSlice, result }: SnapshotTimes): number => Math.max(call, longestTypicalSlice, result, CLOCK_STEP_MS)

/** Goals 6 to 8. */
export async function snapshotStop(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const few: SnapshotTimes[] = []
  const many: SnapshotTimes[] = []
  for (let round = 1; round <= measuring.rounds; round++) {
    few.push(await page.evaluate((entries) => window.bench.snapshot(entries), FEW))
    many.push(await page.evaluate((entries) => window.bench.snapshot(entries), MANY))
    console.log(`  round ${round}: 10 k ${text(few.at(-1) as SnapshotTimes)}; 1 M ${text(many.at(-1) as SnapshotTimes)}`)
  }
  await page.close()
  const clones = many.map((times) => times.structuredClone)
  return [
    absoluteRow({ what: 'lone backend, 1 M entries: call at the barrier', ours: many.map(({ call }) => call), show: millis, goal: GOALS.callAtBarrier }),
    absoluteRow({ what: 'lone backend, 1 M entries: longest slice', ours: many.map(({ longestSlice }) => longestSlice), show: millis, goal: GOALS.longestSlice }),
    absoluteRow({ what: 'lone backend, 1 M entries: longest slice by its median over snapshots', ours: many.map(({ longestTypicalSlice }) => longestTypicalSlice), show: millis, goal: GOALS.longestSlice }),
    absoluteRow({ what: 'lone backend, 1 M entries: taking the bytes', ours: many.map(({ result }) => result), show: millis, goal: GOALS.longestSlice }),
    ratioRow({ what: 'lone backend: longest stop, 1 M entries : 10 k', ours: many.map(stop), theirs: few.map(stop), show: millis, goal: GOALS.stopByState }),
    ratioRow({ what: 'structuredClone : longest stop of a lone backend, 1 M entries', ours: clones, theirs: many.map(stop), show: millis, goal: GOALS.stopAgainstClone }),
    ratioRow({ what: 'structuredClone : the stop that is longest by its median, 1 M entries', ours: clones, theirs: many.map(typicalStop), show: millis, goal: GOALS.stopAgainstClone }),
    ratioRow({ what: 'structuredClone : serialising, 1 M entries', ours: clones, theirs: many.map(({ serializing }) => serializing), show: millis, goal: GOALS.serializingAgainstClone }),
  ]
}

const text = (times: SnapshotTimes): string =>
  `call ${millis(times.call)}, slice ${millis(times.longestSlice)} (${millis(times.longestTypicalSlice)}), bytes ${millis(times.result)}, in all ${millis(times.serializing)}, structuredClone ${millis(times.structuredClone)}`
