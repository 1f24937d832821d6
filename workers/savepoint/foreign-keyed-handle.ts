/**
 * Keyed handles that Flink writes and this engine does not restore yet. Each is read to its end, strictly, and named in words. Flink:
 * MetadataV2V3SerializerBase.
 */
import type { DataInput } from '../state/serializers/data-input.ts'
import { readOffsets, readStreamHandle } from './stream-handle-serializer.ts'
import type { Note } from './stream-handle-serializer.ts'

const ignore = (): void => undefined

/** Reads a keyed handle that stands inside another one. */
type ReadNested = (input: DataInput, note: Note) => unknown

/** Passes over the rest of a keyed handle behind its type byte; returns what it was. */
export function skipForeignKeyed(input: DataInput, type: number, at: number, readNested: ReadNested): string {
  switch (type) {
    case 3:
    case 7:
      input.readInt('the first key group')
      readOffsets(input)
      readStreamHandle(input, ignore)
      return type === 7 ? 'keyed state of a canonical savepoint' : 'keyed state in the form of Flink before 1.15'
    case 5:
    case 11:
      skipIncremental(input, type === 11)
      return 'incremental RocksDB state'
    case 8:
    case 14:
      skipChangelog(input, type === 14, readNested)
      return 'state of the changelog backend'
    case 9:
      skipChanges(input)
      return 'inline changes of the changelog backend'
    case 10:
    case 13:
      skipChangeFiles(input, type === 13)
      return 'changes of the changelog backend'
    default:
      throw input.errorAt(at, 'a keyed state handle (type 0, 3, 5 or 7–14)', `found type ${type}`)
  }
}

function skipIncremental(input: DataInput, isV2: boolean): void {
  input.readLong('a checkpoint id')
  input.readUTF('the id of a backend')
  skipRange(input)
  if (isV2) input.readLong('the checkpointed size')
  readStreamHandle(input, ignore)
  for (const part of ['shared', 'private']) {
    for (let n = input.readCount(`the number of ${part} files`, 3); n > 0; n--) {
      input.readUTF('a local file name')
      readStreamHandle(input, ignore)
    }
  }
  if (isV2) input.readUTF('the id of a state handle')
}

function skipChangelog(input: DataInput, isV2: boolean, readNested: ReadNested): void {
  skipRange(input)
  input.readLong('the checkpointed size')
  for (const part of ['materialised states', 'increments']) {
    for (let n = input.readCount(`the number of ${part}`); n > 0; n--) readNested(input, ignore)
  }
  input.readLong('a materialisation id')
  if (!isV2) return
  input.readLong('a checkpoint id')
  input.readUTF('the id of a state handle')
}

function skipChanges(input: DataInput): void {
  skipRange(input)
  input.readLong('the first change')
  input.readLong('the last change')
  for (let n = input.readCount('the number of changes', 8); n > 0; n--) {
    input.readInt('a key group')
    input.readBlob('a change')
  }
  input.readUTF('the id of a state handle')
}

function skipChangeFiles(input: DataInput, hasStorage: boolean): void {
  skipRange(input)
  for (let n = input.readCount('the number of files', 9); n > 0; n--) {
    input.readLong('an offset')
    readStreamHandle(input, ignore)
  }
  input.readLong('the size')
  input.readLong('the checkpointed size')
  input.readUTF('the id of a state handle')
  if (hasStorage) input.readUTF('the kind of storage')
}

function skipRange(input: DataInput): void {
  input.readInt('the first key group')
  input.readInt('the number of key groups')
}
