/** Java's BigInteger and BigDecimal in Flink's encodings, and decimals of SQL. Flink: BigIntSerializer, BigDecSerializer. */
import type { ValueView } from '../../model/snapshot-view.ts'
import type { DataInput } from '../../state/serializers/data-input.ts'
import { takeBytes } from './value-context.ts'

const SMALL: readonly (bigint | null)[] = [null, 0n, 1n, 10n]
/** BigInt's cost grows faster than its length: longer numbers are not decoded. */
const DIGITS_BYTES_MAX = 4096

/** 0 null, 1 zero, 2 one, 3 ten, else the number of bytes + 4, then two's complement. */
export function readBigInteger(input: DataInput): bigint | null {
  const at = input.position
  const code = input.readInt('a BigInteger')
  if (code < 0) throw input.errorAt(at, 'a BigInteger', `found ${code}`)
  return code < 4 ? (SMALL[code] ?? null) : twosComplement(takeBytes(input, code - 4, 'the digits of a BigInteger'), input, at)
}

export function twosComplement(bytes: Uint8Array, input: DataInput, at: number): bigint {
  if (bytes.length > DIGITS_BYTES_MAX) throw input.errorAt(at, `a number of at most ${DIGITS_BYTES_MAX} bytes`, `found one of ${bytes.length}`)
  if (bytes.length === 0) return 0n
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`))
}

/** The unscaled BigInteger, then the scale. */
export function readBigDecimal(input: DataInput): ValueView {
  const unscaled = readBigInteger(input)
  return unscaled === null ? null : { kind: 'text', type: 'BigDecimal', text: decimalText(unscaled, input.readInt('a scale')) }
}

export function decimalText(unscaled: bigint, scale: number): string {
  if (scale <= 0 || scale > 1000) return scale === 0 ? String(unscaled) : `${unscaled}E${-scale}`
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
