/**
 * Everything that a checkpoint holds, decoded from its bytes alone: what the page proves a completed checkpoint with, and what the
 * invariants read. Flink: the State Processor API. Nothing is thrown for a part that is missing or damaged: it becomes a problem that
 * names operator and subtask, and the rest is read. Only a `_metadata` that cannot be read throws.
 */
import type { OperatorId } from '../model/ids.ts'
import type { Schema, Value } from '../model/schema.ts'
import type { ChannelStateHandle, KeyedStateHandle, OperatorState, OperatorStateHandle, OperatorStateMode, StreamHandle } from '../model/state-handles.ts'
import { schemaOf } from '../state/heap/keyed-file-reader.ts'
import type { EntryReader } from '../state/heap/keyed-file-reader.ts'
import { openKeyedFile } from '../state/heap/open-keyed-file.ts'
import { keyGroup as keyGroupOf } from '../state/key-groups.ts'
import { readElements, readOperatorStateHeader } from '../state/operator-state.ts'
import { DataInput } from '../state/serializers/data-input.ts'
import { FormatError } from '../state/serializers/format-error.ts'
import { describeSerializer } from '../state/serializers/serializer-snapshot.ts'
import { readInspected } from '../state/serializers/value-serializer.ts'
import type { InspectedValue } from '../state/serializers/value-serializer.ts'
import type { OperatorStateMeta } from '../state/serializers/state-meta-info.ts'
import { readMetadata } from './metadata-reader.ts'
import type { SnapshotMetadata } from './snapshot-metadata.ts'
import { streamPath } from './stream-path.ts'

/** The bytes of a file, or null if there is none of that absolute path. */
export type ReadFile = (path: string) => Uint8Array | null

export interface KeyedEntry {
  readonly state: string
  readonly subtask: number
  readonly keyGroup: number
  readonly key: InspectedValue
  readonly value: InspectedValue
}

export interface ListStateContents {
  readonly state: string
  readonly subtask: number
  readonly mode: OperatorStateMode
  readonly elements: readonly Uint8Array[]
}

export interface InspectedOperator {
  readonly operator: OperatorState
  /** In words, by name of the keyed state: `Long`, `Row<Long, Double>`. */
  readonly types: ReadonlyMap<string, string>
  /** By subtask, then in key-group order. */
  readonly entries: readonly KeyedEntry[]
  readonly lists: readonly ListStateContents[]
}

export interface InspectedSnapshot {
  readonly metadata: SnapshotMetadata
  readonly operators: readonly InspectedOperator[]
  readonly problems: readonly { readonly operatorId: OperatorId; readonly subtask: number | null; readonly message: string }[]
  /** The absolute paths of all files that it needs beside `_metadata`. */
  readonly files: readonly string[]
}

/** Reads a checkpoint. `directory` is that of `_metadata`. Throws `FormatError` if `metadataBytes` is no readable `_metadata`. */
export function inspectSnapshot(metadataBytes: Uint8Array, directory: string, readFile: ReadFile): InspectedSnapshot {
  const metadata = readMetadata(metadataBytes)
  const problems = metadata.unsupported.map(({ operatorId, subtask, what }) => ({ operatorId, subtask, message: `${what} cannot be read here yet` }))
  const files = new Set<string>()
  const operators = metadata.operators.map((operator) => {
    const inspection = new OperatorInspection(operator, directory, readFile, files)
    for (const { index, state } of operator.subtasks) {
      try {
        if (state.managedKeyed !== null) inspection.readKeyed(index, state.managedKeyed)
        if (state.managedOperator !== null) inspection.readLists(index, state.managedOperator)
        for (const handle of [...(state.inputChannel ?? []), ...(state.resultSubpartition ?? [])]) inspection.checkInFlight(handle)
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        problems.push({ operatorId: operator.operatorId, subtask: index, message: error.message })
      }
    }
    return inspection.result()
  })
  return { metadata, operators, problems, files: [...files] }
}

