import type { Cluster } from '../cluster/cluster-types.ts'
import { useJob } from './job-store.ts'
import { useView } from './view-store.ts'

/** Starts the document that is being edited. Its mistakes go to where it is edited; what runs stays as it is. */
export async function startEdited(cluster: Cluster): Promise<boolean> {
  const { history, setProblems } = useJob.getState()
  if (history === null) return false
  const result = await cluster.start(history.present)
  setProblems(result.ok ? [] : result.problems)
  useView.getState().set(result.ok ? { view: 'job', selection: null, pinned: null } : { view: 'build', firstMinute: false })
  return result.ok
}
