/**
 * What the page may ask about files and snapshots: the storage worker answers (comlink). Plain data and Blobs only. Every call rejects with an error
 * that says what, where and what to do; nothing that was there is changed by a call that rejects.
 */
import type { JobDocument } from '../../model/job-document.ts'
import type { SavepointRestoreSettings } from '../../model/restore.ts'
import type { RestoreVerdict } from '../../model/restore-verdict.ts'
import type { ExportTarget, KeySearch, SnapshotComparison, StorageReference, StorageTree } from '../../model/snapshot-desk.ts'
import type { SnapshotView } from '../../model/snapshot-view.ts'

/** A snapshot in storage, or one that was dropped on the page. Paths of dropped files are relative to what was dropped. */
export type SnapshotSource =
  /** Directory, or its `_metadata`. */
  | { readonly kind: 'stored'; readonly path: string }
  | { readonly kind: 'dropped'; readonly name: string; readonly files: readonly { readonly path: string; readonly file: Blob }[] }

export interface ExportedSavepoint {
  readonly zip: Blob
  readonly fileName: string
  /** What the target cannot hold, and is therefore not in the file. */
  readonly losses: readonly string[]
}

export interface SnapshotDesk {
  tree(): Promise<StorageTree>
  /** `onProgress` (a comlink proxy) hears the share that has been read, 0 to 1. */
  open(source: SnapshotSource, onProgress?: (share: number) => void): Promise<SnapshotView>
  /** Tries uids against an operator id: the one whose hash it is, or null. */
  uidOf(operatorId: string, candidates: readonly string[]): Promise<string | null>
  compare(a: SnapshotSource, b: SnapshotSource): Promise<SnapshotComparison>
  /** `key` as typed: a number, a text, `true`, or a JSON list for a tuple. */
  search(source: SnapshotSource, key: string): Promise<KeySearch>
  verdict(source: SnapshotSource, document: JobDocument, settings: Omit<SavepointRestoreSettings, 'path'>): Promise<RestoreVerdict>
  /** What would be lost: who needs any of these. Asked before `remove`. */
  needing(paths: readonly string[]): Promise<readonly StorageReference[]>
  /** Files, or directories with all below them. */
  remove(paths: readonly string[]): Promise<void>
  copy(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** A directory as one file, with its names relative to it. */
  download(path: string): Promise<{ readonly zip: Blob; readonly fileName: string }>
  /** A zip or loose files below `directory`; answers with the directories of the snapshots found in it. */
  upload(source: Blob | Extract<SnapshotSource, { readonly kind: 'dropped' }>, directory: string): Promise<readonly string[]>
  exportFor(source: SnapshotSource, target: ExportTarget): Promise<ExportedSavepoint>
}
