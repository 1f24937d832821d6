/**
 * What a serializer snapshot says about a type: enough to decode its values, or else its class name. Flink: TypeSerializerSnapshot and
 * its subclasses. The engine's own few types: state/serializers/serializer-snapshot.ts.
 */
import type { SqlType } from './sql-type.ts'

/** A value that needs nothing but its name to be decoded: simple-codecs.ts. */
export interface SimpleType {
  readonly kind: 'simple'
  readonly codec: string
}

/** Its values cannot be decoded. `snapshotKnown`: the snapshot was read to its end, so what follows it can be read. */
export interface OpaqueType {
  readonly kind: 'opaque'
  readonly className: string
  readonly snapshotKnown: boolean
}

export interface PojoField {
  readonly name: string
  readonly type: TypeInfo
}

export interface PojoType {
  readonly kind: 'pojo'
  readonly className: string
  readonly fields: readonly PojoField[]
  /** By tag. */
  readonly registered: readonly { readonly className: string; readonly type: TypeInfo }[]
  readonly subclasses: readonly { readonly className: string; readonly type: TypeInfo }[]
}

/** Parts one after the other: tuples, case classes, and the small fixed records of window joins and CEP. */
export interface RecordType {
  readonly kind: 'record'
  readonly name: string
  readonly fields: readonly { readonly name: string; readonly type: TypeInfo }[]
}

export type TypeInfo =
  | SimpleType
  | OpaqueType
  | PojoType
  | RecordType
  | { readonly kind: 'list'; readonly element: TypeInfo; readonly name: 'List' | 'ArrayList' | 'Edges' }
  /** A Java LinkedList, whose nulls are in a mask. */
  | { readonly kind: 'linked-list'; readonly element: TypeInfo; readonly hasNullMask: boolean }
  | { readonly kind: 'set'; readonly element: TypeInfo }
  | { readonly kind: 'map'; readonly key: TypeInfo; readonly value: TypeInfo }
  | { readonly kind: 'array'; readonly component: string; readonly element: TypeInfo }
  | { readonly kind: 'row'; readonly hasRowKind: boolean; readonly fields: readonly TypeInfo[] }
  | { readonly kind: 'nullable'; readonly padding: number; readonly element: TypeInfo }
  /** One of several, told by a byte; `tags[i]` is that of `cases[i]`. */
  | { readonly kind: 'either'; readonly name: string; readonly tags: readonly number[]; readonly cases: readonly { readonly name: string; readonly type: TypeInfo }[] }
  /** A byte 0 for null, 1 and the value. */
  | { readonly kind: 'optional'; readonly element: TypeInfo }
  | { readonly kind: 'ttl'; readonly value: TypeInfo }
  | { readonly kind: 'timer'; readonly key: TypeInfo; readonly namespace: TypeInfo }
  | { readonly kind: 'enum'; readonly className: string; readonly constants: readonly string[] }
  | { readonly kind: 'avro'; readonly className: string; readonly schema: string }
  | { readonly kind: 'row-data'; readonly fields: readonly SqlType[] }
  | { readonly kind: 'sql'; readonly type: SqlType }
  | { readonly kind: 'stream-element'; readonly value: TypeInfo }
  | { readonly kind: 'transactions'; readonly transaction: TypeInfo; readonly context: TypeInfo; readonly mayBeNull: boolean }
  | { readonly kind: 'nfa-state'; readonly node: TypeInfo; readonly version: TypeInfo; readonly event: TypeInfo; readonly hasPreviousTimestamp: boolean }

export const opaque = (className: string, snapshotKnown: boolean): OpaqueType => ({ kind: 'opaque', className, snapshotKnown })
export const simple = (codec: string): SimpleType => ({ kind: 'simple', codec })

/** Whether everything that follows this type's snapshot in a header can be read. */
export const isSnapshotKnown = (type: TypeInfo): boolean => type.kind !== 'opaque' || type.snapshotKnown
