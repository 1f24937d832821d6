/**
 * As much of Java's object serialization (protocol version 5) as checkpoint properties need: objects of serializable classes with
 * boolean and object fields, strings, enums, null. Class descriptors, strings and objects get handles in the order of their appearance, and
 * a second appearance is a reference, as in Java.
 */
import type { DataInput } from '../state/serializers/data-input.ts'
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
/** Deeper than any properties: a stream that goes on is damaged. */
const DEPTH_MAX = 16

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

/** Reads one complete stream. Throws `FormatError` for anything but the kinds named above. */
export function readJavaObject(input: DataInput): JavaValue {
  input.expectInt(STREAM_HEADER, 'the header of a Java object stream')
  return new Reader(input).read(0)
}

class Reader {
  private readonly input: DataInput
  private readonly handles: unknown[] = []

  constructor(input: DataInput) {
    this.input = input
  }

  read(depth: number): JavaValue {
    const at = this.input.position
    if (depth > DEPTH_MAX) throw this.input.errorAt(at, 'a Java object', 'found one nested too deeply')
    const tag = this.input.readByte('the tag of a Java object')
    switch (tag) {
      case TC_NULL:
        return null
      case TC_REFERENCE:
        return this.readReference() as JavaValue
      case TC_STRING: {
        const slot = this.reserve()
        return this.fill(slot, this.input.readUTF('a Java string'))
      }
      case TC_ENUM: {
        const javaClass = this.readClass(depth)
        const slot = this.reserve()
        return this.fill(slot, { kind: 'enum', class: javaClass, constant: String(this.read(depth + 1)) } satisfies JavaEnum)
      }
      case TC_OBJECT: {
        const javaClass = this.readClass(depth)
        const slot = this.reserve()
        const values = javaClass.fields.map(({ type }) => (type === BOOLEAN_TYPE ? this.input.readBoolean() : this.read(depth + 1)))
        return this.fill(slot, { kind: 'object', class: javaClass, values } satisfies JavaObject)
      }
      default:
        throw this.input.errorAt(at, 'a Java object, string, enum or null', `found tag 0x${tag.toString(16)}`)
    }
  }

  private readClass(depth: number): JavaClass {
    const found = this.readClassOrNull(depth)
    if (found === null) throw this.input.errorAt(this.input.position, 'a Java class', 'found null')
    return found
  }

  private readClassOrNull(depth: number): JavaClass | null {
    const { input } = this
    const at = input.position
    const tag = input.readByte('a Java class')
    if (tag === TC_NULL) return null
    if (tag === TC_REFERENCE) return this.readReference() as JavaClass
    if (tag !== TC_CLASSDESC || depth > DEPTH_MAX) throw input.errorAt(at, 'a Java class', `found tag 0x${tag.toString(16)}`)
    const name = input.readUTF('the name of a Java class')
    const serialVersionUid = BigInt(input.readAnyLong('a serialVersionUID'))
    const slot = this.reserve()
    const flagsAt = input.position
    const flags = input.readByte('the flags of a Java class')
    if ((flags & ~SC_ENUM) !== SC_SERIALIZABLE) throw input.errorAt(flagsAt, 'a plain serializable class', `${name} has flags ${flags}`)
    const fields: JavaField[] = []
    for (let n = input.readShort('the number of fields'); n > 0; n--) fields.push(this.readField(depth))
    const endAt = input.position
    if (input.readByte('the end of a Java class') !== TC_ENDBLOCKDATA) throw input.errorAt(endAt, `no annotation of class ${name}`, 'found one')
    const superClass = this.readClassOrNull(depth + 1)
    return this.fill(slot, { name, serialVersionUid, isEnum: (flags & SC_ENUM) !== 0, fields, superClass })
  }

  private readField(depth: number): JavaField {
    const at = this.input.position
    const code = String.fromCharCode(this.input.readByte('the type of a field'))
    const name = this.input.readUTF('the name of a field')
    if (code === BOOLEAN_TYPE) return { name, type: code }
    if (code !== 'L') throw this.input.errorAt(at, 'a boolean or object field', `${name} has type ${code}`)
    return { name, type: String(this.read(depth + 1)) }
  }

  private readReference(): unknown {
    const at = this.input.position
    const index = this.input.readInt('a handle') - BASE_HANDLE
    const value = this.handles[index]
    if (value === undefined) throw this.input.errorAt(at, 'a handle of something read before', `found ${index}`)
    return value
  }

  private reserve(): number {
    return this.handles.push(undefined) - 1
  }

  private fill<T>(slot: number, value: T): T {
    this.handles[slot] = value
    return value
  }
}
