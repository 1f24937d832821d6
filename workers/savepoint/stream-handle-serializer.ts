/**
 * Stream handles in `_metadata`: where bytes are. Flink: MetadataV2V3SerializerBase. A type byte, then:
 *
 *   0 none | 1 UTF name, blob | 2 i8 size, UTF path | 6 UTF name, i8 size
 *
 * Segments of merged files (15, 16) are passed over and named: the engine does not restore them yet.
 */
import { unreachable } from '../base/assert.ts'
import type { StreamHandle } from '../model/state-handles.ts'
import type { DataInput } from '../state/serializers/data-input.ts'
import type { DataOutput } from '../state/serializers/data-output.ts'

const NONE = 0
const BYTE_STREAM = 1
const FILE = 2
const RELATIVE = 6
const FILE_SEGMENT = 15
const EMPTY_SEGMENT = 16

/** Where things are noted that the engine cannot restore. */
export type Note = (what: string) => void

export function writeStreamHandle(out: DataOutput, handle: StreamHandle | null): void {
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
    default:
      unreachable(handle)
  }
}

export function readStreamHandle(input: DataInput, note: Note): StreamHandle | null {
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
      const size = input.readLong('the size of a file')
      return { kind: 'file', path: input.readUTF('the path of a file'), size }
    }
    case RELATIVE: {
      const name = input.readUTF('the name of a file')
      return { kind: 'relative', name, size: input.readLong('the size of a file') }
    }
    default:
      note(skipForeignStream(input, type, at))
      return null
  }
}

export function readOffsets(input: DataInput): number[] {
  const count = input.readCount('the number of offsets', 8)
  const offsets = new Array<number>(count)
  for (let i = 0; i < count; i++) offsets[i] = input.readLong('an offset')
  return offsets
}

/** Passes over the rest of a stream handle behind its type byte; returns what it was. */
function skipForeignStream(input: DataInput, type: number, at: number): string {
  switch (type) {
    case FILE_SEGMENT:
      input.readLong('the start of a segment')
      input.readLong('the size of a segment')
      input.readInt('the scope of a segment')
      input.readUTF('the path of a merged file')
      input.readUTF('the id of a logical file')
      return 'a segment of a merged file'
    case EMPTY_SEGMENT:
      return 'an empty segment of a merged file'
    default:
      throw input.errorAt(at, 'a stream handle (type 0, 1, 2, 6, 15 or 16)', `found type ${type}`)
  }
}
