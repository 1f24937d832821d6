/**
 * Writes Java's DataOutput: big-endian, no padding. Flink: DataOutputSerializer. The buffer grows by doubling; `patchInt` goes back to
 * a place written before (a count that is known only later).
 */
import { assert } from '../../base/assert.ts'
import { putDouble, putInt, putLong, putString, STRING_LENGTH_BYTES_MAX, STRING_UNIT_BYTES_MAX } from './put.ts'
import { modifiedUtf8Length, writeModifiedUtf8 } from './utf8.ts'

const UTF_BYTES_MAX = 65535

export class DataOutput {
  position = 0
  private bytes: Uint8Array
  private view: DataView

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(Math.max(16, capacity))
    this.view = new DataView(this.bytes.buffer)
  }

  writeByte(value: number): void {
    this.reserve(1)
    this.bytes[this.position++] = value
  }

  writeBoolean(value: boolean): void {
    this.writeByte(value ? 1 : 0)
  }

  writeShort(value: number): void {
    this.reserve(2)
    this.view.setInt16(this.position, value)
    this.position += 2
  }

  /** A signed 32-bit integer; anything else is a bug or a mistake of a function, and never wraps silently. */
  writeInt(value: number): void {
    this.reserve(4)
    this.position = putInt(this.bytes, this.position, value)
  }

  /** A safe integer as a number, any other Long as a bigint. Throws `UnsafeLongError` for a number that is not exact. */
  writeLong(value: number | bigint): void {
    this.reserve(8)
    this.position = putLong(this.bytes, this.position, value)
  }

  /** NaN in the one form that Java writes. */
  writeDouble(value: number): void {
    this.reserve(8)
    this.position = putDouble(this.bytes, this.position, value)
  }

  /** Java's writeUTF: two bytes of length, then modified UTF-8. Names and paths; at most 65,535 bytes. */
  writeUTF(text: string): void {
    const length = modifiedUtf8Length(text)
    if (length > UTF_BYTES_MAX) throw new RangeError(`a name of ${length} bytes does not fit: at most ${UTF_BYTES_MAX}`)
    this.reserve(length + 2)
    this.view.setUint16(this.position, length)
    this.position = writeModifiedUtf8(text, this.bytes, this.position + 2)
  }

  /** Flink's StringValue (put.ts). */
  writeString(text: string): void {
    this.reserve(STRING_LENGTH_BYTES_MAX + STRING_UNIT_BYTES_MAX * text.length)
    this.position = putString(this.bytes, this.position, text)
  }

  writeBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.position)
    this.position += bytes.length
  }

  /** Four bytes of length, then the bytes: also Flink's encoding of a byte[]. */
  writeBlob(bytes: Uint8Array): void {
    this.writeInt(bytes.length)
    this.writeBytes(bytes)
  }

  patchInt(position: number, value: number): void {
    assert(position >= 0 && position + 4 <= this.position, 'patchInt goes back to a place that was written')
    this.view.setInt32(position, value)
  }

  patchByte(position: number, change: (value: number) => number): void {
    assert(position >= 0 && position < this.position, 'patchByte goes back to a place that was written')
    this.bytes[position] = change(this.bytes[position] as number)
  }

  /** A copy of what was written, in a buffer of exactly that length. */
  toBytes(): Uint8Array {
    return this.bytes.slice(0, this.position)
  }

  /** Room for `length` more bytes, so that what follows does not have to grow step by step. */
  reserve(length: number): void {
    if (this.position + length <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.position + length))
    grown.set(this.bytes.subarray(0, this.position))
    this.bytes = grown
    this.view = new DataView(grown.buffer)
  }
}
