/**
 * Whether what one serializer wrote can go on with another (behaviour 9.5; DESIGN 8, 18: one table). Flink: TypeSerializerSnapshot
 * .resolveSchemaCompatibility of the simple types, TupleSerializerSnapshot, RowSerializerSnapshot.
 *
 *   the same kind and types                                  as is (no file has names of fields)
 *   Row without kinds (Flink before 1.11) → Row              migrate: read in the old form, written in the new one
 *   anything else, Int → Long and more fields among it       incompatible
 */
import { describeSerializer } from './serializer-snapshot.ts'
import type { SerializerType } from './serializer-snapshot.ts'

export type Compatibility = 'as is' | 'migrate' | 'incompatible'

export function compatibility(stored: SerializerType, now: SerializerType): Compatibility {
  if (describeSerializer(stored) !== describeSerializer(now)) return 'incompatible'
  return hasOldRows(stored) && !hasOldRows(now) ? 'migrate' : 'as is'
}

const hasOldRows = (serializer: SerializerType): boolean => serializer.kind === 'schema' && serializer.withoutRowKind === true
