/**
 * Copying a machine, so that a run can go on twice from the same moment (rewind, fork, key frames).
 *
 * A machine is an object graph: records, arrays, maps, and small class instances that refer to each other. The copy keeps that shape,
 * prototypes and shared references included. Two rules make it safe, and every class below `workers/` that holds state of a machine
 * obeys them: no `#private` fields (they cannot be copied from outside), and no stored closure over something that changes.
 * Functions are therefore shared. A class that can share structure with its copy (a heap table) implements `cloneShared`.
 */
export const cloneShared: unique symbol = Symbol('cloneShared')

export interface SharesStructure {
  /** A copy that may share immutable parts with this; `copy` copies whatever else the class refers to. */
  [cloneShared](copy: <T>(value: T) => T): unknown
}

export function cloneGraph<T>(root: T): T {
  const copies = new Map<object, unknown>()
  const copy = <V>(value: V): V => {
    if (value === null || typeof value !== 'object') return value
    const known = copies.get(value)
    if (known !== undefined) return known as V
    return copyObject(value, copy, copies) as V
  }
  return copy(root)
}

type Copy = <V>(value: V) => V

function copyObject(value: object, copy: Copy, copies: Map<object, unknown>): unknown {
  const remember = <R extends object>(result: R): R => {
    copies.set(value, result)
    return result
  }
  if (typeof (value as Partial<SharesStructure>)[cloneShared] === 'function') {
    return remember((value as SharesStructure)[cloneShared](copy) as object)
  }
  if (value instanceof ArrayBuffer) return remember(value.slice(0))
  if (ArrayBuffer.isView(value)) return remember(copyView(value, copy))
  if (value instanceof Map) {
    const result = remember(new Map<unknown, unknown>())
    for (const [key, item] of value) result.set(copy(key), copy(item))
    return result
  }
  if (value instanceof Set) {
    const result = remember(new Set<unknown>())
    for (const item of value) result.add(copy(item))
    return result
  }
  if (Array.isArray(value)) {
    const result = remember(new Array<unknown>(value.length))
    for (let i = 0; i < value.length; i++) result[i] = copy(value[i] as unknown)
    return result
  }
  const result = remember(Object.create(Object.getPrototypeOf(value) as object | null) as Record<string, unknown>)
  for (const key of Object.keys(value)) result[key] = copy((value as Record<string, unknown>)[key])
  return result
}

/** Views of one buffer stay views of one buffer. */
function copyView(view: ArrayBufferView, copy: Copy): ArrayBufferView {
  const buffer = copy(view.buffer)
  const length = view instanceof DataView ? view.byteLength : (view as Uint8Array).length
  const Constructor = view.constructor as new (buffer: ArrayBufferLike, offset: number, length: number) => ArrayBufferView
  return new Constructor(buffer, view.byteOffset, length)
}
