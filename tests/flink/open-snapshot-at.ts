import { basename, dirname } from 'node:path'
import { openDirectory, readMetadataFile, sizesBelow } from '../../scripts/samples/open-directory.ts'
import type { OpenedSnapshot } from '../../workers/savepoint/open-snapshot.ts'

/**
 * The snapshot in a folder. Of a checkpoint (`chk-N`) the folder of its job is opened, since files that it shares with others lie beside it.
 * Throws where it cannot be opened.
 */
export function openSnapshotAt(path: string): OpenedSnapshot {
  const root = rootOf(path)
  const directory = { name: '', path: root, sizes: sizesBelow(root) }
  const opened = openDirectory(directory, readMetadataFile({ ...directory, path }))
  if (!opened.ok) throw new Error(`${path}: ${opened.error}`)
  return opened.value
}

export const rootOf = (path: string): string => (basename(path).startsWith('chk-') ? dirname(path) : path)
