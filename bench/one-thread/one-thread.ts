/** Counts words in one thread, in a fresh worker each time. Records per second; drawing words and spawning are not timed. */
import type { Means } from './counts.ts'
import type { OneThreadOrder } from './one-thread.worker.ts'

export async function wordCountInOneThread(means: Means, records: number): Promise<number> {
  const worker = new Worker(new URL('./one-thread.worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<number>) => resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message))
      worker.postMessage({ means, records } satisfies OneThreadOrder)
    })
  } finally {
    worker.terminate()
  }
}
