/** The page of all benchmarks that run jobs: the engine and what it is compared with, one after the other as the runner asks. */
import { createCluster } from '../../src/cluster/cluster.ts'
import { wordCountByHand } from '../by-hand/word-count.ts'
import { wordCountInOneThread } from '../one-thread/one-thread.ts'
import { checkpointByEngine, fillLargeState, largeStateByHand, type HandWritten, type LargeCheckpoint } from './large-checkpoint.ts'
import type { Contents } from '../by-hand/large-checkpoint.worker.ts'
import { prepare, wordCountByEngine, type EngineOptions, type EngineRun } from './engine-word-count.ts'
import type { SnapshotTimes } from '../heap/measure-snapshots.ts'
import { measureSnapshot } from './snapshot-stop.ts'
import { cancelIdle, startBareWorkers, startIdle, stopBareWorkers } from './subtasks.ts'

export interface WordCountPage {
  ready: Promise<void>
  byHand: typeof wordCountByHand
  /** Records per second. */
  inOneThread: typeof wordCountInOneThread
  byEngine(options: EngineOptions): Promise<EngineRun>
  snapshot(entries: number): Promise<SnapshotTimes>
  /** A job with 100 MiB of state, and the same by hand. */
  fillLargeState(): Promise<void>
  largeCheckpoint(by: 'engine' | Contents): Promise<LargeCheckpoint>
  /** So many subtasks of the product; milliseconds until all are RUNNING. */
  startIdle(subtasks: number): Promise<number>
  cancelIdle(): Promise<void>
  /** So many workers with the script of a subtask and nothing else; milliseconds until all have answered. */
  startBareWorkers(count: number): Promise<number>
  stopBareWorkers(): void
  /** Fills the page with the world of 54 operators and that many moving tokens, or empties it again. */
  show(tokens: number | null): Promise<void>
}

const cluster = createCluster()
let stopShowing: (() => void) | null = null

async function show(tokens: number | null): Promise<void> {
  stopShowing?.()
  stopShowing = null
  if (tokens === null) return
  const { showTokenWorld } = await import('./token-world.tsx')
  stopShowing = showTokenWorld(document.getElementById('root') as HTMLElement, tokens, 'drawing worker', (listener) => cluster.onLog(({ reports }) => listener(reports))).stop
}

let byHand: HandWritten | null = null

async function largeCheckpoint(by: 'engine' | Contents): Promise<LargeCheckpoint> {
  if (by === 'engine') return checkpointByEngine(cluster)
  byHand ??= await largeStateByHand()
  return byHand.take(by)
}

const page: WordCountPage = {
  ready: prepare(cluster),
  byHand: wordCountByHand,
  inOneThread: wordCountInOneThread,
  byEngine: (options) => wordCountByEngine(cluster, options),
  snapshot: measureSnapshot,
  fillLargeState: () => fillLargeState(cluster),
  largeCheckpoint,
  startIdle: (subtasks) => startIdle(cluster, subtasks),
  cancelIdle: () => cancelIdle(cluster),
  startBareWorkers,
  stopBareWorkers,
  show,
}
Object.assign(window, { bench: page })
