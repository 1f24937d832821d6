/**
 * Serializer snapshots: how a file says of which type its keys and values are. Flink: TypeSerializerSnapshot,
 * TypeSerializerSnapshotSerializationUtil, CompositeTypeSerializerSnapshot, NestedSerializersSnapshotDelegate.
 *
 *   entry       i4 2 | versioned snapshot
 *   versioned   UTF class | i4 version | body
 *   simple      version 3: no body; version 2 (of 1.7): UTF serializer class
 *   composite   i4 911108 | i4 outer version | outer body | nested block
 *   nested      i4 1333245 | i4 1 | i4 count | count × versioned
 *
 * A body has no length: behind a class that is not known nothing can be read, and the error names the class. Field names are not
 * stored; the fields of what is read are called f0, f1 … as Flink's tuples call them.
 */
import type { Field, FieldType, Schema } from '../../model/schema.ts'
import type { DataInput } from './data-input.ts'
import type { DataOutput } from './data-output.ts'
import { FormatError } from './format-error.ts'

/** The serializers of this project's files. `bytes` is byte[], `void-namespace` the namespace of state outside windows. */
export type SerializerType =
  /** `withoutRowKind`: of Rows that Flink before 1.11 wrote; they are read, never written. */
  | { readonly kind: 'schema'; readonly schema: Schema; readonly withoutRowKind?: true }
  | { readonly kind: 'bytes' }
  | { readonly kind: 'void-namespace' }

export const BYTES_SERIALIZER: SerializerType = { kind: 'bytes' }
export const VOID_NAMESPACE_SERIALIZER: SerializerType = { kind: 'void-namespace' }
export const schemaSerializer = (schema: Schema): SerializerType => ({ kind: 'schema', schema })

const ENTRY_VERSION = 2
const SIMPLE_VERSION = 3
const SIMPLE_VERSION_OF_1_7 = 2
const COMPOSITE_VERSION = 3
const COMPOSITE_MAGIC = 911108
const NESTED_MAGIC = 1333245
const NESTED_VERSION = 1
const TUPLE_OUTER_VERSION = 2
const ROW_OUTER_VERSION = 4
/** Rows had no kind up to 2, and have one without saying so in 3. */
const ROW_OUTER_VERSION_WITHOUT_KIND = 2
/** Flink has tuples of up to 25 fields. */
const TUPLE_ARITY_MAX = 25

const BASE = 'org.apache.flink.api.common.typeutils.base'
const simpleName = (type: string): string => `${BASE}.${type}Serializer$${type}SerializerSnapshot`
const BYTES_CLASS = `${BASE}.array.BytePrimitiveArraySerializer$BytePrimitiveArraySerializerSnapshot`
const VOID_NAMESPACE_CLASS = 'org.apache.flink.runtime.state.VoidNamespaceSerializer$VoidNamespaceSerializerSnapshot'
const TUPLE_CLASS = 'org.apache.flink.api.java.typeutils.runtime.TupleSerializerSnapshot'
const ROW_CLASS = 'org.apache.flink.api.java.typeutils.runtime.RowSerializer$RowSerializerSnapshot'
const TUPLE_TYPE_PREFIX = 'org.apache.flink.api.java.tuple.Tuple'

const FIELD_TYPES: readonly FieldType[] = ['String', 'Int', 'Long', 'Double', 'Boolean']
const FIELD_TYPE_OF_CLASS: ReadonlyMap<string, FieldType> = new Map(FIELD_TYPES.map((type) => [simpleName(type), type]))

export function writeSerializerEntry(out: DataOutput, serializer: SerializerType): void {
  out.writeInt(ENTRY_VERSION)
  writeVersioned(out, serializer)
}

export function readSerializerEntry(input: DataInput): SerializerType {
  input.expectInt(ENTRY_VERSION, 'a serializer entry of version')
  return readVersioned(input)
}

function writeVersioned(out: DataOutput, serializer: SerializerType): void {
  if (serializer.kind === 'bytes') return writeSimple(out, BYTES_CLASS)
  if (serializer.kind === 'void-namespace') return writeSimple(out, VOID_NAMESPACE_CLASS)
  const schema = serializer.schema
  if (schema.kind === 'bare') return writeSimple(out, simpleName((schema.fields[0] as Field).type))
  out.writeUTF(schema.kind === 'tuple' ? TUPLE_CLASS : ROW_CLASS)
  out.writeInt(COMPOSITE_VERSION)
  out.writeInt(COMPOSITE_MAGIC)
  if (schema.kind === 'tuple') {
    if (schema.fields.length > TUPLE_ARITY_MAX) throw new RangeError(`a tuple has at most ${TUPLE_ARITY_MAX} fields, not ${schema.fields.length}`)
    out.writeInt(TUPLE_OUTER_VERSION)
    out.writeUTF(`${TUPLE_TYPE_PREFIX}${schema.fields.length}`)
  } else {
    out.writeInt(ROW_OUTER_VERSION)
    out.writeBoolean(true)
  }
  out.writeInt(NESTED_MAGIC)
  out.writeInt(NESTED_VERSION)
  out.writeInt(schema.fields.length)
  for (const field of schema.fields) writeSimple(out, simpleName(field.type))
}

