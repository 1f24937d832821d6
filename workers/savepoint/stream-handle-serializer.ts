/**
 * Stream handles in `_metadata`: where bytes are. Flink: MetadataV2V3SerializerBase. A type byte, then:
 *
 *   0 none | 1 UTF name, blob | 2 i8 size, UTF path | 6 UTF name, i8 size
 *   15 i8 start, i8 size, i4 scope, UTF path, UTF logical file | 16 nothing
 */
import { unreachable } from '../base/assert.ts'
import type { DataInput } from '../state/serializers/data-input.ts'
import type { DataOutput } from '../state/serializers/data-output.ts'
import type { SegmentScope, StreamRef } from './model.ts'

const NONE = 0
const BYTE_STREAM = 1
const FILE = 2
const RELATIVE = 6
const FILE_SEGMENT = 15
const EMPTY_SEGMENT = 16
const SCOPES: readonly SegmentScope[] = ['EXCLUSIVE', 'SHARED']

export function writeStreamHandle(out: DataOutput, handle: StreamRef | null): void {
  if (handle === null) return out.writeByte(NONE)
  switch (handle.kind) {
    case 'bytes':
      out.writeByte(BYTE_STREAM)
      out.writeUTF(handle.name)
      return out.writeBlob(handle.bytes)
    case 'file':
      out.writeByte(FILE)
      out.writeLong(handle.size)
      return out.writeUTF(handle.path)
    case 'relative':
      out.writeByte(RELATIVE)
      out.writeUTF(handle.name)
      return out.writeLong(handle.size)
    case 'segment':
      out.writeByte(FILE_SEGMENT)
      out.writeLong(handle.start)
      out.writeLong(handle.size)
      out.writeInt(SCOPES.indexOf(handle.scope))
      out.writeUTF(handle.path)
      return out.writeUTF(handle.logicalFile)
    case 'empty-segment':
      return out.writeByte(EMPTY_SEGMENT)
    default:
      unreachable(handle)
  }
}

export function readStreamHandle(input: DataInput): StreamRef | null {
  const at = input.position
  const type = input.readByte('the type of a stream handle')
  switch (type) {
    case NONE:
      return null
    case BYTE_STREAM: {
      const name = input.readUTF('the name of a byte stream')
      return { kind: 'bytes', name, bytes: input.readBlob('the bytes of a byte stream') }
    }
    case FILE: {
      const size = readSize(input, 'the size of a file')
      return { kind: 'file', path: input.readUTF('the path of a file'), size }
    }
    case RELATIVE: {
      const name = input.readUTF('the name of a file')
      return { kind: 'relative', name, size: readSize(input, 'the size of a file') }
    }
    case FILE_SEGMENT:
      return readSegment(input)
    case EMPTY_SEGMENT:
      return { kind: 'empty-segment' }
    default:
      throw input.errorAt(at, 'a stream handle (type 0, 1, 2, 6, 15 or 16)', `found type ${type}`)
  }
}

function readSegment(input: DataInput): StreamRef {
  const start = readSize(input, 'the start of a segment')
  const size = readSize(input, 'the size of a segment')
  const at = input.position
  const scope = SCOPES[input.readInt('the scope of a segment')]
  if (scope === undefined) throw input.errorAt(at, 'the scope of a segment (0 or 1)', 'found another number')
  const path = input.readUTF('the path of a merged file')
  return { kind: 'segment', start, size, scope, path, logicalFile: input.readUTF('the id of a logical file') }
}

function readSize(input: DataInput, what: string): number {
  const at = input.position
  const size = input.readLong(what)
  if (size < 0) throw input.errorAt(at, what, `found ${size}`)
  return size
}

export function writeOffsets(out: DataOutput, offsets: readonly number[]): void {
  out.writeInt(offsets.length)
  for (const offset of offsets) out.writeLong(offset)
}

export function readOffsets(input: DataInput): number[] {
  const count = input.readCount('the number of offsets', 8)
  const offsets = new Array<number>(count)
  for (let i = 0; i < count; i++) offsets[i] = input.readLong('an offset')
  return offsets
}
