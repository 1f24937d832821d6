/**
 * Operator state: named lists of byte[], and broadcast maps (broadcast-state.ts). Flink: DefaultOperatorStateBackend, DefaultOperatorStateBackendSnapshotStrategy,
 * OperatorBackendSerializationProxy, OperatorStateRestoreOperation, PartitionableListState.
 *
 *   i4 version 6 | bool compressed | i2 list states × meta | i2 broadcast states × meta | elements, at the offsets of the handle
 */
import type { OperatorStateHandle } from '../model/state-handles.ts'
import type { BroadcastState, BroadcastStateDescriptor, OperatorListState, OperatorStateBackend, OperatorStateSnapshot } from './backend.ts'
import { HeapBroadcastState, writeBroadcast } from './broadcast-state.ts'
import { DataInput } from './serializers/data-input.ts'
import { DataOutput } from './serializers/data-output.ts'
import { FormatError } from './serializers/format-error.ts'
import { BYTES_SERIALIZER, describeSerializer } from './serializers/serializer-snapshot.ts'
import { readOperatorStateMeta, writeOperatorStateMeta } from './serializers/state-meta-info.ts'
import type { OperatorStateMeta } from './serializers/state-meta-info.ts'
import { StateMigrationError } from './state-migration-error.ts'

const VERSION = 6
/** Of Flink before 1.18: the same without the flag for compression. */
const VERSION_WITHOUT_COMPRESSION = 5

export type ListStateMode = 'SPLIT_DISTRIBUTE' | 'UNION'

export class HeapOperatorStateBackend implements OperatorStateBackend {
  /** In the order in which they were registered. */
  private readonly states: PartitionableListState[] = []
  private readonly broadcasts: HeapBroadcastState[] = []

  /** Registered at first use. Another mode than before, or than in the snapshot, is an error (behaviour 12.4). */
  listState(name: string, mode: ListStateMode): OperatorListState {
    return this.register(name, mode)
  }

  /** Adds the elements that the handle names to the lists; every state of the handle is registered, asked for or not. */
  restore(handle: OperatorStateHandle, bytes: Uint8Array): void {
    const input = new DataInput(bytes)
    const metas = readOperatorStateHeader(input)
    for (const { name, mode, offsets } of handle.states) {
      const meta = metas.find((one) => one.name === name)
      if (meta === undefined) throw new FormatError(`the file has no operator state "${name}", which its handle names`)
      if (mode === 'BROADCAST' || meta.mode === 'BROADCAST') {
        this.restoreBroadcast(input, meta, offsets)
        continue
      }
      if (meta.value.kind !== 'bytes') throw new StateMigrationError(`operator state "${name}": the new element serializer (byte[]) must not be incompatible with the one in the snapshot (${describeSerializer(meta.value)})`)
      this.register(name, mode).add(readElements(input, name, offsets))
    }
  }

  /** Registered at first use; one of the snapshot that nobody asks for stays, as lists do. */
  broadcastState(descriptor: BroadcastStateDescriptor): BroadcastState {
    const known = this.broadcasts.find((state) => state.name === descriptor.name)
    if (known === undefined) {
      const state = new HeapBroadcastState(descriptor)
      this.broadcasts.push(state)
      return state
    }
    known.claim(descriptor)
    return known
  }

  snapshot(): OperatorStateSnapshot | null {
    if (this.states.length === 0 && this.broadcasts.length === 0) return null
    const lists = this.states.map(({ name, mode, elements }) => ({ name, mode, elements: elements.map((bytes) => bytes.slice()) }))
    return new HeapOperatorStateSnapshot(lists, this.broadcasts.map((state) => ({ meta: state.meta, entries: state.entries() })))
  }

  private restoreBroadcast(input: DataInput, meta: OperatorStateMeta, offsets: readonly number[]): void {
    const { name, key, value } = meta
    if (key?.kind !== 'schema' || value.kind !== 'schema') {
      throw new FormatError(`broadcast state "${name}" is of type ${key === null ? 'unknown' : describeSerializer(key)} → ${describeSerializer(value)}, which cannot be restored here`)
    }
    const state = this.broadcastState({ name, key: key.schema, value: value.schema }) as HeapBroadcastState
    for (const offset of offsets) {
      input.seek(offset, `broadcast state "${name}"`)
      state.read(input, key, value)
    }
  }

