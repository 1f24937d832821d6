/** What the storage browser shows: it stays while another view is in front. */
import { create } from 'zustand'
import type { StorageTree } from '../../workers/model/snapshot-desk.ts'
import type { DroppedSource, SnapshotSource } from '../storage/desk-types.ts'
import type { Toggled } from '../storage/storage-tree.ts'

export type SnapshotTab = 'operators' | 'files' | 'search' | 'export'

interface StorageState {
  /** Null until it was told. */
  readonly tree: StorageTree | null
  /** When it was told, wall milliseconds since 1970: ages are of that moment. */
  readonly toldAt: number
  /** Why it could not be told. */
  readonly problem: string | null
  readonly selected: string | null
  readonly toggled: Toggled
  /** The snapshot that is open beside the tree. */
  readonly opened: SnapshotSource | null
  /** More than one was dropped: which shall be opened. */
  readonly dropped: readonly DroppedSource[]
  /** Of the open snapshot. */
  readonly tab: SnapshotTab
  readonly page: 'browse' | 'side by side'
  readonly first: SnapshotSource | null
  readonly second: SnapshotSource | null
  /** Counts up: the tree is told anew. */
  readonly asked: number
  set(change: Partial<Omit<StorageState, 'set'>>): void
}

export const useStorage = create<StorageState>()((set) => ({
  tree: null,
  toldAt: 0,
  problem: null,
  selected: null,
  toggled: new Map(),
  opened: null,
  dropped: [],
  tab: 'operators',
  page: 'browse',
  first: null,
  second: null,
  asked: 0,
  set: (change) => set(change),
}))

/** After something was changed by hand. */
export const askAgain = (): void => useStorage.getState().set({ asked: useStorage.getState().asked + 1 })
