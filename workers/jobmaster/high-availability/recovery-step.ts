import type { JobId } from '../../model/ids.ts'

/** What a storage reply means during the recovery of a job by a new leader. */
export type RecoveryStep =
  | { readonly kind: 'jobs-listed' }
  | { readonly kind: 'file-read'; readonly job: JobId; readonly path: string }
  | { readonly kind: 'directory-listed'; readonly job: JobId }
