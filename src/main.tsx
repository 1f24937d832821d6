/** The composition root: the cluster, what follows it, the page over both, and the console for those who script it. */
import '@fontsource-variable/ibm-plex-sans/standard.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BUILTIN_JOBS, DEFAULT_JOB } from '../workers/model/builtin-jobs/builtin-jobs.ts'
import { compileJob } from '../workers/model/compile-job.ts'
import type { JobDocument } from '../workers/model/job-document.ts'
import { createCluster } from './cluster/cluster.ts'
import { createConsoleApi } from './cluster/console-api.ts'
import { App } from './frame/app.tsx'
import './look/tokens.css'
import './look/base.css'
import { ClusterContext } from './stores/cluster-context.ts'
import { followCluster } from './stores/follow-cluster.ts'
import { useJob } from './stores/job-store.ts'
import { judgeCheckpoint } from './stores/judge-checkpoint.ts'
import { openJobLink } from './stores/open-job.ts'
import { startFirst } from './stores/start-job.ts'
import { applyTheme, useView } from './stores/view-store.ts'

const first = BUILTIN_JOBS[DEFAULT_JOB] as JobDocument

applyTheme(useView.getState().theme)
const cluster = createCluster()
useJob.getState().load(cluster.document ?? first)
// A job that came by link is data: it is shown, and started only by its reader.
const linked = openJobLink(location.hash, cluster.document)
addEventListener('hashchange', () => openJobLink(location.hash, cluster.document))

const follower = followCluster(cluster, {
  compile: (document) => compileJob(document).graph,
  judge: async (checkpointId) => {
    const { document } = cluster
    const graph = document === null ? null : compileJob(document).graph
    return document === null || graph === null || cluster.status.role !== 'leading' ? null : judgeCheckpoint(cluster, document, graph, checkpointId)
  },
})

// The first leader of a fresh page finds no job in its store: then the first job starts. One that it finds goes on by itself.
const stopWaiting = cluster.onJobManagerEvent(({ body }) => {
  if (body.type !== 'LeadershipGranted') return
  stopWaiting()
  // What keeps it from starting is said on the page.
  if (body.recoveredJob === null && !linked) void startFirst(cluster)
})

window.weir = createConsoleApi(cluster, {
  get: () => useJob.getState().history?.present ?? first,
  set: (document) => useJob.getState().load(document),
})

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <ClusterContext value={cluster}>
      <App onSummary={follower.traced} />
    </ClusterContext>
  </StrictMode>,
)
