/** Snapshots on the disk for the reader, which asks for slices of files and never opens one itself. */
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { err, ok, type Result } from '../../workers/base/result.ts'
import { openSnapshot, type OpenedSnapshot, type OpenLimits } from '../../workers/savepoint/open-snapshot.ts'
import { runPlan, type Slice } from '../../workers/savepoint/read-plan.ts'

export interface SnapshotDirectory {
  /** Relative to the folder that was searched. */
  readonly name: string
  readonly path: string
  readonly sizes: ReadonlyMap<string, number>
}

const LIMITS: OpenLimits = { sample: 100, bytes: 1 << 30, values: 50_000_000 }

/** Every folder below `root` with a `_metadata`, by name. */
export function findSnapshots(root: string): SnapshotDirectory[] {
  const found: SnapshotDirectory[] = []
  const visit = (path: string): void => {
    const entries = readdirSync(path, { withFileTypes: true })
    if (entries.some((entry) => entry.isFile() && entry.name === '_metadata')) found.push({ name: relative(root, path), path, sizes: sizesBelow(path) })
    for (const entry of entries) if (entry.isDirectory()) visit(join(path, entry.name))
  }
  visit(root)
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export function sizesBelow(root: string): Map<string, number> {
  const sizes = new Map<string, number>()
  const visit = (path: string): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const child = join(path, entry.name)
      if (entry.isDirectory()) visit(child)
      else sizes.set(relative(root, child).replaceAll('\\', '/'), statSync(child).size)
    }
  }
  visit(root)
  return sizes
}

/** A file's slice as the plan asks for it. */
export function readSlice(directory: SnapshotDirectory, { name, offset, length }: Slice): Uint8Array {
  const file = openSync(join(directory.path, name), 'r')
  try {
    const bytes = new Uint8Array(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
  } finally {
    closeSync(file)
  }
}

export const readMetadataFile = (directory: SnapshotDirectory): Uint8Array => new Uint8Array(readFileSync(join(directory.path, '_metadata')))

export function openDirectory(directory: SnapshotDirectory, metadata: Uint8Array): Result<OpenedSnapshot, string> {
  try {
    return ok(runPlan(openSnapshot(metadata, directory.sizes, LIMITS), (slice) => readSlice(directory, slice)))
  } catch (error) {
    return err((error as Error).message)
  }
}
