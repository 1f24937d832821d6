/** What is known of each `_metadata` that was read, so that listing some thousand files again reads only what is new. */
import type { FileEntry } from '../../../model/storage.ts'
import { readSavepoint } from '../../../savepoint/savepoint-reader.ts'
import { snapshotFacts, type SnapshotFacts } from '../../../savepoint/snapshot-facts.ts'
import type { DeskFiles } from './desk-files.ts'

/** Facts, or why there are none. */
export type KnownSnapshot = { readonly facts: SnapshotFacts; readonly problem: null } | { readonly facts: null; readonly problem: string }

const KNOWN_MAX = 10_000
/** All state may be inline (JobManager storage), but nobody lists files to wait for gigabytes. */
const METADATA_MAX = 256 * 1024 * 1024

export class MetadataCache {
  private readonly files: DeskFiles
  /** By path, size and time of the last change, the latest used last. */
  private readonly known = new Map<string, KnownSnapshot>()

  constructor(files: DeskFiles) {
    this.files = files
  }

  /** Of every `_metadata` among these, by its path. */
  async of(entries: readonly FileEntry[]): Promise<ReadonlyMap<string, KnownSnapshot>> {
    const result = new Map<string, KnownSnapshot>()
    for (const entry of entries) {
      const key = `${entry.size} ${entry.modifiedAt} ${entry.path}`
      const known = this.known.get(key) ?? (await this.read(entry))
      this.known.delete(key)
      this.known.set(key, known)
      result.set(entry.path, known)
    }
    for (const key of this.known.keys()) {
      if (this.known.size <= KNOWN_MAX) break
      this.known.delete(key)
    }
    return result
  }

  private async read({ path, size }: FileEntry): Promise<KnownSnapshot> {
    if (size > METADATA_MAX) return { facts: null, problem: `_metadata has ${size} bytes, more than the ${METADATA_MAX} that are looked at` }
    try {
      return { facts: snapshotFacts(readSavepoint(await this.files.read(path))), problem: null }
    } catch (error) {
      return { facts: null, problem: `_metadata cannot be read: ${error instanceof Error ? error.message : String(error)}` }
    }
  }
}
