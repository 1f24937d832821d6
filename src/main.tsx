/** Composition root: the only file that knows everything. */
import { BUILTIN_JOBS, DEFAULT_JOB } from '../workers/model/builtin-jobs/builtin-jobs.ts'
import { createCluster } from './cluster/cluster.ts'
import { createConsoleApi, variableHolder } from './cluster/console-api.ts'

const first = BUILTIN_JOBS[DEFAULT_JOB]
if (first === undefined) throw new Error('the first job is missing')
const cluster = createCluster()
window.weir = createConsoleApi(cluster, variableHolder(first))
