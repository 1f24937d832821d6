import type { JobDocument } from '../job-document.ts'

/** Word count flat out, nothing modelled: what the benchmark measures. The sink counts rows and writes none. */
export const WORD_COUNT: JobDocument = {
  weir: 'job@1',
  name: 'Word count',
  playground: { linkLatency: '0 ms', detectionDelay: '0 ms', taskManagers: 2, slotsPerTaskManager: 1 },
  operators: [
    { uid: 'words', type: 'generator', name: 'Words', parallelism: 1, params: { rows: 'word', keys: 1000, skew: 0, seed: 1 } },
    { uid: 'count', type: 'aggregate', name: 'Count', parallelism: 2, params: { aggregates: [{ fn: 'count', as: 'count' }] } },
    { uid: 'sink', type: 'print', name: 'Sink', parallelism: 1, params: { discard: true } },
  ],
  edges: [
    { from: 'words', to: 'count', ship: 'hash', by: ['word'] },
    { from: 'count', to: 'sink', ship: 'rebalance' },
  ],
}
