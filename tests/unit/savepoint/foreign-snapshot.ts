/**
 * A savepoint such as another Flink writes it, in all the forms that state comes in: canonical, heap native (plain and compressed), an incremental
 * RocksDB header, raw timers, operator state of versions 5 and 6 with broadcast, source offsets, in-flight data, a finished operator.
 */
import type { ValueView } from '../../../workers/model/snapshot-view.ts'
import { operatorIdOfUid } from '../../../workers/model/operator-id-of-uid.ts'
import { checkpointProperties } from '../../../workers/savepoint/checkpoint-properties.ts'
import { canonicalFromHeap } from '../../../workers/savepoint/canonical-from-heap.ts'
import { writeStatesKeyedHeader, writeStatesOperatorHeader } from '../../../workers/savepoint/files/state-header-writer.ts'
import type { StateInfo } from '../../../workers/savepoint/files/state-headers.ts'
import { EMPTY_SUBTASK } from '../../../workers/savepoint/model.ts'
import type { KeyedRef, OperatorRecord, OperatorRef, SubtaskRef } from '../../../workers/savepoint/model.ts'
import { writeSavepoint } from '../../../workers/savepoint/savepoint-writer.ts'
import { writeType } from '../../../workers/savepoint/types/write-type.ts'
import { bare } from '../../../workers/model/schema.ts'
import { keyGroup } from '../../../workers/state/key-groups.ts'
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'
import { chunk, snappyStream, STREAM_IDENTIFIER } from './snappy-frames.ts'
import { BYTES, DOUBLE, encode, list, listOf, LONG, map, mapOf, pojoOf, record, rowOf, STRING, timerOf, tupleOf, VOID, WINDOW, window } from './value-types.ts'

export const MAX_PARALLELISM = 8
export const KEYS = ['a', 'b', 'grüße-✓-😀', 'hello', 'flink']
const ORDER = pojoOf('org.example.Order', { amount: DOUBLE, customer: STRING, lines: listOf(tupleOf(STRING, LONG)) })
export const STATES: readonly StateInfo[] = [
  { name: 'count', kind: 'keyed', type: 'VALUE', key: null, namespace: VOID, value: LONG },
  { name: 'events', kind: 'keyed', type: 'LIST', key: null, namespace: VOID, value: listOf(STRING) },
  { name: 'totals', kind: 'keyed', type: 'MAP', key: null, namespace: VOID, value: mapOf(STRING, LONG) },
  { name: 'orders', kind: 'keyed', type: 'VALUE', key: null, namespace: VOID, value: ORDER },
  { name: 'window-contents', kind: 'keyed', type: 'REDUCING', key: null, namespace: WINDOW, value: rowOf(STRING, LONG) },
  { name: '_timer_state/event_user-timers', kind: 'timers', type: '', key: null, namespace: null, value: timerOf(STRING, VOID) },
]
const orderOf = (key: string): ValueView => record('org.example.Order', { amount: key.length + 0.5, customer: key, lines: list(record('Tuple2', { f0: 'x', f1: 2 })) })

/** What is in the state of a key, by state: namespace and value. */
export function contentsOf(key: string): readonly (readonly [ValueView, ValueView])[] {
  return [
    [null, key.length],
    [null, list('e1', key)],
    [null, map(['x', 1], ['nul', null])],
    [null, orderOf(key)],
    [window(0, 60_000), record('Row', { f0: key, f1: null })],
    [null, record('Timer', { timestamp: 1000 + key.length, key, namespace: null })],
  ]
}

export const groupOf = (key: string): number => keyGroup(key, bare('String'), MAX_PARALLELISM)

/** The heap backend's native file with all key groups; `isCompressed`: each state of each group its own Snappy stream. */
export function heapFile(isCompressed = false): { readonly bytes: Uint8Array; readonly offsets: readonly number[] } {
  const out = new DataOutput()
  writeStatesKeyedHeader(out, STRING, STATES, isCompressed)
  const offsets: number[] = []
  for (let group = 0; group < MAX_PARALLELISM; group++) {
    offsets.push(out.position)
    out.writeInt(group)
    const keys = KEYS.filter((key) => groupOf(key) === group)
    STATES.forEach((state, id) => {
      const part = heapState(state, id, keys)
      out.writeBytes(isCompressed ? snappyStream(part) : part)
    })
  }
  return { bytes: out.toBytes(), offsets }
}

