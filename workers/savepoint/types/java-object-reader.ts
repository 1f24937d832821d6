/**
 * Walks a Java object stream (protocol version 5) of any content without loading a class: SQL jobs put logical types into their headers that
 * way, and every `_metadata` since version 4 its properties. Java: ObjectStreamConstants, "Object Serialization Stream Protocol".
 */
import type { DataInput } from '../../state/serializers/data-input.ts'

export interface JavaInstance {
  readonly kind: 'instance'
  readonly className: string
  /** Of the class and its superclasses, by name. */
  readonly fields: Map<string, JavaNode>
  /** What `writeObject` methods added: objects and blocks of bytes. */
  readonly annotations: JavaNode[]
}
export interface JavaConstant {
  readonly kind: 'enum'
  readonly className: string
  readonly constant: string
}
export interface JavaArray {
  readonly kind: 'array'
  readonly className: string
  readonly items: JavaNode[]
}
export type JavaNode = null | boolean | number | bigint | string | JavaInstance | JavaConstant | JavaArray | { readonly kind: 'class'; readonly className: string } | { readonly kind: 'block'; readonly bytes: Uint8Array }

interface ClassDescription {
  readonly name: string
  flags: number
  readonly fields: { readonly name: string; readonly code: string }[]
  superClass: ClassDescription | null
}

const STREAM_HEADER = 0xaced0005 | 0
const TC_NULL = 0x70
const TC_REFERENCE = 0x71
const TC_CLASSDESC = 0x72
const TC_OBJECT = 0x73
const TC_STRING = 0x74
const TC_ARRAY = 0x75
const TC_CLASS = 0x76
const TC_BLOCKDATA = 0x77
const TC_ENDBLOCKDATA = 0x78
const TC_BLOCKDATALONG = 0x7a
const TC_LONGSTRING = 0x7c
const TC_PROXYCLASSDESC = 0x7d
const TC_ENUM = 0x7e
const SC_WRITE_METHOD = 0x01
const SC_SERIALIZABLE = 0x02
const SC_EXTERNALIZABLE = 0x04
const SC_BLOCK_DATA = 0x08
const BASE_HANDLE = 0x7e0000
/** Deeper than any type of SQL: a stream that goes on is damaged. */
const DEPTH_MAX = 200
const HIERARCHY_MAX = 32

/** Reads one complete stream: header and one value. Throws `FormatError`. */
export function readJavaStream(input: DataInput): JavaNode {
  input.expectInt(STREAM_HEADER, 'the header of a Java object stream')
  return new Walker(input).read(0)
}

class Walker {
  private readonly input: DataInput
  private readonly handles: (JavaNode | ClassDescription)[] = []

  constructor(input: DataInput) {
    this.input = input
  }

  read(depth: number): JavaNode {
    const { input } = this
    const at = input.position
    if (depth > DEPTH_MAX) throw input.errorAt(at, 'a Java object', 'found one nested too deeply')
    const tag = input.readByte('the tag of a Java object')
    switch (tag) {
      case TC_NULL:
        return null
      case TC_REFERENCE:
        return this.readReference() as JavaNode
      case TC_STRING:
        return this.remember(input.readUTF('a Java string'))
      case TC_LONGSTRING:
        return this.readLongString()
      case TC_ENUM:
        return this.readEnum(depth)
      case TC_OBJECT:
        return this.readInstance(depth, at)
      case TC_ARRAY:
        return this.readArray(depth, at)
      case TC_CLASS: {
        const description = this.readClass(depth + 1)
        return this.remember({ kind: 'class' as const, className: description?.name ?? '' })
      }
      case TC_CLASSDESC:
      case TC_PROXYCLASSDESC: {
        input.seek(at, 'a Java class')
        return { kind: 'class', className: this.readClass(depth + 1)?.name ?? '' }
      }
      case TC_BLOCKDATA:
        return { kind: 'block', bytes: input.readBytes(input.readByte('the length of a block'), 'a block of bytes') }
      case TC_BLOCKDATALONG:
        return { kind: 'block', bytes: input.readBlob('a block of bytes') }
      default:
        throw input.errorAt(at, 'something in a Java object stream', `found tag 0x${tag.toString(16)}`)
    }
  }

  private readLongString(): JavaNode {
    const { input } = this
    const at = input.position
    const length = input.readAnyLong('the length of a long string')
    if (typeof length === 'bigint' || length < 0 || length > input.remaining) throw input.errorAt(at, 'the length of a long string', `found ${length}`)
    return this.remember(`(a string of ${input.readBytes(length, 'a long string').length} bytes)`)
  }

  private readEnum(depth: number): JavaNode {
    const className = this.readClass(depth + 1)?.name ?? ''
    const slot = this.handles.push(null) - 1
    const constant: JavaConstant = { kind: 'enum', className, constant: String(this.read(depth + 1)) }
    this.handles[slot] = constant
    return constant
  }

  private readInstance(depth: number, at: number): JavaNode {
    const description = this.readClass(depth + 1)
    if (description === null) throw this.input.errorAt(at, 'an object of some class', 'found one of none')
    const instance: JavaInstance = { kind: 'instance', className: description.name, fields: new Map(), annotations: [] }
    this.handles.push(instance)
    for (const part of hierarchy(description)) this.readPart(instance, part, depth, at)
    return instance
  }

