import type { KeyedStateHandle, KeyGroupRange } from '../../model/state-handles.ts'
import { CanonicalFileReader } from './canonical-file-reader.ts'
import type { KeyedFileHeader } from './keyed-file-header.ts'
import { KeyedFileReader } from './keyed-file-reader.ts'
import type { EntryReader } from './keyed-file-reader.ts'

/** A keyed file of either kind, whose header has been read. */
export interface KeyedFile {
  readonly header: KeyedFileHeader
  read(range: KeyGroupRange, reader: EntryReader): void
}

/** `maxParallelism`: of the snapshot. Throws `FormatError` where the header cannot be read. */
export const openKeyedFile = (handle: KeyedStateHandle, bytes: Uint8Array, maxParallelism: number): KeyedFile =>
  handle.kind === 'key-groups' ? new KeyedFileReader(handle, bytes) : new CanonicalFileReader(handle, bytes, maxParallelism)
