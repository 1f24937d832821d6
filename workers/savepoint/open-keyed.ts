/**
 * Reads the keyed state of one subtask, slice by slice: canonical savepoints, the heap backend's own files, headers of incremental RocksDB
 * checkpoints, the materialised part of the changelog backend, raw timers. Nothing in a file says of which kind it is (docs/FORMATS.md, "How
 * the kinds are told apart").
 */
import type { OperatorRecord } from './model.ts'
import type { ChangelogRef, IncrementalRef, KeyedRef, KeyGroupsRef, StreamRef } from './model.ts'
import { DataInput } from '../state/serializers/data-input.ts'
import { FormatError } from '../state/serializers/format-error.ts'
import { readCanonicalGroup } from './files/canonical-reader.ts'
import { readHeapGroup } from './files/heap-reader.ts'
import { readRawTimers } from './files/raw-timers.ts'
import { uncompressStream } from './files/snappy.ts'
import { readKeyedHeader } from './files/state-headers.ts'
import type { StateHeader } from './files/state-headers.ts'
import type { StoredEntry } from './files/stored-entry.ts'
import type { Plan, SnapshotFiles } from './read-plan.ts'
import { kindOf } from './state-collector.ts'
import type { EntryCollector } from './state-collector.ts'
import type { TypeInfo } from './types/type-info.ts'
import { OpaqueValueError, ValueBudget } from './types/value-context.ts'

/** A header is read by the first slice of this size, or by twice that, and so on. */
const HEADER_SLICE = 64 * 1024
const HEADER_MAX = 16 * 1024 * 1024
/** Of a longer key group only the beginning is read. */
const GROUP_MAX = 16 * 1024 * 1024
/** Key groups whose first bytes decide whether a file is the heap backend's. */
const PROBED_GROUPS = 4
const NO_GROUP = -1

export interface KeyedContext {
  readonly files: SnapshotFiles
  readonly operator: OperatorRecord
  readonly subtask: number
  readonly collector: EntryCollector
  readonly budget: ValueBudget
  readonly problem: (message: string) => void
  /** The one key group that is wanted of a file with keys of this type; null = all. */
  readonly wantedGroup: WantedGroup
}

export type WantedGroup = (key: TypeInfo | null) => number | null
export const everyGroup: WantedGroup = () => null

/** Managed keyed state. Problems are reported, not thrown, except for a budget that is used up. */
export function* openKeyed(handle: KeyedRef, context: KeyedContext): Plan<void> {
  switch (handle.kind) {
    case 'key-groups':
      return yield* openKeyGroups(handle, context)
    case 'incremental':
      return yield* openIncremental(handle, context)
    case 'changelog':
      return yield* openChangelog(handle, context)
    case 'changes':
    case 'change-files':
      return
  }
}

function* openIncremental(handle: IncrementalRef, context: KeyedContext): Plan<void> {
  if (handle.meta === null) return
  const header = yield* readHeader(handle.meta, context)
  declare(header, context)
  for (const state of header.states) context.collector.incomplete(state.name, kindOf(state))
  const length = context.files.length(handle.meta)
  if (header.end !== null && header.end !== length) context.problem(`${length - header.end} bytes behind the header of a RocksDB checkpoint`)
}

/** The changes since are opaque records: what is shown of the states is that of the materialised part. */
function* openChangelog(handle: ChangelogRef, context: KeyedContext): Plan<void> {
  for (const part of handle.materialized) if (part !== null) yield* openKeyed(part, context)
}

function* openKeyGroups(handle: KeyGroupsRef, context: KeyedContext): Plan<void> {
  const { stream } = handle
  if (stream === null) return
  const header = yield* readHeader(stream, context)
  declare(header, context)
  const isHeap = handle.type !== 7 && (yield* looksLikeHeap(handle, stream, header, context))
  const ends = groupEnds(handle.offsets, context.files.length(stream))
  const wanted = context.wantedGroup(header.key)
  for (let i = 0; i < handle.offsets.length; i++) {
    const keyGroup = handle.range.start + i
    const offset = handle.offsets[i] as number
    if (offset <= 0 || (wanted !== null && keyGroup !== wanted)) continue
    const end = ends.get(offset) ?? offset
    try {
      // Offsets may all be one: what a group costs beside its entries counts too.
      context.budget.spend(1 + header.states.length)
      const block = yield* readGroup(stream, offset, end, context)
      readGroupEntries(block, header, keyGroup, isHeap, context)
      if (block.length < end - offset) throw new FormatError(`only ${block.length} of ${end - offset} bytes are read`)
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      context.budget.failed()
      for (const state of header.states) context.collector.incomplete(state.name, kindOf(state))
      context.problem(`key group ${keyGroup}: ${error.message}`)
      if (context.budget.left < 0) return
    }
  }
}

function* readGroup(stream: StreamRef, offset: number, end: number, context: KeyedContext): Plan<Uint8Array> {
  return yield* context.files.read(stream, offset, Math.min(end - offset, GROUP_MAX))
}

