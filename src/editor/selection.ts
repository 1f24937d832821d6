import type { EdgeKey } from './edit-job.ts'

/** What is selected in the picture, the form and the document at once. */
export type Selection = { readonly kind: 'operator'; readonly uid: string } | { readonly kind: 'edge'; readonly key: EdgeKey } | null
