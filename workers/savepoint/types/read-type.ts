/**
 * Reads serializer snapshots of every kind that Flink has. Flink: TypeSerializerSnapshot, TypeSerializerSnapshotSerializationUtil,
 * CompositeTypeSerializerSnapshot, NestedSerializersSnapshotDelegate, LinkedOptionalMapSerializer.
 *
 *   entry         i4 2 | versioned
 *   versioned     UTF class | i4 version | body
 *   composite     version 3: i4 911108 | i4 outer version | outer body | nested; version ≤ 2: outer body | nested
 *   nested        i4 1333245 | i4 1 | i4 count × versioned
 *   optional map  i8 4F2C69A3D70 | i4 count × {UTF name, bool + blob key, bool + blob value}
 *
 * A body has no length. A class that is not known makes an opaque type, and what follows it cannot be found: `isSnapshotKnown` is false, the
 * input stands behind its version, and state-headers.ts looks for the next state.
 */
import type { DataInput } from '../../state/serializers/data-input.ts'
import { DataInput as Input } from '../../state/serializers/data-input.ts'
import { COMPOSITES } from './composite-types.ts'
import { readJavaStream } from './java-object-reader.ts'
import { SIMPLE_CODECS } from './simple-codecs.ts'
import { sqlType } from './sql-type.ts'
import { isSnapshotKnown, opaque, simple } from './type-info.ts'
import type { PojoType, TypeInfo } from './type-info.ts'

const ENTRY_VERSION = 2
const COMPOSITE_MAGIC = 911108
const COMPOSITE_VERSION = 3
const NESTED_MAGIC = 1333245
const OPTIONAL_MAP_HEADER = 0x4f2c69a3d70
/** Deeper than types that people write; a snapshot that goes on is damaged. */
const DEPTH_MAX = 32

const RUNTIME = 'org.apache.flink.api.java.typeutils.runtime'
const BASE = 'org.apache.flink.api.common.typeutils.base'
const SQL = 'org.apache.flink.table.runtime.typeutils'

type ReadBody = (input: DataInput, version: number, depth: number, className: string) => TypeInfo

/** An entry in a header. A legacy one (Java serialization, before Flink 1.7) is opaque. Throws `FormatError` where the bytes are damaged. */
export function readTypeEntry(input: DataInput): TypeInfo {
  const at = input.position
  const version = input.readInt('the version of a serializer entry')
  if (version === 1) return opaque('a serializer of Flink before 1.7', false)
  if (version !== ENTRY_VERSION) throw input.errorAt(at, 'a serializer entry of version 1 or 2', `found ${version}`)
  return readType(input)
}

/** A versioned snapshot. */
export function readType(input: DataInput, depth = 0): TypeInfo {
  const at = input.position
  if (depth > DEPTH_MAX) throw input.errorAt(at, 'a serializer snapshot', 'found one nested too deeply')
  const className = input.readUTF('the class of a serializer snapshot')
  if (className === '') throw input.errorAt(at, 'the class of a serializer snapshot', 'found an empty name')
  const version = input.readInt('the version of a serializer snapshot')
  if (SIMPLE_CODECS.has(className)) {
    if (version === 2) input.readUTF('a serializer class')
    else if (version < 1 || version > 3) throw input.errorAt(input.position - 4, `version 1 to 3 of ${className}`, `found ${version}`)
    return simple(className)
  }
  if (COMPOSITES.has(className)) return readComposite(input, version, depth, className)
  const readBody = BODIES.get(className)
  return readBody === undefined ? opaque(className, false) : readBody(input, version, depth, className)
}