class OperatorInspection implements EntryReader {
  private readonly operator: OperatorState
  private readonly directory: string
  private readonly readFile: ReadFile
  private readonly files: Set<string>
  private readonly types = new Map<string, string>()
  private readonly entries: KeyedEntry[] = []
  private readonly lists: ListStateContents[] = []
  /** Of the file in hand. */
  private subtask = 0
  private key: Schema = { kind: 'bare', fields: [] }
  private states: readonly { readonly name: string; readonly schema: Schema }[] = []

  constructor(operator: OperatorState, directory: string, readFile: ReadFile, files: Set<string>) {
    this.operator = operator
    this.directory = directory
    this.readFile = readFile
    this.files = files
  }

  readKeyed(subtask: number, handle: KeyedStateHandle): void {
    const file = openKeyedFile(handle, this.bytesOf(handle.stream), this.operator.maxParallelism)
    this.subtask = subtask
    this.key = schemaOf(file.header.key, 'the key')
    this.states = file.header.states.map(({ name, value }) => {
      this.types.set(name, describeSerializer(value))
      return { name, schema: schemaOf(value, `state "${name}"`) }
    })
    file.read(handle.range, this)
  }

  readEntry(keys: DataInput, values: DataInput, state: number, keyGroup: number): void {
    const at = keys.position
    const { name, schema } = this.states[state] as { name: string; schema: Schema }
    const key = readInspected(keys, this.key)
    const value = readInspected(values, schema)
    if (isExact(key) && keyGroupOf(key, this.key, this.operator.maxParallelism) !== keyGroup) {
      throw keys.errorAt(at, `keys of key group ${keyGroup}`, `key ${JSON.stringify(key)} belongs to another`)
    }
    this.entries.push({ state: name, subtask: this.subtask, keyGroup, key, value })
  }

  readLists(subtask: number, handle: OperatorStateHandle): void {
    const input = new DataInput(this.bytesOf(handle.stream))
    const metas = readOperatorStateHeader(input)
    for (const { name, mode, offsets } of handle.states) {
      const meta = metas.find((one) => one.name === name)
      if (meta === undefined) throw new FormatError(`the file has no operator state "${name}", which its handle names`)
      if (mode === 'BROADCAST') {
        checkBroadcast(input, meta, offsets)
        continue
      }
      if (meta.value.kind !== 'bytes') throw new FormatError(`operator state "${name}" has elements of type ${describeSerializer(meta.value)}; byte[] can be read`)
      this.lists.push({ state: name, subtask, mode, elements: readElements(input, name, offsets) })
    }
  }

  /** That the buffers are there. What is in them, only who knows the schema of the edge can read. */
  checkInFlight(handle: ChannelStateHandle): void {
    const bytes = this.bytesOf(handle.stream)
    new DataInput(bytes).expectInt(0, 'the version of a file of in-flight data')
    for (const offset of handle.offsets) new DataInput(bytes.subarray(offset)).readBlob('a buffer of in-flight data')
  }

  result(): InspectedOperator {
    return { operator: this.operator, types: this.types, entries: this.entries, lists: this.lists }
  }

  private bytesOf(handle: StreamHandle): Uint8Array {
    if (handle.kind === 'bytes') return handle.bytes
    const path = streamPath(handle, this.directory) as string
    this.files.add(path)
    const bytes = this.readFile(path)
    if (bytes === null) throw new FormatError(`the file ${path} is missing`)
    if (bytes.length !== handle.size) throw new FormatError(`the file ${path} has ${bytes.length} bytes, its handle says ${handle.size}`)
    return bytes
  }
}

/** That every entry of a broadcast state reads back. */
function checkBroadcast(input: DataInput, { name, key, value }: OperatorStateMeta, offsets: readonly number[]): void {
  if (key?.kind !== 'schema' || value.kind !== 'schema') throw new FormatError(`broadcast state "${name}" is of types that cannot be read here`)
  for (const offset of offsets) {
    input.seek(offset, `broadcast state "${name}"`)
    for (let n = input.readCount(`the size of broadcast state "${name}"`, 2); n > 0; n--) {
      readInspected(input, key.schema)
      readInspected(input, value.schema)
    }
  }
}

/** No bigint in it: a value that a running operator can hold. */
function isExact(value: InspectedValue): value is Value {
  return typeof value === 'object' ? value.every((field) => typeof field !== 'bigint') : typeof value !== 'bigint'
}
