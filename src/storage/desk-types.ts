/** What the page asks of the desk, in its own words. */
import type { Cluster } from '../cluster/cluster-types.ts'

export type SnapshotSource = Parameters<Cluster['desk']['open']>[0]
export type DroppedSource = Extract<SnapshotSource, { readonly kind: 'dropped' }>

/** The last part of a path. */
export const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The directory that a path lies in; "" at the top. */
export const parentPath = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

export const sourceName = (source: SnapshotSource): string => (source.kind === 'dropped' ? source.name : lastPart(source.path))

/** Two names of the same snapshot: what is shown stays when it is asked for again. */
export const isSameSource = (a: SnapshotSource | null, b: SnapshotSource | null): boolean => a === b || (a?.kind === 'stored' && b?.kind === 'stored' && a.path === b.path)

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
