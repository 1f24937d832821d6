/** The workers that a worker starts. One place, since the bundler must see every URL. */

export const startTaskWorker = (name: string): Worker =>
  new Worker(new URL('../../task.worker.ts', import.meta.url), { type: 'module', name })