function writeSimple(out: DataOutput, className: string): void {
  out.writeUTF(className)
  out.writeInt(SIMPLE_VERSION)
}

function readVersioned(input: DataInput): SerializerType {
  const start = input.position
  const className = input.readUTF('the class of a serializer snapshot')
  const version = input.readInt('the version of a serializer snapshot')
  const fieldType = FIELD_TYPE_OF_CLASS.get(className)
  if (fieldType !== undefined) {
    readSimpleBody(input, version, className)
    return schemaSerializer({ kind: 'bare', fields: [{ name: 'value', type: fieldType }] })
  }
  switch (className) {
    case BYTES_CLASS:
      readSimpleBody(input, version, className)
      return BYTES_SERIALIZER
    case VOID_NAMESPACE_CLASS:
      readSimpleBody(input, version, className)
      return VOID_NAMESPACE_SERIALIZER
    case TUPLE_CLASS:
      return readComposite(input, 'tuple', version)
    case ROW_CLASS:
      return readComposite(input, 'row', version)
    default:
      throw new FormatError(`offset ${start}: the serializer ${className} is not known here, so what follows it cannot be read`)
  }
}

function readSimpleBody(input: DataInput, version: number, className: string): void {
  if (version === SIMPLE_VERSION) return
  if (version !== SIMPLE_VERSION_OF_1_7) throw new FormatError(`offset ${input.position - 4}: ${className} has version ${version}, expected 2 or 3`)
  input.readUTF('a serializer class')
}

function readComposite(input: DataInput, kind: 'tuple' | 'row', version: number): SerializerType {
  if (version !== COMPOSITE_VERSION) throw new FormatError(`offset ${input.position - 4}: a ${kind} serializer snapshot of version ${version}, expected ${COMPOSITE_VERSION}`)
  input.expectInt(COMPOSITE_MAGIC, 'the magic number of a composite serializer')
  const outerAt = input.position
  const outer = input.readInt('the outer version of a composite serializer')
  const isKnown = kind === 'tuple' ? outer === TUPLE_OUTER_VERSION : outer >= ROW_OUTER_VERSION_WITHOUT_KIND && outer <= ROW_OUTER_VERSION
  if (!isKnown) throw input.errorAt(outerAt, `outer version ${kind === 'tuple' ? TUPLE_OUTER_VERSION : '2 to 4'} of a ${kind} serializer`, `found ${outer}`)
  let hasRowKind = outer > ROW_OUTER_VERSION_WITHOUT_KIND
  if (kind === 'tuple') input.readUTF('a tuple class')
  else if (outer === ROW_OUTER_VERSION) hasRowKind = input.readBoolean('row kind supported')
  input.expectInt(NESTED_MAGIC, 'the magic number of nested serializers')
  input.expectInt(NESTED_VERSION, 'the version of nested serializers')
  const count = input.readCount('the number of fields', 6)
  const fields: Field[] = []
  for (let i = 0; i < count; i++) {
    const at = input.position
    const nested = readVersioned(input)
    if (nested.kind !== 'schema' || nested.schema.kind !== 'bare') throw input.errorAt(at, `a field of a ${kind} of type ${FIELD_TYPES.join(', ')}`, `found ${describeSerializer(nested)}`)
    fields.push({ name: `f${i}`, type: (nested.schema.fields[0] as Field).type })
  }
  const schema = { kind, fields }
  return kind === 'row' && !hasRowKind ? { kind: 'schema', schema, withoutRowKind: true } : schemaSerializer(schema)
}

/** The type in words, as error messages name it: `Long`, `Tuple2<String, Int>`, `Row<Long, Double>`. */
export function describeSerializer(serializer: SerializerType): string {
  if (serializer.kind === 'bytes') return 'byte[]'
  if (serializer.kind === 'void-namespace') return 'VoidNamespace'
  const { kind, fields } = serializer.schema
  const types = fields.map((field) => field.type).join(', ')
  return kind === 'bare' ? types : kind === 'tuple' ? `Tuple${fields.length}<${types}>` : `Row<${types}>`
}
