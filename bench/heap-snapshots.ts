/**
 * `npx tsx bench/heap-snapshots.ts [entries] [rounds]`: what a snapshot of the heap backend costs in processor time, in one thread of Node, beside
 * structuredClone of the same state. Other programs on the machine are not in it, but for what they take of its caches; V8's own threads are.
 */
import { measureSnapshots, type SnapshotTimes } from './heap/measure-snapshots.ts'
import { millis, ratioRow } from './runner/interleaved.ts'
import { printTable, type Row } from './runner/table.ts'

const [entries = 1_000_000, rounds = 8] = process.argv.slice(2).map(Number)
const CALL_GOAL_MS = 1
const SLICE_GOAL_MS = 2
/** A shorter stop counts as that, as in the browser. */
const CLOCK_STEP_MS = 0.1

let handedOver = new MessageChannel()
const surroundings = {
  now: (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  handOver: (file: Uint8Array): void => {
    handedOver.port1.postMessage(file, [file.buffer as ArrayBuffer])
  },
  drop: (): void => {
    handedOver.port1.close()
    handedOver = new MessageChannel()
  },
}

const all: SnapshotTimes[] = []
for (let round = 1; round <= rounds; round++) {
  const times = measureSnapshots(entries, surroundings)
  all.push(times)
  console.log(`  round ${round}: call ${millis(times.call)}, slice ${millis(times.longestSlice)} (${millis(times.longestTypicalSlice)}), bytes ${millis(times.result)}, in all ${millis(times.serializing)}, structuredClone ${millis(times.structuredClone)}`)
}

const clones = all.map((times) => times.structuredClone)
const stops = all.map(({ call, longestTypicalSlice, result }) => Math.max(call, longestTypicalSlice, result, CLOCK_STEP_MS))
const within = (what: string, ours: readonly number[], limit: number, goal: string): Row => ratioRow({ what, ours, theirs: ours.map(() => limit), show: millis, goal, atMost: 1 })
console.log('')
printTable([
  within('6: call at the barrier (ratio: to 1 ms)', all.map(({ call }) => call), CALL_GOAL_MS, '≤ 1 ms, ≤ 0.2 ms'),
  within('6: longest slice (ratio: to 2 ms)', all.map(({ longestSlice }) => longestSlice), SLICE_GOAL_MS, '≤ 2 ms, ≤ 0.5 ms'),
  within('6: longest slice by its median over snapshots (ratio: to 2 ms)', all.map(({ longestTypicalSlice }) => longestTypicalSlice), SLICE_GOAL_MS, '≤ 2 ms, ≤ 0.5 ms'),
  within('6: taking the bytes (ratio: to 2 ms)', all.map(({ result }) => result), SLICE_GOAL_MS, '≤ 2 ms, ≤ 0.5 ms'),
  ratioRow({ what: '7: structuredClone : longest stop by the median', ours: clones, theirs: stops, show: millis, goal: '≥ 300, ≥ 2000', atLeast: 300 }),
  ratioRow({ what: '8: structuredClone : serialising', ours: clones, theirs: all.map(({ serializing }) => serializing), show: millis, goal: '≥ 8, ≥ 14', atLeast: 8 }),
])
handedOver.port1.close()
