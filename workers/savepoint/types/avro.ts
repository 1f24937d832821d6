/**
 * Avro values in Flink's encoding, with the schema that stands in the header. Flink: AvroSerializer, DataOutputEncoder: not Avro's own
 * binary form: numbers have their full length, byte arrays and strings four bytes of length, union branches and enum constants are i4; arrays
 * and maps come in blocks with a count of 7 bits a byte, the last of which is 0.
 */
import type { ValueView } from '../../model/snapshot-view.ts'
import type { DataInput } from '../../state/serializers/data-input.ts'
import { FormatError } from '../../state/serializers/format-error.ts'
import { decodeUtf8 } from './utf8-text.ts'
import { bytesView, takeBytes } from './value-context.ts'
import type { ValueBudget } from './value-context.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type Named = ReadonlyMap<string, { readonly [key: string]: Json }>
const DEPTH_MAX = 48

/** Reads a value. Throws `FormatError` for a schema or bytes that are not understood. */
export function readAvro(input: DataInput, schema: string, budget: ValueBudget): ValueView {
  let parsed: Json
  try {
    parsed = JSON.parse(schema) as Json
  } catch {
    throw new FormatError('the Avro schema is no JSON')
  }
  const named = new Map<string, { readonly [key: string]: Json }>()
  collect(parsed, '', named, 0)
  return new AvroReader(input, named, budget).read(parsed, '', 0)
}

const isObject = (json: Json | undefined): json is { readonly [key: string]: Json } => typeof json === 'object' && json !== null && !Array.isArray(json)
const list = (json: Json | undefined): readonly Json[] => (Array.isArray(json) ? (json as readonly Json[]) : [])
const fullName = (name: string, namespace: string): string => (name.includes('.') || namespace === '' ? name : `${namespace}.${name}`)
const namespaceOf = (schema: { readonly [key: string]: Json }, outer: string): string => {
  const name = String(schema['name'] ?? '')
  if (name.includes('.')) return name.slice(0, name.lastIndexOf('.'))
  return typeof schema['namespace'] === 'string' ? schema['namespace'] : outer
}

/** Every named type of the schema: later ones may refer to them by name, records to themselves. */
function collect(schema: Json, namespace: string, named: Map<string, { readonly [key: string]: Json }>, depth: number): void {
  if (depth > DEPTH_MAX) throw new FormatError('an Avro schema nested too deeply')
  if (Array.isArray(schema)) for (const branch of list(schema)) collect(branch, namespace, named, depth + 1)
  if (!isObject(schema)) return
  const own = typeof schema['name'] === 'string' ? namespaceOf(schema, namespace) : namespace
  if (typeof schema['name'] === 'string') named.set(fullName(schema['name'], own), schema)
  for (const field of list(schema['fields'])) if (isObject(field)) collect(field['type'] ?? null, own, named, depth + 1)
  for (const part of ['items', 'values', 'type']) if (typeof schema[part] === 'object') collect(schema[part] ?? null, own, named, depth + 1)
}

class AvroReader {
  private readonly input: DataInput
  private readonly named: Named
  private readonly budget: ValueBudget

  constructor(input: DataInput, named: Named, budget: ValueBudget) {
    this.input = input
    this.named = named
    this.budget = budget
  }

  read(schema: Json, namespace: string, depth: number): ValueView {
    if (depth > DEPTH_MAX) throw new FormatError('an Avro value nested too deeply')
    this.budget.spend(1)
    if (Array.isArray(schema)) return this.readUnion(list(schema), namespace, depth)
    if (typeof schema === 'string') return this.readPrimitive(schema, namespace, depth)
    if (!isObject(schema)) throw new FormatError('an Avro schema of an unknown form')
    const own = namespaceOf(schema, namespace)
    switch (schema['type']) {
      case 'record':
        return {
          kind: 'record',
          type: String(schema['name']),
          fields: list(schema['fields']).map((field) => {
            if (!isObject(field)) throw new FormatError('a field of an Avro schema of an unknown form')
            return { name: String(field['name']), value: this.read(field['type'] ?? null, own, depth + 1) }
          }),
        }
      case 'enum':
        return { kind: 'text', type: String(schema['name']), text: String(list(schema['symbols'])[this.input.readInt('an enum')] ?? '?') }
      case 'array':
        return { kind: 'list', items: this.readBlocks(() => this.read(schema['items'] ?? null, own, depth + 1)) }
      case 'map':
        return { kind: 'map', entries: this.readBlocks(() => [this.readText(), this.read(schema['values'] ?? null, own, depth + 1)] as const) }
      case 'fixed':
        return bytesView(takeBytes(this.input, Number(schema['size']), 'a fixed value'))
      default:
        return this.read(schema['type'] ?? null, own, depth + 1)
    }
  }

  private readUnion(branches: readonly Json[], namespace: string, depth: number): ValueView {
    const at = this.input.position
    const branch = branches[this.input.readInt('the branch of a union')]
    if (branch === undefined) throw this.input.errorAt(at, `a branch below ${branches.length}`, 'found another number')
    return this.read(branch, namespace, depth + 1)
  }

  private readPrimitive(type: string, namespace: string, depth: number): ValueView {
    const { input } = this
    switch (type) {
      case 'null':
        return null
      case 'boolean':
        return input.readBoolean('a boolean')
      case 'int':
        return input.readInt('an int')
      case 'long':
        return input.readAnyLong('a long')
      case 'float':
        return input.readFloat('a float')
      case 'double':
        return input.readDouble('a double')
      case 'string':
        return this.readText()
      case 'bytes': {
        const bytes = takeBytes(input, input.readCount('the length of bytes'), 'bytes')
        this.budget.spend(bytes.length >> 6)
        return bytesView(bytes)
      }
      default: {
        const found = this.named.get(fullName(type, namespace)) ?? this.named.get(type)
        if (found === undefined) throw new FormatError(`the Avro type ${type} is not in the schema`)
        return this.read(found, namespace, depth + 1)
      }
    }
  }

  private readText(): string {
    const bytes = takeBytes(this.input, this.input.readCount('the length of a string'), 'a string')
    this.budget.spend(bytes.length >> 3)
    return decodeUtf8(bytes)
  }

  private readBlocks<T>(read: () => T): T[] {
    const items: T[] = []
    for (let count = this.input.readVarint('the size of a block'); count > 0; count = this.input.readVarint('the size of a block')) {
      for (let n = count; n > 0; n--) {
        this.budget.spend(1)
        items.push(read())
      }
    }
    return items
  }
}
