/** Reads a file in larger pieces than it is asked for: a snapshot has a slice for each of up to 32,768 key groups, and each reading costs a transaction. */
import type { Slice } from '../../../savepoint/read-plan.ts'

type Read = (slice: Slice) => Promise<Uint8Array | null>

const PIECE = 1024 * 1024
/** Of files that are read alternately. */
const KEPT_MAX = 4

interface Piece {
  readonly name: string
  readonly offset: number
  readonly bytes: Uint8Array
  /** The file ends with it. */
  readonly isLast: boolean
}

export function readAhead(read: Read): Read {
  const kept: Piece[] = []
  return async (slice) => {
    const { name, offset, length } = slice
    if (length >= PIECE) return read(slice)
    let piece = kept.find((one) => one.name === name && one.offset <= offset && (one.isLast || one.offset + one.bytes.length >= offset + length))
    if (piece === undefined) {
      const bytes = await read({ name, offset, length: PIECE })
      if (bytes === null) return null
      piece = { name, offset, bytes, isLast: bytes.length < PIECE }
      kept.unshift(piece)
      kept.length = Math.min(kept.length, KEPT_MAX)
    }
    const start = Math.min(offset - piece.offset, piece.bytes.length)
    return piece.bytes.subarray(start, start + length)
  }
}
