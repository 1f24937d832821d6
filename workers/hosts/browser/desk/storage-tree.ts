/**
 * Everything in storage as Flink lays it out (behaviour 10.3): what each file and folder is, who needs it, and which snapshot would still
 * restore. A plain function of the listing, what `_metadata` files say, and what jobs keep.
 */
import type { SnapshotSummary, StorageNode, StorageNodeKind, StorageReference } from '../../../model/snapshot-desk.ts'
import type { FileEntry } from '../../../model/storage.ts'
import { storagePathOf } from '../../../model/storage-path.ts'
import type { NeededFile, SnapshotFacts } from '../../../savepoint/snapshot-facts.ts'
import { isHighAvailability, jobOfHighAvailability, type KeptSnapshots } from './kept-snapshots.ts'
import type { KnownSnapshot } from './metadata-cache.ts'

const JOB_DIRECTORY = /\/[0-9a-f]{32}$/
const CHECKPOINT_DIRECTORY = /\/chk-\d+$/

/** By path, parents before what is in them. */
export function storageNodes(entries: readonly FileEntry[], known: ReadonlyMap<string, KnownSnapshot>, kept: KeptSnapshots): StorageNode[] {
  const sizes = new Map(entries.map(({ path, size }) => [path, size]))
  const snapshots = new Map([...known].map(([path, one]) => [parentOf(path), one]))
  const references = new References(kept)
  for (const [directory, { facts }] of snapshots) references.addSnapshot(directory, facts)
  const nodes = new Map<string, Gathered>()
  for (const entry of entries) {
    for (const directory of parentsOf(entry.path)) gather(nodes, directory, true, entry)
    gather(nodes, entry.path, false, entry)
  }
  const kinds = new Kinds(snapshots)
  return [...nodes.values()].sort(byPath).map(({ path, isDirectory, size, files, modifiedAt }) => {
    const one = isDirectory ? snapshots.get(path) : undefined
    const snapshot = one === undefined ? null : summary(path, one, sizes)
    return { path, isDirectory, kind: kinds.of(path, isDirectory), size, files, modifiedAt, references: references.of(path, isDirectory, one !== undefined), snapshot }
  })
}

/** Where a file that a snapshot needs lies in storage; null where its name leads nowhere. */
export function neededPath(directory: string, { path, isRelative }: Pick<NeededFile, 'path' | 'isRelative'>): string | null {
  const place = storagePathOf(isRelative ? `${directory}/${path}` : path)
  return place.ok ? place.value : null
}

interface Gathered {
  readonly path: string
  readonly isDirectory: boolean
  size: number
  files: number
  modifiedAt: number
}

