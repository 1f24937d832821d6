/** Every worker that the page starts. One place, since the bundler must see every URL. */

export const startJobManagerWorker = (): Worker =>
  new Worker(new URL('../../workers/job-manager.worker.ts', import.meta.url), { type: 'module', name: 'JobManager' })

export const startTaskManagerWorker = (name: string): Worker =>
  new Worker(new URL('../../workers/task-manager.worker.ts', import.meta.url), { type: 'module', name })

export const startStorageWorker = (): Worker =>
  new Worker(new URL('../../workers/storage.worker.ts', import.meta.url), { type: 'module', name: 'storage' })

export const startOutsideWorker = (): Worker =>
  new Worker(new URL('../../workers/outside.worker.ts', import.meta.url), { type: 'module', name: 'outside world' })

export const startObserverWorker = (): Worker =>
  new Worker(new URL('../../workers/observer.worker.ts', import.meta.url), { type: 'module', name: 'observer' })

export const startOverlayWorker = (): Worker =>
  new Worker(new URL('../../workers/overlay.worker.ts', import.meta.url), { type: 'module', name: 'overlay' })

export const startCompareWorker = (): Worker =>
  new Worker(new URL('../../workers/compare.worker.ts', import.meta.url), { type: 'module', name: 'compare' })

export const startDeskWorker = (): Worker =>
  new Worker(new URL('../../workers/desk.worker.ts', import.meta.url), { type: 'module', name: 'desk' })
