/**
 * Handles of keyed state in `_metadata`, of every backend. Flink: MetadataV2V3SerializerBase. A type byte (0 none), then:
 *
 *   3, 7    i4 start, i4 count, count × i8 offset, stream
 *   12      as 3, UTF id
 *   5       i8 checkpoint, UTF backend, i4 start, i4 count, meta stream, shared files, private files
 *   11      i8 checkpoint, UTF backend, i4 start, i4 count, i8 checkpointed size, meta stream, shared files, private files, UTF id
 *   8, 14   i4 start, i4 count, i8 checkpointed size, keyed handles, keyed handles, i8 materialisation [14: i8 checkpoint, UTF id]
 *   9       i4 start, i4 count, i8 from, i8 to, i4 count × {i4 key group, blob}, UTF id
 *   10, 13  i4 start, i4 count, i4 count × {i8 offset, stream}, i8 size, i8 checkpointed size, UTF id [13: UTF storage]
 *   files   i4 count × {UTF name, stream}
 */
import { unreachable } from '../base/assert.ts'
import type { KeyGroupRange } from '../model/state-handles.ts'
import type { DataInput } from '../state/serializers/data-input.ts'
import type { DataOutput } from '../state/serializers/data-output.ts'
import type { ChangeFilesRef, ChangelogRef, ChangesRef, IncrementalRef, KeyedRef, KeyGroupsRef, SharedFile } from './model.ts'
import { readOffsets, readStreamHandle, writeOffsets, writeStreamHandle } from './stream-handle-serializer.ts'

const NONE = 0
/** A changelog handle holds others; none holds a changelog handle. One level more is allowed, deeper is damage. */
const DEPTH_MAX = 3

export function writeKeyedHandle(out: DataOutput, handle: KeyedRef | null): void {
  if (handle === null) return out.writeByte(NONE)
  out.writeByte(handle.type)
  switch (handle.kind) {
    case 'key-groups':
      out.writeInt(handle.range.start)
      writeOffsets(out, handle.offsets)
      writeStreamHandle(out, handle.stream)
      if (handle.type === 12) out.writeUTF(handle.id ?? '')
      return
    case 'incremental':
      return writeIncremental(out, handle)
    case 'changelog':
      return writeChangelog(out, handle)
    case 'changes':
      return writeChanges(out, handle)
    case 'change-files':
      return writeChangeFiles(out, handle)
    default:
      unreachable(handle)
  }
}

export function readKeyedHandle(input: DataInput, depth = 0): KeyedRef | null {
  const at = input.position
  const type = input.readByte('the type of a keyed state handle')
  switch (type) {
    case NONE:
      return null
    case 3:
    case 7:
    case 12:
      return readKeyGroups(input, type)
    case 5:
    case 11:
      return readIncremental(input, type)
    case 8:
    case 14:
      if (depth >= DEPTH_MAX) throw input.errorAt(at, 'a keyed state handle', 'found a changelog handle nested too deeply')
      return readChangelog(input, type, depth)
    case 9:
      return readChanges(input)
    case 10:
    case 13:
      return readChangeFiles(input, type)
    default:
      throw input.errorAt(at, 'a keyed state handle (type 0, 3, 5 or 7–14)', `found type ${type}`)
  }
}

function readKeyGroups(input: DataInput, type: 3 | 7 | 12): KeyGroupsRef {
  const start = input.readInt('the first key group')
  const offsets = readOffsets(input)
  const stream = readStreamHandle(input)
  const id = type === 12 ? input.readUTF('the id of a state handle') : null
  return { kind: 'key-groups', type, range: { start, end: start + offsets.length - 1 }, offsets, stream, id }
}

function writeRange(out: DataOutput, range: KeyGroupRange): void {
  out.writeInt(range.start)
  out.writeInt(range.end - range.start + 1)
}

function readRange(input: DataInput): KeyGroupRange {
  const start = input.readInt('the first key group')
  return { start, end: start + input.readInt('the number of key groups') - 1 }
}

function writeIncremental(out: DataOutput, handle: IncrementalRef): void {
  out.writeLong(handle.checkpointId)
  out.writeUTF(handle.backendId)
  writeRange(out, handle.range)
  if (handle.type === 11) out.writeLong(handle.checkpointedSize ?? 0)
  writeStreamHandle(out, handle.meta)
  for (const files of [handle.shared, handle.private]) {
    out.writeInt(files.length)
    for (const { name, stream } of files) {
      out.writeUTF(name)
      writeStreamHandle(out, stream)
    }
  }
  if (handle.type === 11) out.writeUTF(handle.id ?? '')
}

