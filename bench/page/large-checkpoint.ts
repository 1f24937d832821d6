/**
 * Checkpoints of a state of 100 MiB: the product's, from the page's request to the JobManager's word that it is complete, and one by hand, from the
 * page's request to the word that all is stored. Nothing else goes on meanwhile; what the page itself is kept from is watched.
 */
import type { Cluster } from '../../src/cluster/cluster-types.ts'
import type { EngineEvent } from '../../workers/model/events.ts'
import type { CheckpointId } from '../../workers/model/ids.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { Contents, Role, Stored, TakeCheckpoint } from '../by-hand/large-checkpoint.worker.ts'
import { ENTRIES } from '../by-hand/large-state.ts'
import { until } from './engine-word-count.ts'

export interface LargeCheckpoint {
  readonly millis: number
  readonly bytes: number
  /** Of the page's main thread: 0 where no task took 50 ms, which is where browsers begin to count. */
  readonly longestTask: number
  /** How often the page heard how far the snapshot had come; by hand there is no such thing. */
  readonly progress: number
}

/** The texts come as the data set of the flights, which the benchmark serves in its place: their origin is the long text. */
const JOB: JobDocument = {
  weir: 'job@1',
  name: 'Large state',
  config: { 'execution.checkpointing.dir': 'file:///checkpoints' },
  playground: { linkLatency: '0 ms', detectionDelay: '0 ms', taskManagers: 1, slotsPerTaskManager: 1 },
  topics: [
    { name: 'none', partitions: 1, rows: [], schema: { kind: 'row', fields: { day: 'String' } } },
    { name: 'texts', partitions: 1, data: 'flights-20k' },
  ],
  operators: [
    { uid: 'none', type: 'log', name: 'None', parallelism: 1, params: { topic: 'none' } },
    { uid: 'texts', type: 'log', name: 'Texts', parallelism: 1, params: { topic: 'texts' } },
    { uid: 'keep', type: 'connect', name: 'Keep', parallelism: 1 },
    { uid: 'sink', type: 'print', name: 'Sink', parallelism: 1, params: { discard: true } },
  ],
  edges: [
    { from: 'none', to: 'keep', ship: 'hash', by: ['day'], input: 1 },
    { from: 'texts', to: 'keep', ship: 'hash', by: ['date'], input: 2 },
    { from: 'keep', to: 'sink', ship: 'rebalance' },
  ],
}

/** Resolves when every entry is in state. */
export async function fillLargeState(cluster: Cluster): Promise<void> {
  const result = await cluster.start(JOB)
  if (!result.ok) throw new Error(`the job does not compile: ${JSON.stringify(result.problems)}`)
  await until(cluster, () => cluster.status.job?.status === 'RUNNING')
  const keep = (await cluster.view()).graph?.vertices.find(({ name }) => name === 'Keep')?.id
  for (;;) {
    const task = (await cluster.reports()).find(({ vertex }) => vertex === keep)
    if (task?.recordsIn === ENTRIES) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

export async function checkpointByEngine(cluster: Cluster): Promise<LargeCheckpoint> {
  const seen: EngineEvent[] = []
  const stopLog = cluster.onLog(({ events }) => seen.push(...events))
  try {
    const { result, millis, longestTask } = await watched(async () => {
      const completed = eventOf(cluster, 'CheckpointCompleted')
      await cluster.triggerCheckpoint()
      return completed
    })
    const { checkpointId, stateBytes } = result
    await new Promise((resolve) => setTimeout(resolve, 300))
    return { millis, longestTask, bytes: stateBytes, progress: progressOf(seen, checkpointId) }
  } finally {
    stopLog()
  }
}

const progressOf = (seen: readonly EngineEvent[], checkpoint: CheckpointId): number =>
  seen.filter(({ body }) => body.type === 'AsyncSnapshotProgressed' && body.checkpointId === checkpoint && body.written > 0 && body.written < body.total).length

type Completed = Extract<EngineEvent['body'], { readonly type: 'CheckpointCompleted' }>

function eventOf(cluster: Cluster, type: 'CheckpointCompleted'): Promise<Completed> {
  return new Promise((resolve, reject) => {
    const stop = cluster.onJobManagerEvent(({ body }) => {
      if (body.type !== type && body.type !== 'CheckpointAborted' && body.type !== 'CheckpointRequestRejected') return
      stop()
      if (body.type === type) resolve(body)
      else reject(new Error(`${body.type}: ${body.reason} ${body.message}`))
    })
  })
}

export interface HandWritten {
  take(contents: Contents): Promise<LargeCheckpoint>
}

export async function largeStateByHand(): Promise<HandWritten> {
  const { port1, port2 } = new MessageChannel()
  const spawn = (): Worker => new Worker(new URL('../by-hand/large-checkpoint.worker.ts', import.meta.url), { type: 'module' })
  const state = spawn()
  const storage = spawn()
  const ready = [state, storage].map((worker) => messageOf(worker))
  state.postMessage({ role: 'state', storage: port1 } satisfies Role, [port1])
  storage.postMessage({ role: 'storage', state: port2 } satisfies Role, [port2])
  await Promise.all(ready)
  return {
    take: async (contents) => {
      const { result, millis, longestTask } = await watched(() => {
        const stored = messageOf<Stored>(storage)
        state.postMessage({ contents } satisfies TakeCheckpoint)
        return stored
      })
      if (result.bytes === 0) throw new Error('the hand-written checkpoint was not stored')
      return { millis, longestTask, bytes: result.bytes, progress: 0 }
    },
  }
}

const messageOf = <T>(worker: Worker): Promise<T> =>
  new Promise((resolve) => worker.addEventListener('message', ({ data }: MessageEvent<T>) => resolve(data), { once: true }))

async function watched<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly millis: number; readonly longestTask: number }> {
  let longestTask = 0
  const note = (entries: PerformanceEntryList): void => entries.forEach(({ duration }) => (longestTask = Math.max(longestTask, duration)))
  const observer = new PerformanceObserver((list) => note(list.getEntries()))
  observer.observe({ type: 'longtask' })
  const start = performance.now()
  const result = await work()
  const millis = performance.now() - start
  // A task is told of when it is over.
  await new Promise((resolve) => setTimeout(resolve, 0))
  note(observer.takeRecords())
  observer.disconnect()
  return { result, millis, longestTask }
}
