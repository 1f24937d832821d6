/** The page of the benchmark "word-count": the engine and the hand-written pipeline, one after the other as the runner asks. */
import { createCluster } from '../../src/cluster/cluster.ts'
import { wordCountByHand } from '../by-hand/word-count.ts'
import { prepare, wordCountByEngine, type EngineRun } from './engine-word-count.ts'

export interface WordCountPage {
  ready: Promise<void>
  /** Records per second. */
  byHand(records: number): Promise<number>
  byEngine(records: number, checkpointEveryMs: number | null): Promise<EngineRun>
}

const cluster = createCluster()
const page: WordCountPage = {
  ready: prepare(cluster),
  byHand: wordCountByHand,
  byEngine: (records, checkpointEveryMs) => wordCountByEngine(cluster, records, checkpointEveryMs),
}
Object.assign(window, { bench: page })