function readIncremental(input: DataInput, type: 5 | 11): IncrementalRef {
  const checkpointId = input.readLong('a checkpoint id')
  const backendId = input.readUTF('the id of a backend')
  const range = readRange(input)
  const checkpointedSize = type === 11 ? input.readLong('the checkpointed size') : null
  const meta = readStreamHandle(input)
  const shared = readFiles(input, 'shared')
  const own = readFiles(input, 'private')
  const id = type === 11 ? input.readUTF('the id of a state handle') : null
  return { kind: 'incremental', type, checkpointId, backendId, range, checkpointedSize, meta, shared, private: own, id }
}

function readFiles(input: DataInput, what: string): SharedFile[] {
  const files: SharedFile[] = []
  for (let n = input.readCount(`the number of ${what} files`, 3); n > 0; n--) {
    const name = input.readUTF('a local file name')
    files.push({ name, stream: readStreamHandle(input) })
  }
  return files
}

function writeChangelog(out: DataOutput, handle: ChangelogRef): void {
  writeRange(out, handle.range)
  out.writeLong(handle.checkpointedSize)
  for (const part of [handle.materialized, handle.increments]) {
    out.writeInt(part.length)
    for (const nested of part) writeKeyedHandle(out, nested)
  }
  out.writeLong(handle.materializationId)
  if (handle.type !== 14) return
  out.writeLong(handle.checkpointId ?? 0)
  out.writeUTF(handle.id ?? '')
}

function readChangelog(input: DataInput, type: 8 | 14, depth: number): ChangelogRef {
  const range = readRange(input)
  const checkpointedSize = input.readLong('the checkpointed size')
  const readNested = (what: string): (KeyedRef | null)[] => {
    const handles: (KeyedRef | null)[] = []
    for (let n = input.readCount(`the number of ${what}`); n > 0; n--) handles.push(readKeyedHandle(input, depth + 1))
    return handles
  }
  const materialized = readNested('materialised states')
  const increments = readNested('increments')
  const materializationId = input.readLong('a materialisation id')
  const checkpointId = type === 14 ? input.readLong('a checkpoint id') : null
  const id = type === 14 ? input.readUTF('the id of a state handle') : null
  return { kind: 'changelog', type, range, checkpointedSize, materialized, increments, materializationId, checkpointId, id }
}

function writeChanges(out: DataOutput, handle: ChangesRef): void {
  writeRange(out, handle.range)
  out.writeLong(handle.from)
  out.writeLong(handle.to)
  out.writeInt(handle.changes.length)
  for (const { keyGroup, bytes } of handle.changes) {
    out.writeInt(keyGroup)
    out.writeBlob(bytes)
  }
  out.writeUTF(handle.id)
}

function readChanges(input: DataInput): ChangesRef {
  const range = readRange(input)
  const from = input.readLong('the first change')
  const to = input.readLong('the last change')
  const changes: ChangesRef['changes'][number][] = []
  for (let n = input.readCount('the number of changes', 8); n > 0; n--) {
    const keyGroup = input.readInt('a key group')
    changes.push({ keyGroup, bytes: input.readBlob('a change') })
  }
  return { kind: 'changes', type: 9, range, from, to, changes, id: input.readUTF('the id of a state handle') }
}

function writeChangeFiles(out: DataOutput, handle: ChangeFilesRef): void {
  writeRange(out, handle.range)
  out.writeInt(handle.files.length)
  for (const { offset, stream } of handle.files) {
    out.writeLong(offset)
    writeStreamHandle(out, stream)
  }
  out.writeLong(handle.size)
  out.writeLong(handle.checkpointedSize)
  out.writeUTF(handle.id)
  if (handle.type === 13) out.writeUTF(handle.storage ?? '')
}

function readChangeFiles(input: DataInput, type: 10 | 13): ChangeFilesRef {
  const range = readRange(input)
  const files: ChangeFilesRef['files'][number][] = []
  for (let n = input.readCount('the number of files', 9); n > 0; n--) {
    const offset = input.readLong('an offset')
    files.push({ offset, stream: readStreamHandle(input) })
  }
  const size = input.readLong('the size')
  const checkpointedSize = input.readLong('the checkpointed size')
  const id = input.readUTF('the id of a state handle')
  return { kind: 'change-files', type, range, files, size, checkpointedSize, id, storage: type === 13 ? input.readUTF('the kind of storage') : null }
}
