import type { JobDocument } from '../../workers/model/job-document.ts'
import type { Cluster, StartOptions } from '../cluster/cluster-types.ts'
import { decodeJobLink, encodeJobLink } from '../editor/job-link.ts'
import { useJob } from './job-store.ts'
import { useView } from './view-store.ts'

/** The first job of a fresh page: nobody asked for it, so the view stays where its reader has gone meanwhile. What keeps it from starting is said. */
export function startFirst(cluster: Cluster): Promise<boolean> {
  return start(cluster, {}, {})
}

/** Starts the document that is being edited. Its mistakes go to where it is edited; what runs stays as it is. */
export function startEdited(cluster: Cluster, options: StartOptions = {}): Promise<boolean> {
  return start(cluster, options, { view: 'job', selection: null, pinned: null, cameByLink: false, said: null, stoppedAt: null })
}

async function start(cluster: Cluster, options: StartOptions, shown: Parameters<ReturnType<typeof useView.getState>['set']>[0]): Promise<boolean> {
  const { history, setProblems } = useJob.getState()
  if (history === null) return false
  const { set } = useView.getState()
  try {
    const result = await cluster.start(history.present, options)
    setProblems(result.ok ? [] : result.problems)
    if (result.ok) keepLink(history.present)
    set(result.ok ? shown : { view: 'build', firstMinute: false })
    return result.ok
  } catch (error) {
    set({ said: `The job was not started: ${error instanceof Error ? error.message : String(error)}.` })
    return false
  }
}

/** Takes a document into the editor (undo brings back what was there) and starts it in the place of what runs. */
export function startInstead(cluster: Cluster, document: JobDocument): Promise<boolean> {
  useJob.getState().edit(document)
  useView.getState().set({ view: 'job', firstMinute: false, selection: null, endCardDismissed: null })
  return startEdited(cluster)
}

/** An address that holds a job holds the one that runs, so that a reload shows no other. */
function keepLink(document: JobDocument): void {
  if (decodeJobLink(location.hash) === null) return
  const link = encodeJobLink(document)
  history.replaceState(null, '', link.ok ? link.value : location.pathname + location.search)
}
