/** The desk: reads, compares, searches, moves and packs snapshots. Every call rejects with what, where and what to do. */
import type { JobDocument } from '../../../model/job-document.ts'
import type { SavepointRestoreSettings } from '../../../model/restore.ts'
import type { RestoreVerdict } from '../../../model/restore-verdict.ts'
import type { ExportTarget, KeySearch, SnapshotComparison, StorageReference, StorageTree } from '../../../model/snapshot-desk.ts'
import type { SnapshotView } from '../../../model/snapshot-view.ts'
import { exportSavepoint, type ExportedFile } from '../../../savepoint/export-savepoint.ts'
import { DEFAULT_LIMITS, openSnapshot, type OpenedSnapshot, type OpenLimits } from '../../../savepoint/open-snapshot.ts'
import { searchKey } from '../../../savepoint/search-key.ts'
import { matchUids } from '../../../savepoint/uid-candidates.ts'
import type { FileSystem } from '../../../storage/file-system.ts'
import type { ExportedSavepoint, SnapshotDesk, SnapshotSource } from '../snapshot-desk.ts'
import { comparisonRows } from './comparison-rows.ts'
import { DeskFiles } from './desk-files.ts'
import { drivePlan } from './drive-plan.ts'
import { keptSnapshots } from './kept-snapshots.ts'
import { MetadataCache } from './metadata-cache.ts'
import { copy, needing, remove, rename } from './moving.ts'
import { pack, type FileToPack } from './pack.ts'
import { openSource, whole, type DroppedSource, type SnapshotDirectory } from './snapshot-source.ts'
import { nameOf, parentOf, storageNodes } from './storage-tree.ts'
import { askVerdict } from './restore-question.ts'
import { upload } from './upload.ts'

/** As the browser tells it; null where it does not. */
export type AskQuota = () => Promise<StorageTree['quota']>

/** Some twenty seconds of work at most: a million entries with a few fields each are read to the end. */
const LIMITS: OpenLimits = { ...DEFAULT_LIMITS, bytes: 512 * 1024 * 1024, values: 20_000_000 }
const COMPARE_LIMITS: OpenLimits = { ...LIMITS, sample: 20_000 }

export class Desk implements SnapshotDesk {
  private readonly files: DeskFiles
  private readonly cache: MetadataCache
  private readonly quota: AskQuota

  constructor(files: FileSystem, quota: AskQuota) {
    this.files = new DeskFiles(files)
    this.cache = new MetadataCache(this.files)
    this.quota = quota
  }

  async tree(): Promise<StorageTree> {
    const entries = await this.files.all()
    const known = await this.cache.of(entries.filter(({ path }) => path.endsWith('/_metadata')))
    const kept = await keptSnapshots(this.files, entries)
    return { nodes: storageNodes(entries, known, kept), quota: await this.quota() }
  }

  async open(source: SnapshotSource, onProgress: (share: number) => void = () => undefined): Promise<SnapshotView> {
    return (await this.opened(await openSource(this.files, source), LIMITS, onProgress)).view
  }

  async uidOf(operatorId: string, candidates: readonly string[]): Promise<string | null> {
    return matchUids([operatorId], candidates).get(operatorId) ?? null
  }

  async compare(a: SnapshotSource, b: SnapshotSource): Promise<SnapshotComparison> {
    const one = await this.opened(await openSource(this.files, a), COMPARE_LIMITS)
    const other = await this.opened(await openSource(this.files, b), COMPARE_LIMITS)
    return comparisonRows(one.view, other.view)
  }

  async search(source: SnapshotSource, key: string): Promise<KeySearch> {
    const directory = await openSource(this.files, source)
    const { found, places } = await drivePlan(searchKey(directory.savepoint, directory.sizes, key, LIMITS), directory)
    const uids = new Map(directory.savepoint.operators.map((operator) => [operator.operatorId as string, operator.uid]))
    return { found: found.map(({ operatorId, state, entry }) => ({ operatorId, uid: uids.get(operatorId) ?? '', state, entry })), places }
  }

  async verdict(source: SnapshotSource, document: JobDocument, settings: Omit<SavepointRestoreSettings, 'path'>): Promise<RestoreVerdict> {
    return askVerdict(await openSource(this.files, source), document, settings, this.files)
  }

  needing(paths: readonly string[]): Promise<readonly StorageReference[]> {
    return needing(paths, this.files, this.cache)
  }

  remove(paths: readonly string[]): Promise<void> {
    return remove(paths, this.files)
  }

  copy(from: string, to: string): Promise<void> {
    return copy(from, to, this.files)
  }

  rename(from: string, to: string): Promise<void> {
    return rename(from, to, this.files, this.cache)
  }

  async download(path: string): Promise<{ readonly zip: Blob; readonly fileName: string }> {
    const entries = await this.files.at(path)
    const isFile = entries.length === 1 && entries[0]?.path === path
    const root = isFile ? parentOf(path) : path === '/' ? '' : path
    const toPack = entries.map((entry): FileToPack => ({
      name: entry.path.slice(root.length + 1),
      size: entry.size,
      read: async (offset, length) => (await this.files.readPart(entry.path, offset, length)) ?? new Uint8Array(),
    }))
    return { zip: await pack(toPack), fileName: `${nameOf(path) || 'weir-storage'}.zip` }
  }

  upload(source: Blob | DroppedSource, directory: string): Promise<readonly string[]> {
    return upload(source, directory, this.files)
  }

  async exportFor(source: SnapshotSource, target: ExportTarget): Promise<ExportedSavepoint> {
    const directory = whole(await openSource(this.files, source))
    const { metadata, files, losses } = await drivePlan(exportSavepoint(directory.savepoint, directory.sizes, target), directory)
    const own: FileToPack = { name: '_metadata', size: metadata.length, read: async (offset, length) => metadata.subarray(offset, offset + length) }
    const zip = await pack([own, ...files.map((file) => toPack(file, directory))])
    return { zip, fileName: `${directory.name || 'savepoint'}-flink-${target.replaceAll(' ', '-')}.zip`, losses }
  }

  private async opened(directory: SnapshotDirectory, limits: OpenLimits, onProgress: (share: number) => void = () => undefined): Promise<OpenedSnapshot> {
    const { metadata, sizes } = directory
    const all = [...sizes].reduce((sum, [name, size]) => (name === '_metadata' ? sum : sum + size), 0)
    const toRead = Math.max(1, Math.min(all, limits.bytes))
    const opened = await drivePlan(openSnapshot(metadata, sizes, limits), {
      read: (slice) => directory.read(slice),
      onRead: (bytes) => onProgress(Math.min(1, bytes / toRead)),
    })
    onProgress(1)
    return opened
  }
}

/** Its pieces one after the other. */
function toPack(file: ExportedFile, directory: SnapshotDirectory): FileToPack {
  return {
    name: file.name,
    size: file.size,
    read: async (offset, length) => {
      let before = 0
      for (const part of file.parts) {
        const at = offset - before
        if (at < part.length) {
          if (part instanceof Uint8Array) return part.subarray(at, at + length)
          const slice = { name: part.name, offset: part.offset + at, length: Math.min(length, part.length - at) }
          return (await directory.read(slice)) ?? new Uint8Array()
        }
        before += part.length
      }
      return new Uint8Array()
    },
  }
}
