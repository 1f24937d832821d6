import type { JobDocument } from '../job-document.ts'

/** The first job: delay per airport of US flights, exactly once into a transactional sink. */
export const FLIGHTS_DELAY: JobDocument = {
  weir: 'job@1',
  name: 'Delay per airport',
  config: { 'execution.checkpointing.interval': '10 s', 'execution.checkpointing.dir': 'file:///checkpoints' },
  playground: {
    linkLatency: '20 ms',
    syncCost: '4 ms',
    storageLatency: '30 ms',
    storageBandwidth: '256 kb',
    detectionDelay: '50 ms',
    taskManagers: 2,
    slotsPerTaskManager: 1,
  },
  topics: [{ name: 'flights', partitions: 2, data: 'flights-20k' }],
  operators: [
    { uid: 'flights', type: 'log', name: 'Flights', parallelism: 2, params: { topic: 'flights', rate: 54 } },
    {
      uid: 'delay',
      type: 'aggregate',
      name: 'Delay per airport',
      parallelism: 2,
      params: {
        aggregates: [
          { fn: 'count', as: 'flights' },
          { fn: 'sum', field: 'delay', as: 'total' },
          { fn: 'max', field: 'delay', as: 'largest' },
        ],
      },
      cost: '14 ms',

    },
    { uid: 'results', type: 'two-phase-commit', name: 'Results', parallelism: 1 },
  ],
  edges: [
    { from: 'flights', to: 'delay', ship: 'hash', by: ['origin'] },
    { from: 'delay', to: 'results', ship: 'rebalance' },
  ],
}
