/**
 * Types of Flink SQL, from the Java objects that stand in the headers of SQL jobs. Flink: LogicalType and its subclasses, LogicalTypeRoot.
 */
import type { JavaInstance, JavaNode } from './java-object-reader.ts'
import { itemsOf } from './java-object-reader.ts'

export interface SqlType {
  /** The constant of LogicalTypeRoot (`BIGINT`, `VARCHAR`, `ROW` …), or the class name of what is none. */
  readonly root: string
  readonly precision: number
  readonly scale: number
  /** Of ROW and STRUCTURED_TYPE: the fields. ARRAY: element. MAP: key and value. MULTISET: the element and INTEGER. */
  readonly children: readonly { readonly name: string; readonly type: SqlType }[]
}

const DEPTH_MAX = 24
/** References let a small stream mean an enormous type: no more types than this. */
const TYPES_MAX = 1000
const NAME_MAX = 200
const leaf = (root: string): SqlType => ({ root, precision: 0, scale: 0, children: [] })

/** The type that a Java object describes; a leaf with the class name where it is none. */
export const sqlType = (node: JavaNode): SqlType => convert(node, 0, { left: TYPES_MAX })

function convert(node: JavaNode, depth: number, budget: { left: number }): SqlType {
  if (node === null || typeof node !== 'object' || node.kind !== 'instance' || depth > DEPTH_MAX || budget.left-- <= 0) return leaf('an unknown type')
  const inner = node.fields.get('logicalType')
  if (inner !== undefined) return convert(inner, depth + 1, budget)
  const root = node.fields.get('typeRoot') ?? null
  if (root === null || typeof root !== 'object' || root.kind !== 'enum') return leaf(node.className)
  const number = (name: string): number => {
    const value = node.fields.get(name)
    return typeof value === 'number' ? value : 0
  }
  return { root: root.constant, precision: number('precision') || number('length'), scale: number('scale'), children: childrenOf(node, root.constant, depth, budget) }
}

function childrenOf(node: JavaInstance, root: string, depth: number, budget: { left: number }): SqlType['children'] {
  const child = (name: string, field: string) => ({ name, type: convert(node.fields.get(field) ?? null, depth + 1, budget) })
  switch (root) {
    case 'ARRAY':
      return [child('element', 'elementType')]
    case 'MAP':
      return [child('key', 'keyType'), child('value', 'valueType')]
    case 'MULTISET':
      return [child('element', 'elementType'), { name: 'count', type: leaf('INTEGER') }]
    case 'DISTINCT_TYPE':
      return [child('source', 'sourceType')]
    case 'ROW':
    case 'STRUCTURED_TYPE':
      return (itemsOf(node.fields.get('fields') ?? node.fields.get('attributes') ?? null) ?? []).map((field, i) => {
        if (field === null || typeof field !== 'object' || field.kind !== 'instance') return { name: `f${i}`, type: leaf('an unknown type') }
        return { name: String(field.fields.get('name') ?? `f${i}`).slice(0, NAME_MAX), type: convert(field.fields.get('type') ?? null, depth + 1, budget) }
      })
    default:
      return []
  }
}

/** In words, as SQL writes it: `DECIMAL(10, 2)`, `ROW<a BIGINT>`. */
export function describeSqlType(type: SqlType): string {
  switch (type.root) {
    case 'DECIMAL':
      return `DECIMAL(${type.precision}, ${type.scale})`
    case 'TIMESTAMP_WITHOUT_TIME_ZONE':
      return `TIMESTAMP(${type.precision})`
    case 'TIMESTAMP_WITH_LOCAL_TIME_ZONE':
      return `TIMESTAMP_LTZ(${type.precision})`
    case 'VARCHAR':
      return type.precision === 2147483647 ? 'STRING' : `VARCHAR(${type.precision})`
    case 'CHAR':
      return `CHAR(${type.precision})`
    case 'ARRAY':
    case 'MAP':
      return `${type.root}<${type.children.map((child) => describeSqlType(child.type)).join(', ')}>`
    case 'MULTISET':
      return `MULTISET<${type.children.slice(0, 1).map((child) => describeSqlType(child.type)).join('')}>`
    case 'ROW':
    case 'STRUCTURED_TYPE':
      return `ROW<${type.children.map((child) => `${child.name} ${describeSqlType(child.type)}`).join(', ')}>`
    default:
      return type.root.slice(type.root.lastIndexOf('.') + 1)
  }
}