function readGroupEntries(block: Uint8Array, header: StateHeader, keyGroup: number, isHeap: boolean, context: KeyedContext): void {
  const sink = (entry: StoredEntry): void => give(entry, header, context)
  if (isHeap) return readHeapGroup(block, header, keyGroup, context.budget, sink)
  const whole = header.isCompressed ? uncompressStream(block, 0, GROUP_MAX) : null
  if (whole !== null) context.budget.spend(whole.bytes.length >> 6)
  readCanonicalGroup(whole === null ? block : whole.bytes, header, keyGroup, context.operator.maxParallelism, context.budget, sink)
}

function give(entry: StoredEntry, header: StateHeader, context: KeyedContext): void {
  const state = header.states[entry.state]
  const { keyGroup, key, namespace, value, mapKey } = entry
  const view = { subtask: context.subtask, keyGroup, key, namespace: isVoid(namespace) ? null : namespace, value, ...(mapKey === undefined ? {} : { mapKey }) }
  context.collector.entry(state?.name ?? `state ${entry.state}`, state === undefined ? 'keyed' : kindOf(state), view, entry.isOpaque)
}

const isVoid = (namespace: StoredEntry['namespace']): boolean => namespace !== null && typeof namespace === 'object' && namespace.kind === 'text' && namespace.type === 'VoidNamespace'

function declare(header: StateHeader, context: KeyedContext): void {
  for (const state of header.states) context.collector.declare(state, header.key)
  for (const problem of header.problems) context.problem(problem)
}

/** Reads as much of the beginning as the header needs: more where the bytes end, and where a state is searched for behind an unknown class. */
function* readHeader(stream: StreamRef, context: KeyedContext): Plan<StateHeader> {
  const length = context.files.length(stream)
  for (let slice = HEADER_SLICE; ; slice *= 4) {
    const bytes = yield* context.files.read(stream, 0, slice)
    const isWhole = bytes.length < slice || slice >= Math.min(length, HEADER_MAX)
    try {
      const header = readKeyedHeader(new DataInput(bytes))
      if (isWhole || header.problems.length === 0) return header
    } catch (error) {
      if (!(error instanceof FormatError) || isWhole) throw error
    }
  }
}

/**
 * A heap file has every key group at a place behind the header, and its number there. Group 0 alone proves nothing (a canonical block of state 0
 * begins with the same bytes): then a whole group must decode.
 */
function* looksLikeHeap(handle: KeyGroupsRef, stream: StreamRef, header: StateHeader, context: KeyedContext): Plan<boolean> {
  const { offsets, range } = handle
  if (offsets.length === 0 || offsets.some((offset) => offset <= 0)) return false
  const last = offsets.length - 1
  const probes = [...new Set([last, last >> 1, 0, Math.min(1, last)])].slice(0, PROBED_GROUPS)
  for (const probe of probes) {
    const bytes = yield* context.files.read(stream, offsets[probe] as number, 4)
    if (bytes.length < 4 || new DataInput(bytes).readInt() !== range.start + probe) return false
  }
  if (last > 0 || range.start > 0) return true
  const ends = groupEnds(offsets, context.files.length(stream))
  const block = yield* readGroup(stream, offsets[0] as number, ends.get(offsets[0] as number) ?? 0, context)
  return canBeHeap(block, header, range.start)
}

function canBeHeap(block: Uint8Array, header: StateHeader, keyGroup: number): boolean {
  try {
    readHeapGroup(block, header, keyGroup, new ValueBudget(1_000_000), () => undefined)
    return true
  } catch (error) {
    if (error instanceof FormatError) return error instanceof OpaqueValueError
    throw error
  }
}

/** Where each group ends: at the next offset that is used, or at the end. Raw state has no header: its first group may begin at 0. */
function groupEnds(offsets: readonly number[], length: number): ReadonlyMap<number, number> {
  const sorted = [...new Set(offsets)].filter((offset) => offset >= 0).toSorted((a, b) => a - b)
  return new Map(sorted.map((offset, i) => [offset, Math.max(offset, Math.min(sorted[i + 1] ?? length, length))]))
}

/** Raw keyed state: known are the timers of old versions. */
export function* openRawKeyed(handle: KeyedRef, context: KeyedContext): Plan<void> {
  if (handle.kind !== 'key-groups' || handle.stream === null) return
  const { stream } = handle
  const ends = groupEnds(handle.offsets, context.files.length(stream))
  for (let i = 0; i < handle.offsets.length; i++) {
    const offset = handle.offsets[i] as number
    const keyGroup = handle.range.start + i
    if (offset === NO_GROUP) continue
    const end = ends.get(offset) ?? offset
    try {
      readRawTimers(yield* readGroup(stream, offset, end, context), keyGroup, context.budget, ({ service, clock, keyType, entry }) => {
        const name = `${service}/${clock}`
        context.collector.declare({ name, kind: 'timers', type: '', key: null, namespace: null, value: null }, keyType, 'raw timers')
        const { key, namespace, value } = entry
        context.collector.entry(name, 'raw timers', { subtask: context.subtask, keyGroup, key, namespace: isVoid(namespace) ? null : namespace, value }, false)
      })
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      context.problem(`raw keyed state, key group ${keyGroup}: ${error.message}`)
      if (context.budget.left < 0) throw error
      return
    }
  }
}