  private readPart(instance: JavaInstance, part: ClassDescription, depth: number, at: number): void {
    if ((part.flags & SC_SERIALIZABLE) !== 0) {
      for (const { name, code } of part.fields) instance.fields.set(name, this.readValue(code, depth))
      if ((part.flags & SC_WRITE_METHOD) !== 0) this.readAnnotations(instance.annotations, depth)
    } else if ((part.flags & SC_EXTERNALIZABLE) !== 0) {
      if ((part.flags & SC_BLOCK_DATA) === 0) throw this.input.errorAt(at, 'an object that can be passed over', `found the externalizable ${part.name}`)
      this.readAnnotations(instance.annotations, depth)
    }
  }

  private readAnnotations(into: JavaNode[], depth: number): void {
    const { input } = this
    while (true) {
      const at = input.position
      if (input.readByte('the end of what a class added') === TC_ENDBLOCKDATA) return
      input.seek(at, 'what a class added')
      into.push(this.read(depth + 1))
    }
  }

  private readArray(depth: number, at: number): JavaNode {
    const description = this.readClass(depth + 1)
    if (description === null || !description.name.startsWith('[')) throw this.input.errorAt(at, 'an array class', `found ${description?.name ?? 'none'}`)
    const array: JavaArray = { kind: 'array', className: description.name, items: [] }
    this.handles.push(array)
    const code = description.name.charAt(1)
    for (let n = this.input.readCount('the length of an array'); n > 0; n--) array.items.push(this.readValue(code, depth))
    return array
  }

  private readValue(code: string, depth: number): JavaNode {
    const { input } = this
    switch (code) {
      case 'Z':
        return input.readBoolean('a boolean field')
      case 'B':
        return (input.readByte('a byte field') << 24) >> 24
      case 'C':
        return String.fromCharCode(input.readShort('a char field') & 0xffff)
      case 'S':
        return input.readShort('a short field')
      case 'I':
        return input.readInt('an int field')
      case 'J':
        return input.readAnyLong('a long field')
      case 'F':
        return input.readFloat('a float field')
      case 'D':
        return input.readDouble('a double field')
      default:
        return this.read(depth + 1)
    }
  }

  private readClass(depth: number): ClassDescription | null {
    const { input } = this
    const at = input.position
    if (depth > DEPTH_MAX) throw input.errorAt(at, 'a Java class', 'found one nested too deeply')
    const tag = input.readByte('a Java class')
    if (tag === TC_NULL) return null
    if (tag === TC_REFERENCE) {
      const found = this.readReference()
      if (found === null || typeof found !== 'object' || !('superClass' in found)) throw input.errorAt(at, 'a reference to a Java class', 'found one to something else')
      return found
    }
    if (tag === TC_PROXYCLASSDESC) return this.readProxyClass(depth)
    if (tag !== TC_CLASSDESC) throw input.errorAt(at, 'a Java class', `found tag 0x${tag.toString(16)}`)
    const description: ClassDescription = { name: input.readUTF('the name of a Java class'), flags: 0, fields: [], superClass: null }
    input.readAnyLong('a serialVersionUID')
    this.handles.push(description)
    description.flags = input.readByte('the flags of a Java class')
    for (let n = input.readShort('the number of fields') & 0xffff; n > 0; n--) {
      const code = String.fromCharCode(input.readByte('the type of a field'))
      description.fields.push({ name: input.readUTF('the name of a field'), code })
      if (code === 'L' || code === '[') this.read(depth + 1)
    }
    this.finishClass(description, depth)
    return description
  }

  private readProxyClass(depth: number): ClassDescription {
    const description: ClassDescription = { name: 'a proxy', flags: SC_SERIALIZABLE, fields: [], superClass: null }
    this.handles.push(description)
    for (let n = this.input.readCount('the number of interfaces', 2); n > 0; n--) this.input.readUTF('an interface')
    this.finishClass(description, depth)
    return description
  }

  private finishClass(description: ClassDescription, depth: number): void {
    this.readAnnotations([], depth)
    description.superClass = this.readClass(depth + 1)
  }

  private readReference(): JavaNode | ClassDescription {
    const at = this.input.position
    const index = this.input.readInt('a handle') - BASE_HANDLE
    const value = this.handles[index]
    if (value === undefined) throw this.input.errorAt(at, 'a handle of something read before', `found ${index}`)
    return value
  }

  private remember<T extends JavaNode>(value: T): T {
    this.handles.push(value)
    return value
  }
}

/** The highest superclass first. A class that is its own superclass (damage) ends at the limit. */
function hierarchy(description: ClassDescription): ClassDescription[] {
  const parts: ClassDescription[] = []
  for (let one: ClassDescription | null = description; one !== null && parts.length < HIERARCHY_MAX; one = one.superClass) parts.unshift(one)
  return parts
}

/** The items of a Java list of the usual classes, or of an array. Null if it is none of these. */
export function itemsOf(node: JavaNode): readonly JavaNode[] | null {
  let one = node
  for (let n = 0; n < 4; n++) {
    if (one === null || typeof one !== 'object') return null
    if (one.kind === 'array') return one.items
    if (one.kind !== 'instance') return null
    const inner: JavaNode = one.fields.get('list') ?? one.fields.get('c') ?? one.fields.get('a') ?? null
    if (inner === null) return one.annotations.filter((item) => item === null || typeof item !== 'object' || item.kind !== 'block')
    one = inner
  }
  return null
}
