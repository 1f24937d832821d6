/** A `_metadata` that holds every kind of handle there is, for round trips. */
import { operatorId } from '../../../workers/model/ids.ts'
import { checkpointProperties } from '../../../workers/savepoint/checkpoint-properties.ts'
import { EMPTY_SUBTASK } from '../../../workers/savepoint/model.ts'
import type { ChannelRef, KeyedRef, OperatorRecord, OperatorRef, Savepoint, StreamRef } from '../../../workers/savepoint/model.ts'

const inline = (name: string): StreamRef => ({ kind: 'bytes', name, bytes: Uint8Array.of(1, 2, 3) })
const file = (path: string): StreamRef => ({ kind: 'file', path: `hdfs:///job/${path}`, size: 2 ** 33 })
const relative = (name: string): StreamRef => ({ kind: 'relative', name, size: 7 })
const segment = (start: number): StreamRef => ({ kind: 'segment', start, size: 5, scope: start === 0 ? 'EXCLUSIVE' : 'SHARED', path: 's3://b/merged', logicalFile: 'logical' })
const range = { start: 2, end: 3 }

export const KEYED: readonly KeyedRef[] = [
  { kind: 'key-groups', type: 3, range, offsets: [10, 20], stream: file('a'), id: null },
  { kind: 'key-groups', type: 7, range, offsets: [0, 20], stream: relative('b'), id: null },
  { kind: 'key-groups', type: 12, range, offsets: [10, 20], stream: segment(0), id: 'id-12' },
  { kind: 'incremental', type: 5, checkpointId: 4, backendId: 'backend', range, checkpointedSize: null, meta: inline('meta'), shared: [{ name: '000012.sst', stream: file('shared/x') }], private: [{ name: 'CURRENT', stream: inline('c') }], id: null },
  { kind: 'incremental', type: 11, checkpointId: 4, backendId: 'backend', range, checkpointedSize: 99, meta: relative('meta'), shared: [], private: [{ name: 'MANIFEST-1', stream: segment(3) }], id: 'id-11' },
  { kind: 'changes', type: 9, range, from: 1, to: 5, changes: [{ keyGroup: 2, bytes: Uint8Array.of(9) }], id: 'id-9' },
  { kind: 'change-files', type: 10, range, files: [{ offset: 8, stream: file('dstl') }], size: 4, checkpointedSize: 2, id: 'id-10', storage: null },
  { kind: 'change-files', type: 13, range, files: [], size: 4, checkpointedSize: 2, id: 'id-13', storage: 'filesystem' },
]
const CHANGELOGS: readonly KeyedRef[] = [
  { kind: 'changelog', type: 8, range, checkpointedSize: 1, materialized: [KEYED[2]!], increments: [KEYED[5]!, KEYED[6]!], materializationId: 3, checkpointId: null, id: null },
  { kind: 'changelog', type: 14, range, checkpointedSize: 1, materialized: [], increments: [KEYED[7]!], materializationId: 3, checkpointId: 12, id: 'id-14' },
]
const OPERATOR: OperatorRef = {
  states: [{ name: 'list', mode: 'SPLIT_DISTRIBUTE', offsets: [5, 9] }, { name: 'union', mode: 'UNION', offsets: [] }, { name: 'broadcast', mode: 'BROADCAST', offsets: [12] }],
  merged: null,
  stream: inline('op'),
}
const MERGED: OperatorRef = { ...OPERATOR, merged: { taskOwnedDirectory: '/t', sharedDirectory: '/s', isEmpty: false }, stream: segment(1) }
const channel = (merged: boolean, minors: readonly number[]): ChannelRef => ({
  merged,
  subtask: 1,
  size: 40,
  stream: relative('channels'),
  channels: minors.map((minor) => ({ major: 0, minor, size: merged ? 20 : 40, offsets: [4, 8] })),
})

/** `merged`: channel handles of several channels, from version 6 on. */
export function everyHandle(version: number): Savepoint {
  const subtasks = [...KEYED, ...CHANGELOGS].map((managedKeyed, index) => ({
    ...EMPTY_SUBTASK,
    index,
    managedKeyed,
    rawKeyed: index === 0 ? KEYED[0]! : null,
    managedOperator: index === 1 ? OPERATOR : index === 2 ? MERGED : null,
    rawOperator: index === 3 ? OPERATOR : null,
    input: version >= 3 && index === 4 ? [channel(false, [3]), ...(version >= 6 ? [channel(true, [0, 1])] : [])] : [],
    output: version >= 3 && index === 5 ? [channel(false, [1]), ...(version >= 6 ? [channel(true, [2])] : [])] : [],
    reusedFrom: version >= 7 && index === 6 ? 41 : null,
  }))
  const stateful: OperatorRecord = {
    name: version >= 5 ? 'window' : '',
    uid: version >= 5 ? 'my-uid' : '',
    operatorId: operatorId('8409efe6adc6d20787611f16017c808f'),
    parallelism: 12,
    maxParallelism: 128,
    coordinator: version >= 3 ? { kind: 'bytes', name: 'coordinator', bytes: Uint8Array.of(0, 1) } : null,
    fullyFinished: false,
    subtasks: [...subtasks, ...(version >= 3 ? [{ ...EMPTY_SUBTASK, index: 11, finished: true }] : [])],
  }
  const finished: OperatorRecord = { ...stateful, name: '', uid: '', operatorId: operatorId('ab'.repeat(16)), coordinator: null, fullyFinished: version >= 3, subtasks: [] }
  return {
    version,
    checkpointId: 17,
    masterStates: [{ name: 'hook', version: 2, bytes: Uint8Array.of(7) }],
    operators: [stateful, finished],
    properties: version >= 4 ? checkpointProperties('RETAIN_ON_CANCELLATION', 'CHECKPOINT') : null,
  }
}
