/** Whom the first button kills: the newest live TaskManager that runs something. */
import type { TaskManagerId } from '../../workers/model/ids.ts'
import { tasksOn } from '../../workers/projections/job-view.ts'
import type { JobView } from '../../workers/projections/job-view.ts'

export function firstVictim(job: JobView): TaskManagerId | null {
  return job.taskManagers.findLast((tm) => tm.state === 'live' && tasksOn(job, tm.id).length > 0)?.id ?? null
}
