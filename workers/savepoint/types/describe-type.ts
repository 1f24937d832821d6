/** Types in words, and the lengths that their serializers declare (which decide about the layout of keys). */
import { SIMPLE_CODECS } from './simple-codecs.ts'
import { describeSqlType } from './sql-type.ts'
import type { TypeInfo } from './type-info.ts'

const shortName = (className: string): string => (className.includes(' ') ? className : className.slice(className.lastIndexOf('.') + 1))
const each = (types: readonly TypeInfo[]): string => types.map(describeType).join(', ')

/** `Map<String, Long>`, `Tuple2<Int, byte[]>`, `Row<Long>`, a class name. */
export function describeType(type: TypeInfo): string {
  switch (type.kind) {
    case 'simple':
      return SIMPLE_CODECS.get(type.codec)?.name ?? type.codec
    case 'opaque':
    case 'avro':
      return type.className
    case 'pojo':
    case 'enum':
      return shortName(type.className)
    case 'record':
      return type.fields.length === 0 ? type.name : `${type.name}<${each(type.fields.map((field) => field.type))}>`
    case 'list':
      return `${type.name}<${describeType(type.element)}>`
    case 'linked-list':
      return `LinkedList<${describeType(type.element)}>`
    case 'set':
      return `Set<${describeType(type.element)}>`
    case 'map':
      return `Map<${describeType(type.key)}, ${describeType(type.value)}>`
    case 'array':
      return `${describeType(type.element)}[]`
    case 'row':
      return `Row<${each(type.fields)}>`
    case 'nullable':
      return `Nullable<${describeType(type.element)}>`
    case 'optional':
      return `Option<${describeType(type.element)}>`
    case 'either':
      return `${type.name}<${each(type.cases.map((one) => one.type))}>`
    case 'ttl':
      return `TTL<${describeType(type.value)}>`
    case 'timer':
      return `Timer<${describeType(type.key)}, ${describeType(type.namespace)}>`
    case 'row-data':
      return `ROW<${type.fields.map(describeSqlType).join(', ')}>`
    case 'sql':
      return describeSqlType(type.type)
    case 'stream-element':
      return `StreamElement<${describeType(type.value)}>`
    case 'transactions':
      return `Transactions<${describeType(type.transaction)}, ${describeType(type.context)}>`
    case 'nfa-state':
      return 'NFAState'
  }
}

/** Flink: TypeSerializer.getLength. −1: it varies. */
export function declaredLength(type: TypeInfo): number {
  switch (type.kind) {
    case 'simple':
      return SIMPLE_CODECS.get(type.codec)?.length ?? -1
    case 'enum':
      return 4
    case 'record':
      return sum(type.fields.map((field) => declaredLength(field.type)))
    case 'nullable':
      return type.padding === 0 ? -1 : 1 + type.padding
    case 'ttl':
      return sum([8, declaredLength(type.value)])
    case 'timer':
      return sum([8, declaredLength(type.key), declaredLength(type.namespace)])
    case 'sql':
      return type.type.root === 'DECIMAL' && type.type.precision <= 18 ? 8 : type.type.root.startsWith('TIMESTAMP') ? (type.type.precision <= 3 ? 8 : 12) : -1
    default:
      return -1
  }
}

const sum = (lengths: readonly number[]): number => (lengths.includes(-1) ? -1 : lengths.reduce((a, b) => a + b, 0))
