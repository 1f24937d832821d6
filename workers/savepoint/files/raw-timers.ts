/**
 * Timers in raw keyed state: heap timers of Flink 1.4 to 1.7, and of the RocksDB backend up to 1.12. Flink:
 * InternalTimerServiceSerializationProxy, InternalTimersSnapshotReaderWriters, PostVersionedIOReadableWritable. For each key group:
 *
 *   F1 CD 85 9F | i4 version 2 | i4 count × { UTF service | key snapshot | namespace snapshot | event timers | processing timers }
 *   timers  i4 count × {key, namespace, i8 timestamp}
 */
import { DataInput } from '../../state/serializers/data-input.ts'
import { FormatError } from '../../state/serializers/format-error.ts'
import { readType } from '../types/read-type.ts'
import { readTypedValue } from '../types/read-value.ts'
import { OpaqueValueError } from '../types/value-context.ts'
import { isSnapshotKnown } from '../types/type-info.ts'
import type { TypeInfo } from '../types/type-info.ts'
import type { ValueBudget } from '../types/value-context.ts'
import type { StoredEntry } from './stored-entry.ts'

const IDENTIFIER = 0xf1cd859f | 0

export interface RawTimer {
  readonly service: string
  readonly clock: 'event' | 'processing'
  readonly keyType: TypeInfo
  readonly entry: StoredEntry
}

/** Throws `FormatError` for another version, which has serializers in Java's own form. */
export function readRawTimers(block: Uint8Array, keyGroup: number, budget: ValueBudget, sink: (timer: RawTimer) => void): void {
  const input = new DataInput(block)
  input.expectInt(IDENTIFIER, 'the identifier of raw timers')
  const version = input.readInt('the version of raw timers')
  if (version !== 2) throw new FormatError(`raw timers of version ${version}; those of version 2 (since Flink 1.8) can be read`)
  for (let n = input.readCount('the number of timer services', 10); n > 0; n--) {
    const service = input.readUTF('the name of a timer service')
    const key = knownType(input)
    const namespace = knownType(input)
    for (const clock of ['event', 'processing'] as const) {
      for (let timers = input.readCount('the number of timers', 8); timers > 0; timers--) {
        budget.spend(1)
        const entry = { key: readTypedValue(input, key, budget), namespace: readTypedValue(input, namespace, budget), value: input.readAnyLong('a timestamp') }
        sink({ service, clock, keyType: key, entry: { ...entry, state: 0, keyGroup, isOpaque: false } })
      }
    }
  }
  input.expectEnd(`raw timers of key group ${keyGroup}`)
}

function knownType(input: DataInput): TypeInfo {
  const type = readType(input)
  if (!isSnapshotKnown(type)) throw new OpaqueValueError(type.kind === 'opaque' ? type.className : '')
  return type
}
