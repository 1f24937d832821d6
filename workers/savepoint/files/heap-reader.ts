/**
 * Reads key groups of the heap backend's native keyed file, of every type of state. Flink: StateTableByKeyGroupReaders,
 * HeapSnapshotStrategy. The engine's own reader, for the states that it restores: state/heap/keyed-file-reader.ts.
 *
 *   group  i4 key group | for every state, each its own Snappy stream if compressed: i2 state id | i4 count × entry
 *   entry  namespace, key, value; of timers: the timer
 *
 * Nothing has a length: a value that cannot be decoded hides the rest of its key group.
 */
import type { ValueView } from '../../model/snapshot-view.ts'
import { DataInput } from '../../state/serializers/data-input.ts'
import { readTypedValue } from '../types/read-value.ts'
import { OpaqueValueError } from '../types/value-context.ts'
import type { ValueBudget } from '../types/value-context.ts'
import { uncompressStream } from './snappy.ts'
import type { StateHeader, StateInfo } from './state-headers.ts'
import type { EntrySink } from './stored-entry.ts'

const UNCOMPRESSED_MAX = 64 * 1024 * 1024

/** Hands every entry of one key group to `sink`. Throws as `readCanonicalGroup` does, `OpaqueValueError` for what cannot be decoded. */
export function readHeapGroup(block: Uint8Array, header: StateHeader, keyGroup: number, budget: ValueBudget, sink: EntrySink): void {
  const input = new DataInput(block)
  input.expectInt(keyGroup, 'key group')
  if (!header.isCompressed) {
    for (let i = 0; i < header.states.length; i++) readState(input, header, keyGroup, budget, sink)
    input.expectEnd(`key group ${keyGroup}`)
    return
  }
  let at = input.position
  for (let i = 0; i < header.states.length; i++) {
    const stream = uncompressStream(block, at, UNCOMPRESSED_MAX)
    budget.spend(stream.bytes.length >> 6)
    const part = new DataInput(stream.bytes)
    readState(part, header, keyGroup, budget, sink)
    part.expectEnd('a compressed state')
    at = stream.end
  }
  if (at !== block.length) throw input.errorAt(at, `the end of key group ${keyGroup}`, `found ${block.length - at} more bytes`)
}

function readState(input: DataInput, header: StateHeader, keyGroup: number, budget: ValueBudget, sink: EntrySink): void {
  const at = input.position
  const id = input.readShort('a state id') & 0xffff
  const state = header.states[id]
  if (state === undefined) throw input.errorAt(at, `a state id below ${header.states.length}`, `found ${id}`)
  const countAt = input.position
  const count = input.readInt('the number of entries')
  if (count < 0) throw input.errorAt(countAt, 'the number of entries', `found ${count}`)
  for (let n = count; n > 0; n--) {
    budget.spend(1)
    if (state.kind === 'timers') readTimer(input, state, id, keyGroup, budget, sink)
    else readEntry(input, header, state, id, keyGroup, budget, sink)
  }
}

function readEntry(input: DataInput, header: StateHeader, state: StateInfo, id: number, keyGroup: number, budget: ValueBudget, sink: EntrySink): void {
  if (state.namespace === null || header.key === null || state.value === null) throw new OpaqueValueError(`state "${state.name}"`)
  const namespace = readTypedValue(input, state.namespace, budget)
  const key = readTypedValue(input, header.key, budget)
  const value = readTypedValue(input, state.value, budget)
  sink({ state: id, keyGroup, key, namespace, value, isOpaque: false })
}

function readTimer(input: DataInput, state: StateInfo, id: number, keyGroup: number, budget: ValueBudget, sink: EntrySink): void {
  if (state.value === null) throw new OpaqueValueError(`timers "${state.name}"`)
  const timer = readTypedValue(input, state.value, budget)
  const field = (name: string): ValueView => (timer !== null && typeof timer === 'object' && timer.kind === 'record' ? (timer.fields.find((one) => one.name === name)?.value ?? null) : null)
  sink({ state: id, keyGroup, key: field('key'), namespace: field('namespace'), value: field('timestamp'), isOpaque: false })
}
