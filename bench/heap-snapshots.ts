/**
 * `npx tsx bench/heap-snapshots.ts [entries] [rounds]`: what a snapshot of the heap backend costs in processor time, in one thread of Node, beside
 * structuredClone of the same state. Other programs on the machine are not in it, but for what they take of its caches; V8's own threads are.
 */
import { measureSnapshots, type SnapshotTimes } from './heap/measure-snapshots.ts'
import { GOALS } from './runner/goals.ts'
import { millis } from './runner/interleaved.ts'
import { absoluteRow, ratioRow } from './runner/row.ts'
import { textTable } from './runner/table.ts'

const [entries = 1_000_000, rounds = 8] = process.argv.slice(2).map(Number)
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
const slice = { show: millis, goal: GOALS.longestSlice }
const rows = [
  absoluteRow({ what: 'call at the barrier', ours: all.map(({ call }) => call), show: millis, goal: GOALS.callAtBarrier }),
  absoluteRow({ what: 'longest slice', ours: all.map(({ longestSlice }) => longestSlice), ...slice }),
  absoluteRow({ what: 'longest slice by its median over snapshots', ours: all.map(({ longestTypicalSlice }) => longestTypicalSlice), ...slice }),
  absoluteRow({ what: 'taking the bytes', ours: all.map(({ result }) => result), ...slice }),
  ratioRow({ what: 'structuredClone : longest stop by the median', ours: clones, theirs: stops, show: millis, goal: GOALS.stopAgainstClone }),
  ratioRow({ what: 'structuredClone : serialising', ours: clones, theirs: all.map(({ serializing }) => serializing), show: millis, goal: GOALS.serializingAgainstClone }),
]
console.log(`\n${textTable(rows)}`)
handedOver.port1.close()
