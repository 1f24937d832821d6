/** Counts words once by the means asked for, in a worker of its own. */
import { vocabulary, zipfWords } from '../by-hand/words.ts'
import { COUNTS, type Means } from './counts.ts'

export interface OneThreadOrder {
  readonly means: Means
  readonly records: number
}

async function run({ means, records }: OneThreadOrder): Promise<number> {
  const words = zipfWords(records, vocabulary(10_000))
  const start = performance.now()
  const updates = await COUNTS[means](words)
  const seconds = (performance.now() - start) / 1000
  if (updates !== records) throw new Error(`${means}: ${updates} updates, not ${records}`)
  return records / seconds
}

self.onmessage = ({ data }: MessageEvent<OneThreadOrder>): void => {
  run(data).then(
    (recordsPerSecond) => self.postMessage(recordsPerSecond),
    // Outside the promise it reaches the page as an error of the worker.
    (error: unknown) => setTimeout(() => { throw error }),
  )
}
