/**
 * Reads key groups of a canonical keyed file: that of canonical savepoints, and of full RocksDB checkpoints. Flink:
 * FullSnapshotRestoreOperation, CompositeKeySerializationUtils, ListDelimitedSerializer. Layout: canonical-writer.ts.
 */
import type { ValueView } from '../../model/snapshot-view.ts'
import { DataInput } from '../../state/serializers/data-input.ts'
import { FormatError } from '../../state/serializers/format-error.ts'
import { declaredLength } from '../types/describe-type.ts'
import { readTypedValue } from '../types/read-value.ts'
import type { TypeInfo } from '../types/type-info.ts'
import { OpaqueValueError, opaqueView } from '../types/value-context.ts'
import type { ValueBudget } from '../types/value-context.ts'
import { CANONICAL_END_OF_GROUP, LIST_DELIMITER, keyGroupPrefixLength } from './canonical-format.ts'
import type { StateHeader, StateInfo } from './state-headers.ts'
import type { EntrySink, StoredEntry } from './stored-entry.ts'

/**
 * Hands every entry of one key group (uncompressed) to `sink`. Throws `FormatError` where the bytes end or are damaged; what was read
 * before has been handed over by then. `isCut`: the bytes are only the beginning of the block.
 */
export function readCanonicalGroup(block: Uint8Array, header: StateHeader, keyGroup: number, maxParallelism: number, budget: ValueBudget, sink: EntrySink): void {
  const input = new DataInput(block)
  const prefix = keyGroupPrefixLength(maxParallelism)
  let state = input.readShort('a state id') & 0xffff
  while (state !== CANONICAL_END_OF_GROUP) {
    budget.spend(1)
    const at = input.position
    const key = input.readBlob('a key')
    const value = input.readBlob('a value')
    if (key.length < prefix) throw input.errorAt(at, `a key of at least ${prefix} bytes`, `found ${key.length}`)
    const isLast = ((key[0] as number) & 0x80) !== 0
    key[0] = (key[0] as number) & 0x7f
    const group = prefix === 1 ? (key[0] as number) : ((key[0] as number) << 8) | (key[1] as number)
    if (group !== keyGroup) throw input.errorAt(at, `a key of key group ${keyGroup}`, `found one of ${group}`)
    sink(decode(header, state, keyGroup, key.subarray(prefix), value, budget))
    if (isLast) state = input.readShort('the next state id') & 0xffff
  }
  input.expectEnd(`key group ${keyGroup}`)
}

function decode(header: StateHeader, id: number, keyGroup: number, key: Uint8Array, value: Uint8Array, budget: ValueBudget): StoredEntry {
  const state = header.states[id]
  if (state === undefined) return { state: id, keyGroup, key: opaqueView(`state ${id}, which the header does not name`, key), namespace: null, value: opaqueView('', value), isOpaque: true }
  if (state.kind === 'timers') return decodeTimer(state, id, keyGroup, key, budget)
  const keyParts = tryOr(() => readCompositeKey(key, header.key, state, budget), budget)
  const valuePart = tryOr(() => readCanonicalValue(value, state, budget), budget)
  return {
    state: id,
    keyGroup,
    key: keyParts.ok ? keyParts.value.key : opaqueView(keyParts.reason, key),
    namespace: keyParts.ok ? keyParts.value.namespace : null,
    ...(keyParts.ok && keyParts.value.mapKey !== undefined ? { mapKey: keyParts.value.mapKey } : {}),
    value: valuePart.ok ? valuePart.value : opaqueView(valuePart.reason, value),
    isOpaque: !keyParts.ok || !valuePart.ok,
  }
}

/** The key of a timer's entry is the timer. */
function decodeTimer(state: StateInfo, id: number, keyGroup: number, key: Uint8Array, budget: ValueBudget): StoredEntry {
  const timer = tryOr(() => readWhole(key, state.value, budget), budget)
  const value = timer.ok ? timer.value : opaqueView(timer.reason, key)
  const field = (name: string): ValueView => (value !== null && typeof value === 'object' && value.kind === 'record' ? (value.fields.find((one) => one.name === name)?.value ?? null) : null)
  return { state: id, keyGroup, key: timer.ok ? field('key') : value, namespace: field('namespace'), value: timer.ok ? field('timestamp') : value, isOpaque: !timer.ok }
}

