/** Where a savepoint lies (behaviour 13.1). Flink: AbstractFsCheckpointStorageAccess.initializeLocationForSavepoint. */
import { Prng, deriveSeed } from '../base/prng.ts'
import type { JobId } from '../model/ids.ts'

/** Names that are tried until one is free. */
export const SAVEPOINT_NAMES_MAX = 10

/** `savepoint-{6 of the job id}-{12 random digits}`; the first name's digits are those of the request, the others' are drawn from it. */
export function savepointLocation(directory: string, job: JobId, triggerId: string, attempt = 0): string {
  const digits = attempt === 0 ? triggerId.slice(0, 12) : new Prng(deriveSeed(0, `${triggerId} ${attempt}`)).hex(12)
  return `${directory}/savepoint-${job.slice(0, 6)}-${digits}`
}
