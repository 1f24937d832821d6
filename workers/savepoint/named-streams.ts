/** Every stream that a snapshot names, and the same snapshot with other streams in their places. */
import type { ChannelRef, KeyedRef, OperatorRecord, OperatorRef, Savepoint, SharedFile, StreamRef, SubtaskRef } from './model.ts'

/** What a stream is replaced by. */
export type MapStream = (stream: StreamRef) => StreamRef

/** In the order in which `_metadata` has them. Channels that share a file name it each by itself. Without coordinators, which are always inline. */
export function namedStreams(savepoint: Savepoint): readonly StreamRef[] {
  const streams: StreamRef[] = []
  mapStreams(savepoint, (stream) => {
    streams.push(stream)
    return stream
  })
  return streams
}

export function mapStreams(savepoint: Savepoint, map: MapStream): Savepoint {
  return { ...savepoint, operators: savepoint.operators.map((operator) => ({ ...operator, subtasks: operator.subtasks.map((subtask) => subtaskStreams(subtask, map)) })) }
}

/** As `mapStreams`, for handles of operator state as a whole: their offsets may change with their file. */
export function mapOperatorState(savepoint: Savepoint, map: (handle: OperatorRef, operator: OperatorRecord) => OperatorRef): Savepoint {
  const mapped = (handle: OperatorRef | null, operator: OperatorRecord): OperatorRef | null => (handle === null ? null : map(handle, operator))
  return {
    ...savepoint,
    operators: savepoint.operators.map((operator) => ({
      ...operator,
      subtasks: operator.subtasks.map((subtask) => ({ ...subtask, managedOperator: mapped(subtask.managedOperator, operator) })),
    })),
  }
}

function subtaskStreams(subtask: SubtaskRef, map: MapStream): SubtaskRef {
  return {
    ...subtask,
    managedOperator: operatorStreams(subtask.managedOperator, map),
    rawOperator: operatorStreams(subtask.rawOperator, map),
    managedKeyed: keyedStreams(subtask.managedKeyed, map),
    rawKeyed: keyedStreams(subtask.rawKeyed, map),
    input: channelStreams(subtask.input, map),
    output: channelStreams(subtask.output, map),
  }
}

const mapped = (stream: StreamRef | null, map: MapStream): StreamRef | null => (stream === null ? null : map(stream))
const operatorStreams = (handle: OperatorRef | null, map: MapStream): OperatorRef | null => (handle === null ? null : { ...handle, stream: mapped(handle.stream, map) })
const channelStreams = (handles: readonly ChannelRef[], map: MapStream): ChannelRef[] => handles.map((handle) => ({ ...handle, stream: mapped(handle.stream, map) }))
const fileStreams = (files: readonly SharedFile[], map: MapStream): SharedFile[] => files.map(({ name, stream }) => ({ name, stream: mapped(stream, map) }))

function keyedStreams(handle: KeyedRef | null, map: MapStream): KeyedRef | null {
  if (handle === null) return null
  switch (handle.kind) {
    case 'key-groups':
      return { ...handle, stream: mapped(handle.stream, map) }
    case 'incremental':
      return { ...handle, meta: mapped(handle.meta, map), shared: fileStreams(handle.shared, map), private: fileStreams(handle.private, map) }
    case 'changelog':
      return { ...handle, materialized: handle.materialized.map((one) => keyedStreams(one, map)), increments: handle.increments.map((one) => keyedStreams(one, map)) }
    case 'changes':
      return handle
    case 'change-files':
      return { ...handle, files: handle.files.map(({ offset, stream }) => ({ offset, stream: mapped(stream, map) })) }
  }
}