function readComposite(input: DataInput, version: number, depth: number, className: string): TypeInfo {
  const composite = COMPOSITES.get(className)
  if (composite === undefined) return opaque(className, false)
  let outerVersion = version
  if (version === COMPOSITE_VERSION) {
    input.expectInt(COMPOSITE_MAGIC, 'the magic number of a composite serializer')
    outerVersion = input.readInt('the outer version of a composite serializer')
  } else if (version > COMPOSITE_VERSION || version < 1) {
    throw input.errorAt(input.position - 4, `version 1 to 3 of ${className}`, `found ${version}`)
  }
  const outer = composite.readOuter(input, outerVersion)
  const at = input.position
  const nested = readNested(input, depth)
  if (typeof nested === 'string') return opaque(nested, false)
  if (composite.arity !== null && nested.length !== composite.arity) throw input.errorAt(at, `${composite.arity} nested serializers of ${className}`, `found ${nested.length}`)
  return composite.build(nested, outer)
}

/** A class name: one of them is of that unknown class, so the rest cannot be found. */
function readNested(input: DataInput, depth: number): TypeInfo[] | string {
  input.expectInt(NESTED_MAGIC, 'the magic number of nested serializers')
  input.expectInt(1, 'the version of nested serializers')
  const types: TypeInfo[] = []
  for (let n = input.readCount('the number of nested serializers', 7); n > 0; n--) {
    const type = readType(input, depth + 1)
    if (type.kind === 'opaque' && !type.snapshotKnown) return type.className
    types.push(type)
  }
  return types
}

interface OptionalEntry {
  readonly name: string
  readonly key: Uint8Array | null
  readonly value: Uint8Array | null
}

function readOptionalMap(input: DataInput): OptionalEntry[] {
  const at = input.position
  const header = input.readAnyLong('the header of a map')
  if (header !== OPTIONAL_MAP_HEADER) throw input.errorAt(at, 'the header of a map of optional parts', 'found something else')
  const entries: OptionalEntry[] = []
  for (let n = input.readCount('the number of entries', 4); n > 0; n--) {
    const name = input.readUTF('the name of an entry')
    const key = input.readBoolean('whether there is a key') ? input.readBlob('a key') : null
    const value = input.readBoolean('whether there is a value') ? input.readBlob('a value') : null
    entries.push({ name, key, value })
  }
  return entries
}

/** The type in a frame. A frame has a length: a type that is not known does no harm to what follows. */
function framedType(frame: Uint8Array | null, depth: number): TypeInfo {
  if (frame === null) return opaque('a type that was not there when the snapshot was written', true)
  const type = readType(new Input(frame), depth + 1)
  return isSnapshotKnown(type) ? type : opaque(type.kind === 'opaque' ? type.className : '', true)
}

function readPojo(input: DataInput, version: number, depth: number, className: string): TypeInfo {
  if (version !== 2) return opaque(className, false)
  const pojo = input.readUTF('the class of a POJO')
  const fields = readOptionalMap(input).map(({ name, value }) => ({ name: name.slice(name.lastIndexOf('#') + 1), type: framedType(value, depth) }))
  const classes = (): PojoType['registered'] => readOptionalMap(input).map(({ name, value }) => ({ className: name, type: framedType(value, depth) }))
  return { kind: 'pojo', className: pojo, fields, registered: classes(), subclasses: classes() }
}

function readKryo(input: DataInput, version: number, _depth: number, className: string): TypeInfo {
  if (version !== 2) return opaque(className, false)
  const type = input.readUTF('the class of a Kryo type')
  for (let n = 3; n > 0; n--) readOptionalMap(input)
  return opaque(`${type} (Kryo)`, true)
}

function readEnum(input: DataInput, version: number, _depth: number, className: string): TypeInfo {
  if (version !== 3) return opaque(className, false)
  const type = input.readUTF('the class of an enum')
  const constants: string[] = []
  for (let n = input.readCount('the number of constants', 2); n > 0; n--) constants.push(input.readUTF('a constant'))
  return { kind: 'enum', className: type, constants }
}

function readAvro(input: DataInput, version: number, _depth: number, className: string): TypeInfo {
  if (version < 1 || version > 3) return opaque(className, false)
  const read = (what: string): string => (version === 3 ? input.readString(what) : input.readUTF(what))
  const type = version === 1 ? '' : read('the class of an Avro type')
  const schema = read('an Avro schema')
  return { kind: 'avro', className: type, schema }
}

