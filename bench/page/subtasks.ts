/** Starts subtasks of the product, and bare workers with the same script, for their time and their memory. */
import type { Cluster } from '../../src/cluster/cluster-types.ts'
import { startTaskWorker } from '../../workers/hosts/browser/worker-urls.ts'
import type { EngineEvent } from '../../workers/model/events.ts'
import { idleJob } from '../job.ts'
import { PACE, until } from './engine-word-count.ts'

/** By the engine's clock: from the call of the page to the state of the last task, as the JobManager was told. */
export async function startIdle(cluster: Cluster, subtasks: number): Promise<number> {
  const running: EngineEvent[] = []
  const all = new Promise<number>((resolve) => {
    const stop = cluster.onJobManagerEvent((event) => {
      if (event.body.type !== 'TaskStateChanged' || event.body.to !== 'RUNNING') return
      if (running.push(event) < subtasks) return
      stop()
      resolve(event.at)
    })
  })
  const from = cluster.engineNow()
  const result = await cluster.start(idleJob(subtasks))
  if (!result.ok) throw new Error(`the idle job does not compile: ${JSON.stringify(result.problems)}`)
  return ((await all) - from) / 1000 / PACE
}

/** Taken off at the end of the cluster's work: its TaskManagers stay, each with a spare worker. */
export async function cancelIdle(cluster: Cluster): Promise<void> {
  await cluster.cancel()
  await until(cluster, () => cluster.status.job?.status === 'CANCELED')
}

let bare: Worker[] = []

export async function startBareWorkers(count: number): Promise<number> {
  const start = performance.now()
  bare = Array.from({ length: count }, (_, i) => startTaskWorker(`bare ${i}`))
  await Promise.all(
    bare.map((worker) => new Promise<void>((resolve, reject) => {
      worker.onmessage = () => resolve()
      worker.onerror = ({ message }) => reject(new Error(message))
    })),
  )
  return performance.now() - start
}

export function stopBareWorkers(): void {
  for (const worker of bare) worker.terminate()
  bare = []
}
