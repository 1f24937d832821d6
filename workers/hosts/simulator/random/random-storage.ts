import type { Prng } from '../../../base/prng.ts'
import type { JobDocument } from '../../../model/job-document.ts'

/** Some jobs leave their checkpoints with the JobManager, some keep copies with the TaskManagers. */
export function withRandomStorage(document: JobDocument, random: Prng): JobDocument {
  const config = { ...document.config }
  if (random.chance(0.15)) delete config['execution.checkpointing.dir']
  if (random.chance(0.25)) config['state.backend.local-recovery'] = true
  return { ...document, config }
}
