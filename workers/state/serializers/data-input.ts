/**
 * Reads Java's DataInput with checked bounds: every error is a `FormatError` that names the offset and what was expected. Flink:
 * DataInputDeserializer.
 */
import { FormatError } from './format-error.ts'
import { readModifiedUtf8 } from './utf8.ts'
import { UnsafeLongError } from './unsafe-long.ts'

const TWO_POW_32 = 4294967296
/** `String.fromCharCode` takes its units as arguments: few enough at a time. */
const UNITS_PER_CALL = 4096

export class DataInput {
  position: number
  readonly bytes: Uint8Array
  private readonly view: DataView

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.position = position
  }

  get remaining(): number {
    return this.bytes.length - this.position
  }

  readByte(what = 'a byte'): number {
    return this.bytes[this.take(1, what)] as number
  }

  readBoolean(what = 'a boolean'): boolean {
    const at = this.position
    const value = this.readByte(what)
    if (value > 1) throw this.errorAt(at, `${what} (0 or 1)`, `found ${value}`)
    return value === 1
  }

  readShort(what = 'a 16-bit integer'): number {
    return this.view.getInt16(this.take(2, what))
  }

  readInt(what = 'a 32-bit integer'): number {
    return this.view.getInt32(this.take(4, what))
  }

  /** A 32-bit count of things of at least `minimumSize` bytes each: refused when they cannot be there, before anything is allocated. */
  readCount(what: string, minimumSize = 1): number {
    const at = this.position
    const count = this.readInt(what)
    if (count < 0 || count * minimumSize > this.remaining) throw this.errorAt(at, what, `found ${count}, with ${this.remaining} bytes left`)
    return count
  }

  /** A Long that must be exact as a number; `UnsafeLongError` otherwise. */
  readLong(what = 'a 64-bit integer'): number {
    const at = this.take(8, what)
    const value = this.view.getInt32(at) * TWO_POW_32 + this.view.getUint32(at + 4)
    if (!Number.isSafeInteger(value)) throw new UnsafeLongError(String(this.view.getBigInt64(at)), what)
    return value
  }

  /** A Long as a number where that is exact, else as a bigint. */
  readAnyLong(what = 'a 64-bit integer'): number | bigint {
    const at = this.take(8, what)
    const value = this.view.getInt32(at) * TWO_POW_32 + this.view.getUint32(at + 4)
    return Number.isSafeInteger(value) ? value : this.view.getBigInt64(at)
  }

  readFloat(what = 'a float'): number {
    return this.view.getFloat32(this.take(4, what))
  }

  readDouble(what = 'a double'): number {
    return this.view.getFloat64(this.take(8, what))
  }

  readUTF(what = 'a name'): string {
    const length = this.view.getUint16(this.take(2, what))
    const start = this.take(length, what)
    return readModifiedUtf8(this.bytes, start, start + length)
  }

  /** Flink's StringValue; a null is refused, since values here have none. */
  readString(what = 'a String'): string {
    const start = this.position
    const text = this.readNullableString(what)
    if (text === null) throw this.errorAt(start, what, 'found null')
    return text
  }

  readNullableString(what = 'a String'): string | null {
    const start = this.position
    const length = this.readVarint(what) - 1
    return length < 0 ? null : this.readCharacters(length, what, start)
  }

  /** `length` UTF-16 code units, each as an integer of 7 bits a byte. `start` is where the value began: an error names that place. */
  readCharacters(length: number, what: string, start = this.position): string {
    if (length > this.remaining) throw this.errorAt(start, what, `found one of ${length} characters, with ${this.remaining} bytes left`)
    const units: number[] = []
    let text = ''
    for (let i = 0; i < length; i++) {
      const b = this.readByte(what)
      units.push(b < 0x80 ? b : this.continueVarint(b, what))
      if (units.length === UNITS_PER_CALL) {
        text += String.fromCharCode(...units)
        units.length = 0
      }
    }
    return text + String.fromCharCode(...units)
  }

  /** An unsigned integer of 7 bits a byte, low bits first. */
  readVarint(what: string): number {
    const b = this.readByte(what)
    return b < 0x80 ? b : this.continueVarint(b, what)
  }

  /** A copy of the next `length` bytes. */
  readBytes(length: number, what = 'bytes'): Uint8Array {
    const at = this.take(length, what)
    return this.bytes.slice(at, at + length)
  }

  readBlob(what = 'a byte array'): Uint8Array {
    return this.readBytes(this.readCount(what), what)
  }

  /** The next 32-bit integer must be `value`. */
  expectInt(value: number, what: string): void {
    const at = this.position
    const found = this.readInt(what)
    if (found !== value) throw this.errorAt(at, `${what} ${hex(value)}`, `found ${hex(found)}`)
  }

  expectEnd(what: string): void {
    if (this.remaining > 0) throw this.errorAt(this.position, `the end of ${what}`, `found ${this.remaining} more bytes`)
  }

  seek(position: number, what: string): void {
    if (!(position >= 0 && position <= this.bytes.length)) {
      throw new FormatError(`${what} is at offset ${position}, outside of a file of ${this.bytes.length} bytes`)
    }
    this.position = position
  }

  errorAt(offset: number, expected: string, found: string): FormatError {
    return new FormatError(`offset ${offset}: expected ${expected}, ${found}`)
  }

  private take(length: number, what: string): number {
    const at = this.position
    if (length > this.bytes.length - at) {
      throw this.errorAt(at, `${what} (${length} bytes)`, `the data ends after ${this.bytes.length} bytes`)
    }
    this.position = at + length
    return at
  }

  private continueVarint(first: number, what: string): number {
    const start = this.position - 1
    let value = first & 0x7f
    for (let shift = 7; shift < 35; shift += 7) {
      const b = this.readByte(what)
      value += (b & 0x7f) * 2 ** shift
      if (b < 0x80) return value
    }
    throw this.errorAt(start, what, 'found an integer of more than five bytes')
  }
}

const hex = (value: number): string => `0x${(value >>> 0).toString(16).padStart(8, '0')}`
