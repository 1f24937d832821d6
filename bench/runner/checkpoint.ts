/** What a checkpoint does to a subtask: how long it stops, and what serialising costs. */
import type { SnapshotTimes } from '../heap/measure-snapshots.ts'
import type { WordCountPage } from '../page/word-count.ts'
import { millis, openWordCount, ratioRow, type Measuring } from './interleaved.ts'
import type { Row } from './table.ts'

declare const window: { readonly bench: WordCountPage }

const FEW = 10_000
const MANY = 1_000_000
const CALL_GOAL_MS = 1
const SLICE_GOAL_MS = 2
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
  return [
    absoluteRow('6: call at the barrier, 1 M entries (ratio: to 1 ms)', many.map(({ call }) => call), CALL_GOAL_MS, '≤ 1 ms, ≤ 0.2 ms'),
    absoluteRow('6: longest slice, 1 M entries (ratio: to 2 ms)', many.map(({ longestSlice }) => longestSlice), SLICE_GOAL_MS, '≤ 2 ms, ≤ 0.5 ms'),
    absoluteRow('6: longest slice by its median over snapshots, 1 M entries (ratio: to 2 ms)', many.map(({ longestTypicalSlice }) => longestTypicalSlice), SLICE_GOAL_MS, '≤ 2 ms, ≤ 0.5 ms'),
    absoluteRow('6: taking the bytes, 1 M entries (ratio: to 2 ms)', many.map(({ result }) => result), SLICE_GOAL_MS, '≤ 2 ms, ≤ 0.5 ms'),
    ratioRow({ what: '6: longest stop, 1 M entries : 10 k', ours: many.map(stop), theirs: few.map(stop), show: millis, goal: '– , ≤ 2' }),
    ratioRow({ what: '7: structuredClone : longest stop, 1 M entries', ours: many.map((times) => times.structuredClone), theirs: many.map(stop), show: millis, goal: '≥ 300, ≥ 2000', atLeast: 300 }),
    ratioRow({ what: '7: the same with the slice that is longest by its median', ours: many.map((times) => times.structuredClone), theirs: many.map(typicalStop), show: millis, goal: '≥ 300, ≥ 2000', atLeast: 300 }),
    ratioRow({ what: '8: structuredClone : serialising, 1 M entries', ours: many.map((times) => times.structuredClone), theirs: many.map(({ serializing }) => serializing), show: millis, goal: '≥ 8, ≥ 14', atLeast: 8 }),
  ]
}

const absoluteRow = (what: string, ours: readonly number[], limit: number, goal: string): Row =>
  ratioRow({ what, ours, theirs: ours.map(() => limit), show: millis, goal, atMost: 1 })

const text = (times: SnapshotTimes): string =>
  `call ${millis(times.call)}, slice ${millis(times.longestSlice)} (${millis(times.longestTypicalSlice)}), bytes ${millis(times.result)}, in all ${millis(times.serializing)}, structuredClone ${millis(times.structuredClone)}`
