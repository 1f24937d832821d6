/** Damages bytes in the ways that files get damaged, and in those that hurt a reader most: counts and lengths that lie. */
import type { Prng } from '../../../workers/base/prng.ts'
import type { StreamRef, SubtaskRef } from '../../../workers/savepoint/model.ts'
import { readSavepoint } from '../../../workers/savepoint/savepoint-reader.ts'
import { writeSavepoint } from '../../../workers/savepoint/savepoint-writer.ts'

const NASTY_INTS: readonly number[] = [0, 1, -1, 0x7fffffff, -0x80000000, 0x7ffffffe, 0x00ffffff, 255, 65536, 1_000_000]

export function mutate(bytes: Uint8Array, prng: Prng): Uint8Array {
  let damaged: Uint8Array = bytes.slice()
  for (let n = prng.int(1, 4); n > 0 && damaged.length > 0; n--) damaged = mutateOnce(damaged, prng)
  return damaged
}

function mutateOnce(bytes: Uint8Array, prng: Prng): Uint8Array {
  const at = prng.int(0, bytes.length - 1)
  switch (prng.int(0, 6)) {
    case 0:
      bytes[at] = (bytes[at] as number) ^ (1 << prng.int(0, 7))
      return bytes
    case 1:
      bytes[at] = prng.int(0, 255)
      return bytes
    case 2:
      return bytes.slice(0, at)
    case 3:
      writeInt(bytes, at, prng.pick(NASTY_INTS))
      return bytes
    case 4: {
      const end = Math.min(bytes.length, at + prng.int(1, 64))
      return join(bytes.subarray(0, at), bytes.subarray(end))
    }
    case 5: {
      const from = prng.int(0, bytes.length - 1)
      return join(bytes.subarray(0, at), bytes.subarray(from, from + prng.int(1, 64)), bytes.subarray(at))
    }
    default:
      // A number that is there already, elsewhere: offsets and counts that look right.
      bytes.copyWithin(at, prng.int(0, bytes.length - 1), Math.min(bytes.length, prng.int(0, bytes.length - 1) + 8))
      return bytes
  }
}

function writeInt(bytes: Uint8Array, at: number, value: number): void {
  for (let i = 0; i < 4 && at + i < bytes.length; i++) bytes[at + i] = (value >>> (24 - 8 * i)) & 0xff
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Damages state that stands inside `_metadata`, and leaves `_metadata` itself sound. */
export function damageInline(metadata: Uint8Array, prng: Prng): Uint8Array {
  const savepoint = readSavepoint(metadata)
  const damageStream = (stream: StreamRef | null): StreamRef | null =>
    stream !== null && stream.kind === 'bytes' && prng.chance(0.5) ? { ...stream, bytes: mutate(stream.bytes, prng) } : stream
  const damage = (subtask: SubtaskRef): SubtaskRef => {
    const { managedOperator, managedKeyed, rawKeyed } = subtask
    return {
      ...subtask,
      managedOperator: managedOperator === null ? null : { ...managedOperator, stream: damageStream(managedOperator.stream) },
      managedKeyed: damageKeyed(managedKeyed, damageStream),
      rawKeyed: damageKeyed(rawKeyed, damageStream),
    }
  }
  return writeSavepoint({ ...savepoint, operators: savepoint.operators.map((operator) => ({ ...operator, subtasks: operator.subtasks.map(damage) })) })
}

function damageKeyed(handle: SubtaskRef['managedKeyed'], damageStream: (stream: StreamRef | null) => StreamRef | null): SubtaskRef['managedKeyed'] {
  if (handle === null) return null
  if (handle.kind === 'key-groups') return { ...handle, stream: damageStream(handle.stream) }
  if (handle.kind === 'incremental') return { ...handle, meta: damageStream(handle.meta) }
  if (handle.kind === 'changelog') return { ...handle, materialized: handle.materialized.map((part) => damageKeyed(part, damageStream)) }
  return handle
}