function heapState(state: StateInfo, id: number, keys: readonly string[]): Uint8Array {
  const out = new DataOutput()
  out.writeShort(id)
  out.writeInt(keys.length)
  for (const key of keys) {
    const [namespace, value] = contentsOf(key)[id]!
    if (state.kind !== 'timers') {
      out.writeBytes(encode(state.namespace!, namespace))
      out.writeBytes(encode(STRING, key))
    }
    out.writeBytes(encode(state.value!, value))
  }
  return out.toBytes()
}

const whole = { start: 0, end: MAX_PARALLELISM - 1 }

export interface ForeignSnapshot {
  readonly metadata: Uint8Array
  readonly files: Map<string, Uint8Array>
}

export function foreignSnapshot(version = 6): ForeignSnapshot {
  const files = new Map<string, Uint8Array>()
  const operators = [keyed('canonical', canonicalHandle(files)), keyed('heap', heapHandle(files, 'heap-file', false)), keyed('compressed', heapHandle(files, 'compressed-file', true)), keyed('rocksdb', rocksHandle()), rawTimers(), source(), finished()]
  const metadata = writeSavepoint({ version, checkpointId: 12, masterStates: [{ name: 'hook', version: 1, bytes: Uint8Array.of(1, 2) }], operators, properties: checkpointProperties('RETAIN_ON_CANCELLATION', 'CHECKPOINT') })
  return { metadata, files }
}

const operator = (uid: string, subtask: Partial<SubtaskRef>): OperatorRecord => ({
  name: `the ${uid} operator`,
  uid,
  operatorId: operatorIdOfUid(uid),
  parallelism: 1,
  maxParallelism: MAX_PARALLELISM,
  coordinator: null,
  fullyFinished: false,
  subtasks: [{ ...EMPTY_SUBTASK, index: 0, ...subtask }],
})

const keyed = (uid: string, managedKeyed: KeyedRef): OperatorRecord => operator(uid, { managedKeyed })
const finished = (): OperatorRecord => ({ ...operator('finished', {}), fullyFinished: true, subtasks: [] })

function canonicalHandle(files: Map<string, Uint8Array>): KeyedRef {
  const heap = heapFile()
  const { bytes, offsets } = canonicalFromHeap(heap.bytes, { range: whole, offsets: heap.offsets }, MAX_PARALLELISM)
  files.set('canonical-file', bytes)
  return { kind: 'key-groups', type: 7, range: whole, offsets, stream: { kind: 'relative', name: 'canonical-file', size: bytes.length }, id: null }
}

function heapHandle(files: Map<string, Uint8Array>, name: string, isCompressed: boolean): KeyedRef {
  const { bytes, offsets } = heapFile(isCompressed)
  files.set(`shared/${name}`, bytes)
  return { kind: 'key-groups', type: 12, range: whole, offsets, stream: { kind: 'file', path: `hdfs://elsewhere/job/shared/${name}`, size: bytes.length }, id: 'id' }
}

/** The header alone: the values are in RocksDB's own files, which are not there. */
function rocksHandle(): KeyedRef {
  const out = new DataOutput()
  writeStatesKeyedHeader(out, STRING, STATES)
  const shared = [{ name: '000012.sst', stream: { kind: 'file' as const, path: 'hdfs://elsewhere/job/shared/5f1', size: 1_000_000 } }]
  return { kind: 'incremental', type: 11, checkpointId: 11, backendId: 'backend', range: whole, checkpointedSize: 10, meta: { kind: 'bytes', name: 'meta', bytes: out.toBytes() }, shared, private: [], id: 'id' }
}

function rawTimers(): OperatorRecord {
  const out = new DataOutput()
  const offsets: number[] = []
  for (let group = 0; group < MAX_PARALLELISM; group++) {
    offsets.push(out.position)
    const keys = KEYS.filter((key) => groupOf(key) === group)
    out.writeInt(0xf1cd859f | 0)
    out.writeInt(2)
    out.writeInt(1)
    out.writeUTF('user-timers')
    writeType(out, STRING)
    writeType(out, VOID)
    out.writeInt(keys.length)
    for (const key of keys) {
      out.writeBytes(encode(STRING, key))
      out.writeByte(0)
      out.writeLong(5)
    }
    out.writeInt(0)
  }
  const stream = { kind: 'bytes' as const, name: 'raw', bytes: out.toBytes() }
  return operator('raw-timers', { rawKeyed: { kind: 'key-groups', type: 3, range: whole, offsets, stream, id: null } })
}

