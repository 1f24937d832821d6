/**
 * Snapshots of the heap backend of one subtask, driven as a task drives it: the call at the barrier, then slices of the snapshot with updates in
 * between, then handing over the bytes; and structuredClone of the same state. All times in milliseconds, by the clock that is given.
 */
import { hash } from '../by-hand/words.ts'
import { Prng } from '../../workers/base/prng.ts'
import { bare } from '../../workers/model/schema.ts'
import { HeapKeyedStateBackend } from '../../workers/state/heap/heap-keyed-state-backend.ts'
import type { KeyedSnapshot } from '../../workers/state/backend.ts'

export interface SnapshotTimes {
  /** The synchronous part. */
  readonly call: number
  readonly longestSlice: number
  /** Of the slices in their order, each by its median over the snapshots: without what hits one or another by chance. */
  readonly longestTypicalSlice: number
  /** Taking the bytes after the last slice and handing them over: a stop too. */
  readonly result: number
  /** Of the asynchronous part in all, without the updates in between. */
  readonly serializing: number
  readonly structuredClone: number
  readonly bytes: number
}

type HeapTimes = Omit<SnapshotTimes, 'structuredClone' | 'longestTypicalSlice'> & { readonly slices: readonly number[] }

export interface Surroundings {
  now(): number
  /** As to the storage worker: the bytes are moved. */
  handOver(file: Uint8Array): void
  /** Afterwards: whoever was handed the bytes is done with them. */
  drop(): void
}

/** As the browser's task host has it. */
const SLICE_ENTRIES = 2000
const UPDATES_BETWEEN = 2000
const MAX_PARALLELISM = 128
/** A first snapshot warms up; of the others the medians count. */
const SNAPSHOTS = 6

export function measureSnapshots(entries: number, surroundings: Surroundings): SnapshotTimes {
  const timed = (work: () => unknown): number => timedBy(surroundings, work)
  const backend = new HeapKeyedStateBackend(bare('String'), { start: 0, end: MAX_PARALLELISM - 1 }, MAX_PARALLELISM)
  const state = backend.valueState({ name: 'count', schema: bare('Long') })
  const keys = Array.from({ length: entries }, (_, i) => `w${hash(String(i)).toString(36)}-${i}`)
  const same = new Map<string, number>()
  for (const key of keys) {
    backend.setCurrentKey(key)
    state.update(1)
    same.set(key, 1)
  }
  const random = new Prng(1)
  const update = (): void => {
    for (let i = 0; i < UPDATES_BETWEEN; i++) {
      backend.setCurrentKey(keys[random.int(0, entries - 1)] as string)
      state.update((state.value() as number) + 1)
    }
  }
  const snapshots = Array.from({ length: SNAPSHOTS }, () => snapshotOnce(backend, update, surroundings)).slice(1)
  // After all of them: what it leaves behind is a million objects, which the next snapshot would have to tidy up.
  const clones = Array.from({ length: SNAPSHOTS }, () => timed(() => structuredClone(same))).slice(1)
  const median = (of: (times: HeapTimes) => number): number => medianOf(snapshots.map(of))
  return {
    call: median(({ call }) => call),
    longestSlice: median(({ longestSlice }) => longestSlice),
    longestTypicalSlice: Math.max(...(snapshots[0] as HeapTimes).slices.map((_, i) => medianOf(snapshots.map(({ slices }) => slices[i] ?? 0)))),
    result: median(({ result }) => result),
    serializing: median(({ serializing }) => serializing),
    structuredClone: medianOf(clones),
    bytes: median(({ bytes }) => bytes),
  }
}

const medianOf = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] as number

function snapshotOnce(backend: HeapKeyedStateBackend, update: () => void, surroundings: Surroundings): HeapTimes {
  const timed = (work: () => unknown): number => timedBy(surroundings, work)
  update()
  let snapshot: KeyedSnapshot | null = null
  const call = timed(() => (snapshot = backend.snapshot()))
  const view = snapshot as KeyedSnapshot | null
  if (view === null) throw new Error('there is nothing to snapshot')
  const slices: number[] = []
  for (let more = true; more; update()) slices.push(timed(() => (more = view.advance(SLICE_ENTRIES))))
  let bytes = 0
  const result = timed(() => {
    const file = view.result().bytes
    bytes = file.length
    surroundings.handOver(file)
  })
  view.release()
  surroundings.drop()
  if (view.writtenEntries !== view.totalEntries) throw new Error(`${view.writtenEntries} of ${view.totalEntries} entries were written`)
  return { call, longestSlice: Math.max(...slices), slices, result, serializing: slices.reduce((sum, slice) => sum + slice, result), bytes }
}

function timedBy({ now }: Surroundings, work: () => unknown): number {
  const start = now()
  work()
  return now() - start
}
