/**
 * The header of a keyed file. Flink: KeyedBackendSerializationProxy.
 *
 *   i4 version 6 | bool compressed | key serializer entry | i2 state count | states (serializers/state-meta-info.ts)
 *
 * The position of a state in the list is its id in the data. Written uncompressed; a compressed file is refused.
 */
import { FormatError } from '../serializers/format-error.ts'
import type { DataInput } from '../serializers/data-input.ts'
import type { DataOutput } from '../serializers/data-output.ts'
import { readSerializerEntry, writeSerializerEntry } from '../serializers/serializer-snapshot.ts'
import type { SerializerType } from '../serializers/serializer-snapshot.ts'
import { readKeyedStateMeta, writeKeyedStateMeta } from '../serializers/state-meta-info.ts'
import type { KeyedStateMeta } from '../serializers/state-meta-info.ts'

const VERSION = 6

export interface KeyedFileHeader {
  readonly key: SerializerType
  readonly states: readonly KeyedStateMeta[]
}

export function writeKeyedFileHeader(out: DataOutput, header: KeyedFileHeader): void {
  out.writeInt(VERSION)
  out.writeBoolean(false)
  writeSerializerEntry(out, header.key)
  out.writeShort(header.states.length)
  for (const state of header.states) writeKeyedStateMeta(out, state)
}

export function readKeyedFileHeader(input: DataInput): KeyedFileHeader {
  input.expectInt(VERSION, 'a keyed file of version')
  if (input.readBoolean('whether the key groups are compressed')) {
    throw new FormatError('the key groups of this file are compressed (snappy), which cannot be read yet')
  }
  const key = readSerializerEntry(input)
  const count = input.readShort('the number of keyed states')
  const states: KeyedStateMeta[] = []
  for (let i = 0; i < count; i++) states.push(readKeyedStateMeta(input))
  return { key, states }
}
