/**
 * Writes serializer snapshots, in the versions of Flink 1.8 and later. Layout: read-type.ts. For the types that state of our own, and fixtures
 * of the reader, are made of.
 */
import { DataOutput } from '../../state/serializers/data-output.ts'
import type { TypeInfo } from './type-info.ts'

const ENTRY_VERSION = 2
const SIMPLE_VERSION = 3
const COMPOSITE_VERSION = 3
const COMPOSITE_MAGIC = 911108
const NESTED_MAGIC = 1333245
const OPTIONAL_MAP_HEADER = 0x4f2c69a3d70
const ENUM_VERSION = 3
const POJO_VERSION = 2
const AVRO_VERSION = 3

const RUNTIME = 'org.apache.flink.api.java.typeutils.runtime'
const BASE = 'org.apache.flink.api.common.typeutils.base'

/** An entry of a header. Throws `RangeError` for a type that has no writer. */
export function writeTypeEntry(out: DataOutput, type: TypeInfo): void {
  out.writeInt(ENTRY_VERSION)
  writeType(out, type)
}

export function writeType(out: DataOutput, type: TypeInfo): void {
  switch (type.kind) {
    case 'simple':
      out.writeUTF(type.codec)
      return out.writeInt(SIMPLE_VERSION)
    case 'list':
      return writeComposite(out, type.name === 'ArrayList' ? 'org.apache.flink.runtime.state.ArrayListSerializerSnapshot' : `${BASE}.ListSerializerSnapshot`, 1, [type.element])
    case 'set':
      return writeComposite(out, `${BASE}.SetSerializerSnapshot`, 1, [type.element])
    case 'map':
      return writeComposite(out, `${BASE}.MapSerializerSnapshot`, 1, [type.key, type.value])
    case 'array':
      return writeComposite(out, `${BASE}.GenericArraySerializerSnapshot`, 1, [type.element], (body) => body.writeUTF(type.component))
    case 'record':
      if (!type.name.startsWith('Tuple')) break
      return writeComposite(out, `${RUNTIME}.TupleSerializerSnapshot`, 2, type.fields.map((field) => field.type), (body) => body.writeUTF(`org.apache.flink.api.java.tuple.Tuple${type.fields.length}`))
    case 'row':
      return writeComposite(out, `${RUNTIME}.RowSerializer$RowSerializerSnapshot`, 4, type.fields, (body) => body.writeBoolean(type.hasRowKind))
    case 'nullable':
      return writeComposite(out, `${RUNTIME}.NullableSerializer$NullableSerializerSnapshot`, 2, [type.element], (body) => body.writeInt(type.padding))
    case 'either':
      if (type.name !== 'Either') break
      return writeComposite(out, `${RUNTIME}.JavaEitherSerializerSnapshot`, 1, type.cases.map((one) => one.type))
    case 'ttl':
      return writeComposite(out, 'org.apache.flink.runtime.state.ttl.TtlStateFactory$TtlSerializerSnapshot', 2, [LONG, type.value])
    case 'timer':
      return writeComposite(out, 'org.apache.flink.streaming.api.operators.TimerSerializerSnapshot', 2, [type.key, type.namespace])
    case 'enum':
      return writeEnum(out, type)
    case 'pojo':
      return writePojo(out, type)
    case 'avro':
      return writeAvro(out, type)
    default:
  }
  throw new RangeError(`no snapshot is written for types of kind ${type.kind}`)
}

const LONG: TypeInfo = { kind: 'simple', codec: `${BASE}.LongSerializer$LongSerializerSnapshot` }

function writeComposite(out: DataOutput, className: string, outerVersion: number, nested: readonly TypeInfo[], writeOuter: (out: DataOutput) => void = () => undefined): void {
  out.writeUTF(className)
  out.writeInt(COMPOSITE_VERSION)
  out.writeInt(COMPOSITE_MAGIC)
  out.writeInt(outerVersion)
  writeOuter(out)
  out.writeInt(NESTED_MAGIC)
  out.writeInt(1)
  out.writeInt(nested.length)
  for (const type of nested) writeType(out, type)
}

function writeEnum(out: DataOutput, type: Extract<TypeInfo, { kind: 'enum' }>): void {
  out.writeUTF(`${BASE}.EnumSerializer$EnumSerializerSnapshot`)
  out.writeInt(ENUM_VERSION)
  out.writeUTF(type.className)
  out.writeInt(type.constants.length)
  for (const constant of type.constants) out.writeUTF(constant)
}

function writeAvro(out: DataOutput, type: Extract<TypeInfo, { kind: 'avro' }>): void {
  out.writeUTF('org.apache.flink.formats.avro.typeutils.AvroSerializerSnapshot')
  out.writeInt(AVRO_VERSION)
  out.writeString(type.className)
  out.writeString(type.schema)
}

function writePojo(out: DataOutput, type: Extract<TypeInfo, { kind: 'pojo' }>): void {
  out.writeUTF(`${RUNTIME}.PojoSerializerSnapshot`)
  out.writeInt(POJO_VERSION)
  out.writeUTF(type.className)
  writeOptionalMap(out, type.fields.map((field) => ({ name: field.name, type: field.type, writeKey: (key) => (key.writeUTF(type.className), key.writeUTF(field.name)) })))
  for (const classes of [type.registered, type.subclasses]) writeOptionalMap(out, classes.map((one) => ({ name: one.className, type: one.type, writeKey: () => undefined })))
}

function writeOptionalMap(out: DataOutput, entries: readonly { readonly name: string; readonly type: TypeInfo; readonly writeKey: (out: DataOutput) => void }[]): void {
  out.writeLong(OPTIONAL_MAP_HEADER)
  out.writeInt(entries.length)
  for (const { name, type, writeKey } of entries) {
    out.writeUTF(name)
    for (const write of [writeKey, (frame: DataOutput) => writeType(frame, type)]) {
      const frame = new DataOutput()
      write(frame)
      out.writeBoolean(true)
      out.writeBlob(frame.toBytes())
    }
  }
}