function gather(nodes: Map<string, Gathered>, path: string, isDirectory: boolean, { size, modifiedAt }: FileEntry): void {
  const node = nodes.get(path)
  if (node === undefined) {
    nodes.set(path, { path, isDirectory, size, files: 1, modifiedAt })
    return
  }
  node.size += size
  node.files++
  node.modifiedAt = Math.max(node.modifiedAt, modifiedAt)
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Every directory above a path, the nearest first. */
export function* parentsOf(path: string): Generator<string> {
  for (let at = parentOf(path); at !== ''; at = parentOf(at)) yield at
}

/** A directory stands before what is in it: `/` counts less than any other character. */
const byPath = (a: Gathered, b: Gathered): number => (sortKey(a.path) < sortKey(b.path) ? -1 : 1)
const sortKey = (path: string): string => path.replaceAll('/', '\u0000')

class Kinds {
  private readonly snapshots: ReadonlyMap<string, KnownSnapshot>

  constructor(snapshots: ReadonlyMap<string, KnownSnapshot>) {
    this.snapshots = snapshots
  }

  of(path: string, isDirectory: boolean): StorageNodeKind {
    if (isHighAvailability(path)) return 'ha'
    if (isDirectory) return this.ofDirectory(path)
    if (nameOf(path) === '_metadata') return 'metadata'
    for (const directory of parentsOf(path)) if (['checkpoint', 'savepoint', 'shared', 'taskowned'].includes(this.ofDirectory(directory))) return 'state'
    return 'other'
  }

  private ofDirectory(path: string): StorageNodeKind {
    const snapshot = this.snapshots.get(path)
    if (snapshot !== undefined) {
      const kind = snapshot.facts?.kind ?? 'unknown'
      if (kind.endsWith('savepoint')) return 'savepoint'
      return kind.endsWith('checkpoint') || CHECKPOINT_DIRECTORY.test(path) ? 'checkpoint' : 'savepoint'
    }
    if (CHECKPOINT_DIRECTORY.test(path)) return 'checkpoint'
    if (JOB_DIRECTORY.test(path)) return 'job'
    const name = nameOf(path)
    return name === 'shared' || name === 'taskowned' ? name : 'folder'
  }
}

class References {
  private readonly kept: KeptSnapshots
  private readonly byFile = new Map<string, Set<string>>()
  /** Of directories: the snapshots that need something in it. */
  private readonly byDirectory = new Map<string, Set<string>>()

  constructor(kept: KeptSnapshots) {
    this.kept = kept
  }

  addSnapshot(directory: string, facts: SnapshotFacts | null): void {
    for (const file of facts?.needed ?? []) {
      const path = neededPath(directory, file)
      if (path === null) continue
      add(this.byFile, path, directory)
      for (const parent of parentsOf(path)) add(this.byDirectory, parent, directory)
    }
  }

  of(path: string, isDirectory: boolean, isSnapshot: boolean): readonly StorageReference[] {
    const jobs = new Set(isDirectory ? this.keepersBelow(path) : this.keepersOfFile(path))
    const owner = jobOfHighAvailability(path) ?? this.ownerOf(path, isDirectory, isSnapshot)
    if (owner !== null && this.kept.jobs.includes(owner)) jobs.add(owner)
    const snapshots = [...((isDirectory ? this.byDirectory : this.byFile).get(path) ?? [])].filter((snapshot) => !isDirectory || !isAtOrBelow(snapshot, path))
    return [...[...jobs].map((who) => ({ by: 'job' as const, who })), ...snapshots.map((who) => ({ by: 'snapshot' as const, who }))]
  }

  private *keepersBelow(path: string): Generator<string> {
    for (const [directory, jobs] of this.kept.keepers) if (isAtOrBelow(directory, path)) yield* jobs
  }

  private keepersOfFile(path: string): readonly string[] {
    return nameOf(path) === '_metadata' ? (this.kept.keepers.get(parentOf(path)) ?? []) : []
  }

  /** The job whose checkpoint is being written there, or whose directory it is. */
  private ownerOf(path: string, isDirectory: boolean, isSnapshot: boolean): string | null {
    if (!isDirectory || isSnapshot) return null
    const directory = JOB_DIRECTORY.test(path) ? path : parentOf(path)
    return JOB_DIRECTORY.test(directory) ? nameOf(directory) : null
  }
}

const isAtOrBelow = (path: string, directory: string): boolean => path === directory || path.startsWith(`${directory}/`)

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([value]))
  else set.add(value)
}

function summary(directory: string, { facts, problem }: KnownSnapshot, sizes: ReadonlyMap<string, number>): SnapshotSummary {
  if (facts === null) {
    return { checkpointId: 0, kind: 'unknown', operators: 0, isRestorable: false, problem, relativeHandles: 0, absoluteHandles: 0, inlineHandles: 0 }
  }
  const missing = facts.needed.flatMap((file) => {
    const why = whyNotThere(directory, file, sizes)
    return why === null ? [] : [why]
  })
  const more = missing.length > 1 ? ` (and ${missing.length - 1} more)` : ''
  const { checkpointId, kind, operators, relativeHandles, absoluteHandles, inlineHandles } = facts
  return { checkpointId, kind, operators, isRestorable: missing.length === 0, problem: missing.length === 0 ? null : `${missing[0]}${more}`, relativeHandles, absoluteHandles, inlineHandles }
}

function whyNotThere(directory: string, file: NeededFile, sizes: ReadonlyMap<string, number>): string | null {
  const path = neededPath(directory, file)
  const size = path === null ? undefined : sizes.get(path)
  if (size === undefined) {
    return file.isRelative ? `the file ${file.path} is missing` : `it names ${file.path} by its absolute path, and no file is there: a checkpoint with such files cannot be moved`
  }
  if (size === file.size || (file.isPart && size > file.size)) return null
  return `the file ${file.path} has ${size} bytes, its handle says ${file.isPart ? 'at least ' : ''}${file.size}`
}
