/** How far the reading of a snapshot is. Pure. */
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'

export type Reading =
  | { readonly is: 'reading'; readonly share: number }
  | { readonly is: 'read'; readonly view: SnapshotView }
  | { readonly is: 'refused'; readonly reason: string }
  | { readonly is: 'cancelled' }

/** What has ended stays: progress travels on another port than the answer, and may come after it; what was cancelled may still be read to its end. */
export const nextReading = (before: Reading, told: Reading): Reading => (before.is === 'reading' ? told : before)
