/** What a storage reply means during the recovery of a job by a new leader. */
export type RecoveryStep =
  | { readonly kind: 'jobs-listed' }
  | { readonly kind: 'file-read'; readonly path: string }
  | { readonly kind: 'directory-listed' }