interface CompositeKey {
  readonly key: ValueView
  readonly namespace: ValueView
  readonly mapKey?: ValueView
}

/** Key and namespace are followed by their lengths where both are of variable length, as otherwise "ab","c" and "a","bc" are one. */
function readCompositeKey(bytes: Uint8Array, keyType: TypeInfo | null, state: StateInfo, budget: ValueBudget): CompositeKey {
  if (keyType === null || state.namespace === null) throw new OpaqueValueError('an unknown serializer')
  const input = new DataInput(bytes)
  const isAmbiguous = declaredLength(keyType) < 0 && declaredLength(state.namespace) < 0
  const key = readPart(input, keyType, isAmbiguous, budget)
  const namespace = readPart(input, state.namespace, isAmbiguous, budget)
  if (state.type !== 'MAP') {
    input.expectEnd('a key')
    return { key, namespace }
  }
  if (state.value === null || state.value.kind !== 'map') throw new OpaqueValueError('a map state without a map serializer')
  const mapKey = readTypedValue(input, state.value.key, budget)
  input.expectEnd('a key')
  return { key, namespace, mapKey }
}

function readPart(input: DataInput, type: TypeInfo, isAmbiguous: boolean, budget: ValueBudget): ValueView {
  const start = input.position
  const value = readTypedValue(input, type, budget)
  let length = input.position - start
  if (!isAmbiguous) return value
  const at = input.position
  do {
    if (input.readByte('the length of a part of a key') !== (length & 0xff)) throw input.errorAt(at, 'the length of the part of a key before it', 'found another')
    length >>>= 8
  } while (length !== 0)
  return value
}

function readCanonicalValue(bytes: Uint8Array, state: StateInfo, budget: ValueBudget): ValueView {
  const type = state.value
  if (type === null) throw new OpaqueValueError('an unknown serializer')
  if (state.type === 'LIST' && type.kind === 'list') return readDelimitedList(bytes, type.element, budget)
  if (state.type === 'MAP' && type.kind === 'map') {
    const input = new DataInput(bytes)
    // The heap backend may write bytes behind the flag of a null, RocksDB writes none.
    return input.readBoolean('whether a value is null') ? null : readWhole(bytes.subarray(1), type.value, budget)
  }
  return readWhole(bytes, type, budget)
}

function readDelimitedList(bytes: Uint8Array, element: TypeInfo, budget: ValueBudget): ValueView {
  const input = new DataInput(bytes)
  const items: ValueView[] = []
  while (input.remaining > 0) {
    if (items.length > 0 && input.readByte('a delimiter') !== LIST_DELIMITER) throw input.errorAt(input.position - 1, 'a delimiter between elements', 'found another byte')
    items.push(readTypedValue(input, element, budget))
  }
  return { kind: 'list', items }
}

/** A value that takes all of the bytes; one that cannot be decoded at all is shown as these. */
function readWhole(bytes: Uint8Array, type: TypeInfo | null, budget: ValueBudget): ValueView {
  if (type === null) throw new OpaqueValueError('an unknown serializer')
  const input = new DataInput(bytes)
  const value = readTypedValue(input, type, budget)
  input.expectEnd('a value')
  return value
}

type Tried<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string }

/** A part that cannot be decoded harms no other. A budget that is used up is no matter of this part. */
export function tryOr<T>(read: () => T, budget: ValueBudget): Tried<T> {
  try {
    return { ok: true, value: read() }
  } catch (error) {
    if (!(error instanceof FormatError) || budget.left < 0) throw error
    budget.failed()
    return { ok: false, reason: error instanceof OpaqueValueError ? error.className : error.message }
  }
}