/** A wrapper that says whether its state has a TTL; the one inside is then the TTL serializer itself. */
function readTtlAware(input: DataInput, _version: number, depth: number): TypeInfo {
  input.readBoolean('whether there is a TTL')
  return readType(input, depth + 1)
}

function readRowData(input: DataInput, version: number, depth: number, className: string): TypeInfo {
  // The nested serializers say less than the logical types.
  if (version !== 3) return opaque(className, false)
  const fields = Array.from({ length: input.readCount('the number of fields', 5) }, () => sqlType(readJavaStream(input)))
  const nested = readNested(input, depth)
  return typeof nested === 'string' ? opaque(nested, false) : { kind: 'row-data', fields }
}

function readSqlArray(input: DataInput): TypeInfo {
  const element = sqlType(readJavaStream(input))
  readJavaStream(input)
  return sql('ARRAY', 0, 0, [{ name: 'element', type: element }])
}

function readSqlMap(input: DataInput): TypeInfo {
  const key = sqlType(readJavaStream(input))
  const value = sqlType(readJavaStream(input))
  readJavaStream(input)
  readJavaStream(input)
  return sql('MAP', 0, 0, [{ name: 'key', type: key }, { name: 'value', type: value }])
}

function readSortedMap(input: DataInput, _version: number, depth: number, className: string): TypeInfo {
  readJavaStream(input)
  const nested = readNested(input, depth)
  if (typeof nested === 'string') return opaque(nested, false)
  const [key, value] = nested
  return key === undefined || value === undefined ? opaque(className, false) : { kind: 'map', key, value }
}

const sql = (root: string, precision: number, scale: number, children: { readonly name: string; readonly type: ReturnType<typeof sqlType> }[] = []): TypeInfo => ({ kind: 'sql', type: { root, precision, scale, children } })

/** Values that only their class's own code can read. The class name is all of the body. */
const readGeneric: ReadBody = (input) => opaque(input.readUTF('a class'), true)

const BODIES: ReadonlyMap<string, ReadBody> = new Map<string, ReadBody>([
  [`${RUNTIME}.PojoSerializerSnapshot`, readPojo],
  [`${RUNTIME}.kryo.KryoSerializerSnapshot`, readKryo],
  [`${RUNTIME}.CopyableValueSerializer$CopyableValueSerializerSnapshot`, readGeneric],
  [`${RUNTIME}.ValueSerializer$ValueSerializerSnapshot`, readGeneric],
  [`${RUNTIME}.WritableSerializer$WritableSerializerSnapshot`, readGeneric],
  [`${BASE}.EnumSerializer$EnumSerializerSnapshot`, readEnum],
  ['org.apache.flink.formats.avro.typeutils.AvroSerializerSnapshot', readAvro],
  ['org.apache.flink.formats.avro.typeutils.AvroSerializer$AvroSchemaSerializerConfigSnapshot', readAvro],
  ['org.apache.flink.runtime.state.ttl.TtlAwareSerializerSnapshot', readTtlAware],
  [`${SQL}.RowDataSerializer$RowDataSerializerSnapshot`, readRowData],
  [`${SQL}.ArrayDataSerializer$ArrayDataSerializerSnapshot`, readSqlArray],
  [`${SQL}.MapDataSerializer$MapDataSerializerSnapshot`, readSqlMap],
  [`${SQL}.SortedMapSerializerSnapshot`, readSortedMap],
  [`${SQL}.DecimalDataSerializer$DecimalSerializerSnapshot`, (input) => sql('DECIMAL', input.readInt('a precision'), input.readInt('a scale'))],
  [`${SQL}.TimestampDataSerializer$TimestampDataSerializerSnapshot`, (input) => sql('TIMESTAMP_WITHOUT_TIME_ZONE', input.readInt('a precision'), 0)],
  [`${SQL}.BinaryRowDataSerializer$BinaryRowDataSerializerSnapshot`, (input) => opaque(`BinaryRow of ${input.readInt('the number of fields')} fields`, true)],
])
