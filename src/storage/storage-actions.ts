/** What is done to files from more than one place. A failure is said on the page, and what was there stays. */
import type { Cluster } from '../cluster/cluster-types.ts'
import { askAgain, useStorage } from '../stores/storage-store.ts'
import { useView } from '../stores/view-store.ts'
import type { DroppedFile } from './dropped-files.ts'
import { snapshotsAmong } from './dropped-files.ts'
import type { DroppedSource, SnapshotSource } from './desk-types.ts'
import { reasonOf } from './desk-types.ts'
import { saveBlob } from './save-blob.ts'
import { pathsAbove } from './storage-tree.ts'

/** Where what comes from outside is put unless another place is named: a folder of its own below. */
export const UPLOAD_DIRECTORY = '/savepoints'

const say = (said: string): void => useView.getState().set({ said })

export async function downloadPath(cluster: Cluster, path: string): Promise<void> {
  try {
    const { zip, fileName } = await cluster.desk.download(path)
    saveBlob(zip, fileName)
  } catch (error) {
    say(`${path} was not downloaded: ${reasonOf(error)}`)
  }
}

/** Shows a snapshot beside the tree, in the Storage view. */
export function showSnapshot(source: SnapshotSource): void {
  if (source.kind === 'stored') select(source.path)
  useStorage.getState().set({ opened: source, page: 'browse', dropped: [] })
  useView.getState().set({ view: 'storage', firstMinute: false })
}

/** Selects a path and opens the directories above it. */
export function select(path: string): void {
  const { toggled, set } = useStorage.getState()
  const next = new Map(toggled)
  for (const above of pathsAbove(path)) next.set(above, true)
  set({ selected: path, toggled: next })
}

/** Puts it into storage; the paths of the snapshots in it, or null when it was refused. */
export async function store(cluster: Cluster, source: Blob | DroppedSource, directory: string): Promise<readonly string[]> {
  const found = await cluster.desk.upload(source, directory)
  askAgain()
  return found
}

/** What was dropped or chosen is shown, not stored: one snapshot at once, of several one is chosen. */
export function openFiles(files: readonly DroppedFile[]): void {
  const found = snapshotsAmong(files)
  const [first, ...others] = found
  if (first === undefined) return say('There is no _metadata in what was dropped: drop the _metadata file of a checkpoint or savepoint, its directory, or a zip of it.')
  if (others.length === 0) return showSnapshot(first)
  useStorage.getState().set({ dropped: found, opened: null, page: 'browse' })
  useView.getState().set({ view: 'storage', firstMinute: false })
}
