/**
 * Writes as much of Java's object serialization (protocol version 5) as checkpoint properties need: objects of serializable classes with
 * boolean and object fields, strings, enums, null. Class descriptors, strings and objects get handles in the order of their appearance, and
 * a second appearance is a reference, as in Java. Read is any stream: types/java-object-reader.ts.
 */
import type { DataOutput } from '../state/serializers/data-output.ts'

export interface JavaClass {
  readonly name: string
  readonly serialVersionUid: bigint
  readonly isEnum: boolean
  /** In the order of the stream: primitives first, then by name. */
  readonly fields: readonly JavaField[]
  readonly superClass: JavaClass | null
}

/** `type`: a boolean, or the JVM's name of a class (`Ljava/lang/String;`). */
export interface JavaField {
  readonly name: string
  readonly type: string
}

export type JavaValue = null | boolean | string | JavaObject | JavaEnum
export interface JavaObject {
  readonly kind: 'object'
  readonly class: JavaClass
  /** Of the class itself: no superclass of ours has fields. */
  readonly values: readonly JavaValue[]
}
export interface JavaEnum {
  readonly kind: 'enum'
  readonly class: JavaClass
  readonly constant: string
}

export const BOOLEAN_TYPE = 'Z'

const STREAM_HEADER = 0xaced0005 | 0
const TC_NULL = 0x70
const TC_REFERENCE = 0x71
const TC_CLASSDESC = 0x72
const TC_OBJECT = 0x73
const TC_STRING = 0x74
const TC_ENDBLOCKDATA = 0x78
const TC_ENUM = 0x7e
const SC_SERIALIZABLE = 0x02
const SC_ENUM = 0x10
const BASE_HANDLE = 0x7e0000

/** Writes one complete stream: header and one value. */
export function writeJavaObject(out: DataOutput, value: JavaValue): void {
  out.writeInt(STREAM_HEADER)
  new Writer(out).write(value)
}

class Writer {
  private readonly out: DataOutput
  private readonly handles = new Map<string | object, number>()

  constructor(out: DataOutput) {
    this.out = out
  }

  write(value: JavaValue): void {
    const { out } = this
    if (value === null) return out.writeByte(TC_NULL)
    if (typeof value === 'boolean') return out.writeBoolean(value)
    if (typeof value === 'string') return this.writeString(value)
    if (this.writeReference(value)) return
    out.writeByte(value.kind === 'enum' ? TC_ENUM : TC_OBJECT)
    this.writeClass(value.class)
    this.remember(value)
    if (value.kind === 'enum') return this.writeString(value.constant)
    for (const field of value.values) this.write(field)
  }

  private writeString(text: string): void {
    if (this.writeReference(text)) return
    this.out.writeByte(TC_STRING)
    this.remember(text)
    this.out.writeUTF(text)
  }

  private writeClass(javaClass: JavaClass | null): void {
    const { out } = this
    if (javaClass === null) return out.writeByte(TC_NULL)
    if (this.writeReference(javaClass)) return
    out.writeByte(TC_CLASSDESC)
    out.writeUTF(javaClass.name)
    out.writeLong(javaClass.serialVersionUid)
    this.remember(javaClass)
    out.writeByte(SC_SERIALIZABLE | (javaClass.isEnum ? SC_ENUM : 0))
    out.writeShort(javaClass.fields.length)
    for (const { name, type } of javaClass.fields) {
      out.writeByte(type.charCodeAt(0))
      out.writeUTF(name)
      if (type !== BOOLEAN_TYPE) this.writeString(type)
    }
    out.writeByte(TC_ENDBLOCKDATA)
    this.writeClass(javaClass.superClass)
  }

  private writeReference(value: string | object): boolean {
    const handle = this.handles.get(value)
    if (handle === undefined) return false
    this.out.writeByte(TC_REFERENCE)
    this.out.writeInt(handle)
    return true
  }

  private remember(value: string | object): void {
    this.handles.set(value, BASE_HANDLE + this.handles.size)
  }
}
