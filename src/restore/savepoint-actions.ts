/** Savepoints asked for by hand. What does not come about is said on the page with Flink's reason. */
import type { SavepointFormat } from '../../workers/model/checkpoint.ts'
import type { Cluster } from '../cluster/cluster-types.ts'
import { reasonOf } from '../storage/desk-types.ts'
import { useView } from '../stores/view-store.ts'

const say = (said: string): void => useView.getState().set({ said })

export async function takeSavepoint(cluster: Cluster, format: SavepointFormat = 'CANONICAL'): Promise<void> {
  try {
    await cluster.triggerSavepoint({ format })
  } catch (error) {
    say(`There is no savepoint: ${reasonOf(error)}`)
  }
}

/** The job ends; what it can be started again from is offered at once. */
export async function stopWithSavepoint(cluster: Cluster, drain: boolean): Promise<void> {
  try {
    useView.getState().set({ stoppedAt: await cluster.stopWithSavepoint({ drain }) })
  } catch (error) {
    say(`The job was not stopped: ${reasonOf(error)}`)
  }
}
