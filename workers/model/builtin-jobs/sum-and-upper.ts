import type { JobDocument } from '../job-document.ts'

/** A keyed sum beside an upper-case map: a cell of state beside "no state". */
export const SUM_AND_UPPER: JobDocument = {
  weir: 'job@1',
  name: 'Sum beside upper case',
  config: { 'execution.checkpointing.interval': '10 s', 'execution.checkpointing.dir': 'file:///checkpoints' },
  playground: { linkLatency: '20 ms', syncCost: '4 ms', storageLatency: '30 ms', storageBandwidth: '256 kb', taskManagers: 2, slotsPerTaskManager: 1 },
  operators: [
    {
      uid: 'pairs',
      type: 'generator',
      name: 'Pairs',
      parallelism: 1,
      params: { rows: 'pair', rate: 20, keys: 12, skew: 0.8, seed: 7 },

    },
    {
      uid: 'sum',
      type: 'aggregate',
      name: 'Sum per key',
      parallelism: 2,
      params: { aggregates: [{ fn: 'sum', field: 'value', as: 'sum' }] },
      cost: '10 ms',

    },
    { uid: 'upper', type: 'map', name: 'Upper case', parallelism: 1, params: { function: 'upper-case', field: 'key' }, cost: '5 ms' },
    { uid: 'sums', type: 'print', name: 'Sums', parallelism: 1 },
    { uid: 'shouted', type: 'print', name: 'Shouted', parallelism: 1 },
  ],
  edges: [
    { from: 'pairs', to: 'sum', ship: 'hash', by: ['key'] },
    { from: 'pairs', to: 'upper', ship: 'forward' },
    { from: 'sum', to: 'sums', ship: 'rebalance' },
    { from: 'upper', to: 'shouted', ship: 'forward' },
  ],
}