  private register(name: string, mode: ListStateMode): PartitionableListState {
    const known = this.states.find((state) => state.name === name)
    if (known === undefined) {
      const state = new PartitionableListState(name, mode)
      this.states.push(state)
      return state
    }
    if (known.mode !== mode) throw new StateMigrationError(`operator state "${name}": incompatible assignment modes, ${known.mode} in the snapshot or before, ${mode} now`)
    return known
  }
}

class PartitionableListState implements OperatorListState {
  readonly name: string
  readonly mode: ListStateMode
  elements: readonly Uint8Array[] = []

  constructor(name: string, mode: ListStateMode) {
    this.name = name
    this.mode = mode
  }

  get(): readonly Uint8Array[] {
    return this.elements
  }

  update(elements: readonly Uint8Array[]): void {
    this.elements = elements
  }

  add(elements: readonly Uint8Array[]): void {
    this.elements = [...this.elements, ...elements]
  }
}

interface SavedList {
  readonly name: string
  readonly mode: ListStateMode
  readonly elements: readonly Uint8Array[]
}

interface SavedBroadcast {
  readonly meta: OperatorStateMeta
  readonly entries: ReturnType<BroadcastState['entries']>
}

class HeapOperatorStateSnapshot implements OperatorStateSnapshot {
  private readonly lists: readonly SavedList[]
  private readonly broadcasts: readonly SavedBroadcast[]

  constructor(lists: readonly SavedList[], broadcasts: readonly SavedBroadcast[]) {
    this.lists = lists
    this.broadcasts = broadcasts
  }

  get totalEntries(): number {
    return this.lists.reduce((sum, list) => sum + list.elements.length, 0) + this.broadcasts.reduce((sum, state) => sum + state.entries.length, 0)
  }

  write(): { readonly bytes: Uint8Array; readonly states: OperatorStateHandle['states'] } {
    const out = new DataOutput()
    const metas = this.lists.map(({ name, mode }): OperatorStateMeta => ({ name, mode, key: null, value: BYTES_SERIALIZER }))
    writeOperatorStateHeader(out, [...metas, ...this.broadcasts.map(({ meta }) => meta)])
    const lists = this.lists.map(({ name, mode, elements }) => {
      const offsets: number[] = []
      for (const element of elements) {
        offsets.push(out.position)
        out.writeBlob(element)
      }
      return { name, mode, offsets }
    })
    const broadcasts = this.broadcasts.map(({ meta, entries }) => {
      const offsets = [out.position]
      writeBroadcast(out, meta, entries)
      return { name: meta.name, mode: meta.mode, offsets }
    })
    return { bytes: out.toBytes(), states: [...lists, ...broadcasts] }
  }
}

function writeOperatorStateHeader(out: DataOutput, metas: readonly OperatorStateMeta[]): void {
  const lists = metas.filter((meta) => meta.mode !== 'BROADCAST')
  const broadcasts = metas.filter((meta) => meta.mode === 'BROADCAST')
  out.writeInt(VERSION)
  out.writeBoolean(false)
  for (const part of [lists, broadcasts]) {
    out.writeShort(part.length)
    for (const meta of part) writeOperatorStateMeta(out, meta)
  }
}

/** The states of an operator state file, lists first. */
export function readOperatorStateHeader(input: DataInput): OperatorStateMeta[] {
  const version = input.readInt('the version of an operator state file')
  if (version !== VERSION && version !== VERSION_WITHOUT_COMPRESSION) throw input.errorAt(input.position - 4, `an operator state file of version 5 or 6`, `found ${version}`)
  if (version === VERSION && input.readBoolean('whether the elements are compressed')) {
    throw new FormatError('the elements of this operator state file are compressed (snappy), which cannot be read yet')
  }
  const metas: OperatorStateMeta[] = []
  for (const part of ['list', 'broadcast']) {
    for (let n = input.readShort(`the number of ${part} states`); n > 0; n--) metas.push(readOperatorStateMeta(input))
  }
  return metas
}

/** The byte[] elements at the given offsets. */
export function readElements(input: DataInput, state: string, offsets: readonly number[]): Uint8Array[] {
  return offsets.map((offset) => {
    input.seek(offset, `an element of operator state "${state}"`)
    return input.readBlob(`an element of operator state "${state}"`)
  })
}
