/** Java object streams of SQL's logical types, as the headers of SQL jobs hold them. */
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'

const LOGICAL = 'org.apache.flink.table.types.logical'

/** A type without parts, and VARCHAR with its length: class, superclass LogicalType with `isNullable` and `typeRoot`. */
export function logicalType(className: string, root: string, ints: Readonly<Record<string, number>> = {}): Uint8Array {
  const out = new DataOutput()
  out.writeInt(0xaced0005 | 0)
  out.writeByte(0x73)
  beginClass(out, `${LOGICAL}.${className}`, 0x02, Object.keys(ints).map((name) => ({ code: 'I', name })))
  beginClass(out, `${LOGICAL}.LogicalType`, 0x02, [{ code: 'Z', name: 'isNullable' }, { code: 'L', name: 'typeRoot', type: `L${LOGICAL.replaceAll('.', '/')}/LogicalTypeRoot;` }])
  out.writeByte(0x70)
  out.writeBoolean(true)
  out.writeByte(0x7e)
  beginClass(out, `${LOGICAL}.LogicalTypeRoot`, 0x12, [])
  beginClass(out, 'java.lang.Enum', 0x12, [])
  out.writeByte(0x70)
  javaString(out, root)
  for (const value of Object.values(ints)) out.writeInt(value)
  return out.toBytes()
}

function beginClass(out: DataOutput, name: string, flags: number, fields: readonly { readonly code: string; readonly name: string; readonly type?: string }[]): void {
  out.writeByte(0x72)
  out.writeUTF(name)
  out.writeLong(1)
  out.writeByte(flags)
  out.writeShort(fields.length)
  for (const field of fields) {
    out.writeByte(field.code.charCodeAt(0))
    out.writeUTF(field.name)
    if (field.type !== undefined) javaString(out, field.type)
  }
  out.writeByte(0x78)
}

function javaString(out: DataOutput, text: string): void {
  out.writeByte(0x74)
  out.writeUTF(text)
}

/** A list with `writeObject`: a field, then a block of bytes and the items, as java.util.ArrayList does it. */
export function arrayListOf(items: readonly string[]): Uint8Array {
  const out = new DataOutput()
  out.writeInt(0xaced0005 | 0)
  out.writeByte(0x73)
  beginClass(out, 'java.util.ArrayList', 0x03, [{ code: 'I', name: 'size' }])
  out.writeByte(0x70)
  out.writeInt(items.length)
  out.writeByte(0x77)
  out.writeByte(4)
  out.writeInt(items.length)
  for (const item of items) javaString(out, item)
  out.writeByte(0x78)
  return out.toBytes()
}
