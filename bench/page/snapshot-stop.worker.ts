/** Snapshots of the heap backend, alone in a worker. The page drops the bytes that it is handed. */
import { measureSnapshots } from '../heap/measure-snapshots.ts'

self.onmessage = ({ data }: MessageEvent<number>): void =>
  self.postMessage(
    measureSnapshots(data, {
      now: () => performance.now(),
      handOver: (file) => self.postMessage(file, { transfer: [file.buffer as ArrayBuffer] }),
      drop: () => undefined,
    }),
  )
