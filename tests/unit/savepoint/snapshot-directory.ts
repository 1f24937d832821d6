/** A small checkpoint directory, written by the engine's own writers: two counting subtasks behind two sources. */
import { bare } from '../../../workers/model/schema.ts'
import type { Schema } from '../../../workers/model/schema.ts'
import { operatorId } from '../../../workers/model/ids.ts'
import type { OperatorState, OperatorSubtaskState } from '../../../workers/model/state-handles.ts'
import { checkpointProperties } from '../../../workers/savepoint/checkpoint-properties.ts'
import { writeMetadata } from '../../../workers/savepoint/metadata-writer.ts'
import { HeapKeyedStateBackend } from '../../../workers/state/heap/heap-keyed-state-backend.ts'
import { keyGroup, keyGroupRange } from '../../../workers/state/key-groups.ts'
import { HeapOperatorStateBackend } from '../../../workers/state/operator-state.ts'

const MAX_PARALLELISM = 8
const ROW: Schema = { kind: 'row', fields: [{ name: 'flights', type: 'Long' }, { name: 'delay', type: 'Double' }] }
export const AIRPORTS = ['ABQ', 'BOS', 'DEN', 'JFK', 'LAX', 'SFO']
export const DIRECTORY = '/checkpoints/job/chk-7'

export interface Directory {
  readonly metadata: Uint8Array
  readonly files: Map<string, Uint8Array>
}

export function writeDirectory(): Directory {
  const files = new Map<string, Uint8Array>()
  const operators = [source(), count(files)]
  const properties = checkpointProperties('RETAIN_ON_CANCELLATION', 'CHECKPOINT')
  return { metadata: writeMetadata({ checkpointId: 7, operators, properties }), files }
}

function source(): OperatorState {
  const subtasks = [0, 1].map((index) => {
    const backend = new HeapOperatorStateBackend()
    backend.listState('SourceReaderState', 'SPLIT_DISTRIBUTE').update([Uint8Array.of(index, 42)])
    const { bytes, states } = backend.snapshot()!.write()
    const state: OperatorSubtaskState = { managedKeyed: null, managedOperator: { states, stream: { kind: 'bytes', name: `source-${index}`, bytes } } }
    return { index, state }
  })
  return { name: 'flights', uid: 'source', operatorId: operatorId('e5a72f353fc1e6bbf3bd96a41384998c'), parallelism: 2, maxParallelism: MAX_PARALLELISM, coordinatorState: Uint8Array.of(0, 0, 0, 1), subtasks }
}

function count(files: Map<string, Uint8Array>): OperatorState {
  const subtasks = [0, 1].map((index) => {
    const range = keyGroupRange(index, 2, MAX_PARALLELISM)
    const backend = new HeapKeyedStateBackend(bare('String'), range, MAX_PARALLELISM)
    const state = backend.valueState({ name: 'delays', schema: ROW })
    AIRPORTS.forEach((airport, i) => {
      const group = keyGroup(airport, bare('String'), MAX_PARALLELISM)
      if (group < range.start || group > range.end) return
      backend.setCurrentKey(airport)
      state.update([i, i / 2])
    })
    const snapshot = backend.snapshot()!
    while (snapshot.advance(2));
    const { bytes, offsets } = snapshot.result()
    snapshot.release()
    files.set(`${DIRECTORY}/keyed-${index}`, bytes)
    const stream = { kind: 'relative' as const, name: `keyed-${index}`, size: bytes.length }
    return { index, state: { managedOperator: null, managedKeyed: { kind: 'key-groups' as const, range, offsets, stream, id: `handle-${index}` } } }
  })
  return { name: 'delay per airport', uid: 'counter', operatorId: operatorId('0da08f51eaa85fc298e176a139b3649a'), parallelism: 2, maxParallelism: MAX_PARALLELISM, coordinatorState: null, subtasks }
}
