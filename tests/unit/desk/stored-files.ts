/** A file system in memory with snapshots in it, as the desk finds them. */
import { Desk } from '../../../workers/hosts/browser/desk/desk.ts'
import type { StorageNode } from '../../../workers/model/snapshot-desk.ts'
import { MemoryFileSystem } from '../../../workers/storage/memory-file-system.ts'
import { MemoryFiles } from '../../../workers/storage/memory-files.ts'
import { foreignSnapshot } from '../savepoint/foreign-snapshot.ts'
import { writeDirectory } from '../savepoint/snapshot-directory.ts'

export const JOB = 'ab'.repeat(16)

export interface Stored {
  readonly desk: Desk
  readonly memory: MemoryFiles
  /** Paths that were read, in order. */
  readonly reads: string[]
  put(path: string, bytes: Uint8Array): void
  bytes(path: string): Uint8Array | null
  paths(): string[]
  node(path: string): Promise<StorageNode>
}

export function stored(quotaBytes = Infinity): Stored {
  const memory = new MemoryFiles(quotaBytes)
  let time = 0
  const files = new MemoryFileSystem(memory, () => ++time)
  const reads: string[] = []
  const execute = files.execute.bind(files)
  files.execute = (op, fence) => {
    if (op.type === 'read') reads.push(op.path)
    return execute(op, fence)
  }
  const desk = new Desk(files, async () => ({ usedBytes: 10, limitBytes: 100 }))
  return {
    desk,
    memory,
    reads,
    put: (path, bytes) => {
      const result = memory.execute({ type: 'transact', writes: [{ path, bytes, createNew: false }], deletes: [], durability: 'relaxed' }, null, ++time)
      if (!result.ok) throw new Error(result.message)
    },
    bytes: (path) => {
      const result = memory.execute({ type: 'read', path }, null)
      return result.ok ? (result.bytes ?? null) : null
    },
    paths: () => memory.entries().map(({ path }) => path),
    node: async (path) => {
      const found = (await desk.tree()).nodes.find((node) => node.path === path)
      if (found === undefined) throw new Error(`no node ${path}`)
      return found
    },
  }
}

/** A checkpoint of two counting subtasks behind two sources, all its files relative. */
export function putCheckpoint({ put }: Stored, directory: string): void {
  const { metadata, files } = writeDirectory()
  put(`${directory}/_metadata`, metadata)
  for (const [path, bytes] of files) put(`${directory}/${path.slice(path.lastIndexOf('/') + 1)}`, bytes)
}

/** State in every form, with files by relative and by absolute paths, of which some are missing. */
export function putForeign({ put }: Stored, directory: string, version = 6): void {
  const { metadata, files } = foreignSnapshot(version)
  put(`${directory}/_metadata`, metadata)
  for (const [name, bytes] of files) put(`${directory}/${name}`, bytes)
}

/** What the high-availability store holds of a job that runs and keeps these checkpoints. */
export function putRunningJob({ put }: Stored, job: string, locations: readonly string[]): void {
  const json = (content: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(content))
  put(`/ha/${job}/job-graph`, json({ document: {}, seed: 1 }))
  put(`/ha/${job}/checkpoints`, json(locations.map((location, i) => ({ checkpointId: i + 1, location }))))
  put(`/ha/${job}/counter`, json({ nextCheckpointId: 9, nextAttempt: 1 }))
}
