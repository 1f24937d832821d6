/** Simulates two runs in a worker of their own; the live job is not touched. */
import type { CompareAnswer, ComparedRun, CompareRequest } from '../../workers/projections/compared-run.ts'
import { startCompareWorker } from './worker-urls.ts'

export type CompareProgress = Extract<CompareAnswer, { readonly type: 'progress' }>

export interface Comparison {
  /** Rejects with the reason where the job cannot be simulated. Never settles after `stop`. */
  readonly runs: Promise<readonly ComparedRun[]>
  stop(): void
}

export function compareRuns(request: CompareRequest, onProgress: (progress: CompareProgress) => void): Comparison {
  const worker = startCompareWorker()
  const runs = new Promise<readonly ComparedRun[]>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<CompareAnswer>) => {
      if (data.type === 'progress') return onProgress(data)
      worker.terminate()
      if (data.type === 'done') resolve(data.runs)
      else reject(new Error(data.message))
    }
    worker.onerror = (event) => {
      worker.terminate()
      reject(new Error(event.message || 'the worker could not be started'))
    }
    worker.postMessage(request)
  })
  return { runs, stop: () => worker.terminate() }
}
