/** Measures snapshots of the heap backend in a worker of their own. */
import type { SnapshotTimes } from '../heap/measure-snapshots.ts'

export async function measureSnapshot(entries: number): Promise<SnapshotTimes> {
  const worker = new Worker(new URL('./snapshot-stop.worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<SnapshotTimes | Uint8Array>) => {
        if (!(data instanceof Uint8Array)) resolve(data)
      }
      worker.onerror = ({ message }) => reject(new Error(message))
      worker.postMessage(entries)
    })
  } finally {
    worker.terminate()
  }
}
