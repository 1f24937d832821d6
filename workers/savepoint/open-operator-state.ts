/**
 * Reads the operator state of one subtask: list, union and broadcast states of any type, compressed or not. Flink:
 * DefaultOperatorStateBackendSnapshotStrategy, OperatorStateRestoreOperation, HeapBroadcastState. The names stand in the handle as well, so
 * that elements behind an unknown serializer are still found and shown as bytes.
 */
import type { OffsetView, StateView, ValueView } from '../model/snapshot-view.ts'
import { DataInput } from '../state/serializers/data-input.ts'
import { FormatError } from '../state/serializers/format-error.ts'
import { tryOr } from './files/canonical-reader.ts'
import { uncompressStream } from './files/snappy.ts'
import { readOperatorHeader } from './files/state-headers.ts'
import type { StateHeader, StateInfo } from './files/state-headers.ts'
import type { OperatorRef } from './model.ts'
import type { Plan, SnapshotFiles } from './read-plan.ts'
import { readerOffset, SOURCE_READER_STATE } from './source-offsets.ts'
import type { EntryCollector } from './state-collector.ts'
import { readTypedValue } from './types/read-value.ts'
import { opaqueView } from './types/value-context.ts'
import type { ValueBudget } from './types/value-context.ts'

/** Of a longer file only the beginning is read. */
const FILE_MAX = 32 * 1024 * 1024

export interface OperatorStateContext {
  readonly files: SnapshotFiles
  readonly subtask: number
  readonly collector: EntryCollector
  readonly budget: ValueBudget
  readonly problem: (message: string) => void
  readonly offset: (offset: OffsetView) => void
}

/** Managed operator state. Problems are reported, not thrown, except for a budget that is used up. */
export function* openOperatorState(handle: OperatorRef, context: OperatorStateContext): Plan<void> {
  if (handle.stream === null) return
  const length = context.files.length(handle.stream)
  const bytes = yield* context.files.read(handle.stream, 0, FILE_MAX)
  if (bytes.length < length) context.problem(`only ${bytes.length} of ${length} bytes of operator state are read`)
  const header = headerOf(bytes, context)
  for (const problem of header?.problems ?? []) context.problem(problem)
  for (const info of header?.states ?? []) context.collector.declare(info, null)
  const ends = elementEnds(handle, bytes.length)
  for (const state of handle.states) {
    const info = header?.states.find((one) => one.name === state.name) ?? null
    for (const offset of state.offsets) {
      context.budget.spend(1)
      readElement(bytes, offset, ends.get(offset) ?? offset, { name: state.name, kind: kindOfMode(state.mode), info, isCompressed: header?.isCompressed ?? false }, context)
    }
  }
}

/** Null: a version or type that is not read; the elements are then bytes. */
function headerOf(bytes: Uint8Array, context: OperatorStateContext): StateHeader | null {
  const header = tryOr(() => readOperatorHeader(new DataInput(bytes)), context.budget)
  if (!header.ok) context.problem(header.reason)
  return header.ok ? header.value : null
}

const kindOfMode = (mode: OperatorRef['states'][number]['mode']): StateView['kind'] => (mode === 'BROADCAST' ? 'broadcast' : mode === 'UNION' ? 'union' : 'list')

interface ElementOf {
  readonly name: string
  readonly kind: StateView['kind']
  readonly info: StateInfo | null
  readonly isCompressed: boolean
}

/** Elements lie one after the other: each ends where the next one of any state begins. */
function elementEnds(handle: OperatorRef, length: number): ReadonlyMap<number, number> {
  const sorted = [...new Set(handle.states.flatMap((state) => state.offsets))].toSorted((a, b) => a - b)
  return new Map(sorted.map((offset, i) => [offset, Math.max(offset, Math.min(sorted[i + 1] ?? length, length))]))
}

function readElement(bytes: Uint8Array, offset: number, end: number, of: ElementOf, context: OperatorStateContext): void {
  if (offset < 0 || offset >= bytes.length) {
    context.budget.failed()
    context.collector.incomplete(of.name, of.kind)
    context.problem(`an element of operator state "${of.name}" is at offset ${offset}, outside of ${bytes.length} bytes`)
    return
  }
  const read = tryOr(() => uncompressed(bytes.subarray(offset, end), of.isCompressed, context.budget), context.budget)
  const element = read.ok ? read.value : bytes.subarray(offset, end)
  if (of.name === SOURCE_READER_STATE) noteOffset(element, context)
  if (of.kind === 'broadcast') readBroadcast(element, of, context)
  else readListElement(element, of, context)
}

function uncompressed(bytes: Uint8Array, isCompressed: boolean, budget: ValueBudget): Uint8Array {
  if (!isCompressed) return bytes
  const stream = uncompressStream(bytes, 0, FILE_MAX)
  budget.spend(stream.bytes.length >> 6)
  return stream.bytes
}

function noteOffset(element: Uint8Array, context: OperatorStateContext): void {
  const content = tryOr(() => new DataInput(element).readBlob('an element'), context.budget)
  const offset = content.ok ? readerOffset(content.value) : null
  if (offset !== null) context.offset(offset)
}

function readListElement(element: Uint8Array, of: ElementOf, context: OperatorStateContext): void {
  const value = tryOr(() => {
    const type = of.info?.value ?? null
    if (type === null) throw new FormatError('a state that the header does not describe')
    const input = new DataInput(element)
    const read = readTypedValue(input, type, context.budget)
    input.expectEnd('an element')
    return read
  }, context.budget)
  give(of, null, value.ok ? value.value : opaqueView(value.reason, element), !value.ok, context)
}

function readBroadcast(element: Uint8Array, of: ElementOf, context: OperatorStateContext): void {
  const input = new DataInput(element)
  let read = 0
  const all = tryOr(() => {
    const key = of.info?.key ?? null
    const value = of.info?.value ?? null
    if (key === null || value === null) throw new FormatError('a state that the header does not describe')
    const count = input.readInt('the number of entries')
    if (count < 0) throw new FormatError(`a broadcast state of ${count} entries`)
    for (let n = count; n > 0; n--) {
      context.budget.spend(1)
      const mapKey = readTypedValue(input, key, context.budget)
      give(of, mapKey, readTypedValue(input, value, context.budget), false, context)
      read = input.position
    }
    input.expectEnd('a broadcast state')
  }, context.budget)
  if (!all.ok) give(of, null, opaqueView(all.reason, element.subarray(read)), true, context)
}

function give(of: ElementOf, mapKey: ValueView, value: ValueView, isOpaque: boolean, context: OperatorStateContext): void {
  const entry = { subtask: context.subtask, keyGroup: null, key: null, namespace: null, value, ...(of.kind === 'broadcast' ? { mapKey } : {}) }
  context.collector.entry(of.name, of.kind, entry, isOpaque)
}