export const RULES: ValueView = map(['limit', 10], ['grace', -1])
export const ELEMENTS = [record('Tuple2', { f0: 'first', f1: 1 }), record('Tuple2', { f0: 'second', f1: 2 })]
const OPERATOR_STATES: readonly StateInfo[] = [
  { name: 'buffer', kind: 'list', type: 'SPLIT_DISTRIBUTE', key: null, namespace: null, value: tupleOf(STRING, LONG) },
  { name: 'SourceReaderState', kind: 'list', type: 'SPLIT_DISTRIBUTE', key: null, namespace: null, value: BYTES },
  { name: 'names', kind: 'list', type: 'UNION', key: null, namespace: null, value: STRING },
  { name: 'rules', kind: 'broadcast', type: 'BROADCAST', key: STRING, namespace: null, value: LONG },
]

/** Operator state with every mode; compressed, every element is a chunk, and only the first follows a stream identifier. */
export function operatorFile(version: 5 | 6, isCompressed: boolean): OperatorRef {
  const out = new DataOutput()
  writeStatesOperatorHeader(out, OPERATOR_STATES, version, isCompressed)
  if (isCompressed) out.writeBytes(STREAM_IDENTIFIER)
  const put = (element: Uint8Array): number => {
    const at = out.position
    out.writeBytes(isCompressed ? chunk(0, element) : element)
    return at
  }
  const buffer = ELEMENTS.map((element) => put(encode(tupleOf(STRING, LONG), element)))
  const splits = [put(encode(BYTES, { kind: 'bytes', size: 0, hex: kafkaSplit() }))]
  const names = [put(encode(STRING, 'x'))]
  const rules = new DataOutput()
  const entries = (RULES as Extract<ValueView, { kind: 'map' }>).entries
  rules.writeInt(entries.length)
  for (const [key, value] of entries) {
    rules.writeBytes(encode(STRING, key))
    rules.writeBytes(encode(LONG, value))
  }
  const broadcast = [put(rules.toBytes())]
  const states = [
    { name: 'buffer', mode: 'SPLIT_DISTRIBUTE' as const, offsets: buffer },
    { name: 'SourceReaderState', mode: 'SPLIT_DISTRIBUTE' as const, offsets: splits },
    { name: 'names', mode: 'UNION' as const, offsets: names },
    { name: 'rules', mode: 'BROADCAST' as const, offsets: broadcast },
  ]
  return { states, merged: null, stream: { kind: 'bytes', name: 'operator', bytes: out.toBytes() } }
}

/** A Kafka split at offset 42 of flights-3, in the state of a reader. */
function kafkaSplit(): string {
  const split = new DataOutput()
  split.writeUTF('flights')
  split.writeInt(3)
  split.writeLong(42)
  split.writeLong(-(2n ** 63n))
  const element = new DataOutput()
  element.writeInt(0)
  element.writeBlob(split.toBytes())
  return Buffer.from(element.toBytes()).toString('hex')
}

function source(): OperatorRecord {
  const enumerator = new DataOutput()
  enumerator.writeInt(1)
  enumerator.writeUTF('seq-0')
  enumerator.writeLong(7)
  enumerator.writeLong(99)
  const coordinator = new DataOutput()
  coordinator.writeInt(1)
  coordinator.writeInt(1)
  coordinator.writeBlob(enumerator.toBytes())
  const channels = { merged: false, subtask: 0, size: 12, stream: { kind: 'bytes' as const, name: 'channels', bytes: new Uint8Array(12) }, channels: [{ major: 0, minor: 0, size: 12, offsets: [4, 8] }] }
  return {
    ...operator('source', { managedOperator: operatorFile(6, false), input: [channels] }),
    coordinator: { kind: 'bytes', name: 'coordinator', bytes: coordinator.toBytes() },
  }
}

export const sizesOf = (snapshot: ForeignSnapshot): Map<string, number> => new Map([['_metadata', snapshot.metadata.length], ...[...snapshot.files].map(([name, bytes]) => [name, bytes.length] as const)])
