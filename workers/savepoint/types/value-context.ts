/** What decoding needs beside the bytes: a bound on how much is made of them, and how what is not decoded is shown. */
import type { ValueView } from '../../model/snapshot-view.ts'
import type { DataInput } from '../../state/serializers/data-input.ts'
import { FormatError } from '../../state/serializers/format-error.ts'

const HEX_BYTES_MAX = 256
const FAILURE_COST = 20

/**
 * Counts values and bytes made: a small file may mean an enormous value (lists of nothing, offsets that all point at one element).
 * A file that means more than this is refused, never waited for.
 */
export class ValueBudget {
  left: number

  constructor(left: number) {
    this.left = left
  }

  /** A part that failed costs as much time as many that did not. Never throws: the next `spend` does. */
  failed(): void {
    this.left -= FAILURE_COST
  }

  /** Throws `FormatError` when there is nothing left. */
  spend(amount: number): void {
    this.left -= amount
    if (this.left < 0) throw new FormatError('more values than are decoded at once')
  }
}

/** A value of a type that cannot be decoded: what follows it in the same bytes is lost with it. */
export class OpaqueValueError extends FormatError {
  override readonly name = 'OpaqueValueError'
  readonly className: string

  constructor(className: string) {
    super(`values of ${className} cannot be decoded`)
    this.className = className
  }
}

export const toHex = (bytes: Uint8Array): string => Array.from(bytes.subarray(0, HEX_BYTES_MAX), (byte) => byte.toString(16).padStart(2, '0')).join('')

export const opaqueView = (type: string, bytes: Uint8Array): ValueView => ({ kind: 'opaque', type, size: bytes.length, hex: toHex(bytes) })
export const bytesView = (bytes: Uint8Array): ValueView => ({ kind: 'bytes', size: bytes.length, hex: toHex(bytes) })

/** The next `length` bytes, not copied. */
export function takeBytes(input: DataInput, length: number, what: string): Uint8Array {
  if (length < 0 || length > input.remaining) throw input.errorAt(input.position, what, `found a length of ${length}, with ${input.remaining} bytes left`)
  const at = input.position
  input.seek(at + length, what)
  return input.bytes.subarray(at, at + length)
}
