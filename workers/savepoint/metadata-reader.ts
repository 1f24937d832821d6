/**
 * Reads `_metadata` as far as the engine restores it, and names what it does not. Everything that the file says: savepoint-reader.ts.
 */
import type { ChannelStateHandle, KeyedStateHandle, OperatorState, OperatorStateHandle, StreamHandle } from '../model/state-handles.ts'
import type { ChannelRef, KeyedRef, OperatorRecord, OperatorRef, Savepoint, StreamRef, SubtaskRef } from './model.ts'
import { readSavepoint } from './savepoint-reader.ts'
import type { SnapshotMetadata } from './snapshot-metadata.ts'

type Note = (what: string) => void

const KEYED_KINDS: Readonly<Record<KeyedRef['kind'], string>> = {
  'key-groups': 'keyed state',
  incremental: 'incremental RocksDB state',
  changelog: 'state of the changelog backend',
  changes: 'inline changes of the changelog backend',
  'change-files': 'changes of the changelog backend',
}

/** Throws `FormatError`, which names the offset and what was expected there. */
export const readMetadata = (bytes: Uint8Array): SnapshotMetadata => restorable(readSavepoint(bytes))

/** The part that the engine restores of a file that was read before. */
export function restorable(savepoint: Savepoint): SnapshotMetadata {
  const { version, checkpointId, masterStates, properties } = savepoint
  const unsupported: SnapshotMetadata['unsupported'][number][] = []
  const operators = savepoint.operators.map((operator) => restorableOperator(operator, unsupported))
  return { version, checkpointId, masterStates, operators, properties, unsupported }
}

function restorableOperator(operator: OperatorRecord, unsupported: SnapshotMetadata['unsupported'][number][]): OperatorState {
  const { name, uid, operatorId, parallelism, maxParallelism, coordinator } = operator
  const note = (what: string, subtask: number | null): void => void unsupported.push({ operatorId, subtask, what })
  const finishedSubtasks = operator.subtasks.filter(({ finished }) => finished).map(({ index }) => index)
  const subtasks = operator.subtasks
    .filter(({ finished }) => !finished)
    .map((subtask) => ({ index: subtask.index, state: restorableSubtask(subtask, (what) => note(what, subtask.index)) }))
  return {
    name, uid, operatorId, parallelism, maxParallelism,
    coordinatorState: coordinator === null ? null : coordinator.bytes,
    subtasks,
    ...(operator.fullyFinished ? { fullyFinished: true } : {}),
    ...(finishedSubtasks.length > 0 ? { finishedSubtasks } : {}),
  }
}

function restorableSubtask(subtask: SubtaskRef, note: Note): OperatorState['subtasks'][number]['state'] {
  const managedOperator = subtask.managedOperator === null ? null : restorableLists(subtask.managedOperator, note)
  if (subtask.rawOperator !== null) note('raw operator state')
  const managedKeyed = subtask.managedKeyed === null ? null : restorableKeyed(subtask.managedKeyed, note)
  if (subtask.rawKeyed !== null) note('raw keyed state')
  const inputChannel = subtask.input.flatMap((handle) => restorableChannels(handle, note))
  const resultSubpartition = subtask.output.flatMap((handle) => restorableChannels(handle, note))
  return {
    managedOperator,
    managedKeyed,
    ...(inputChannel.length > 0 ? { inputChannel } : {}),
    ...(resultSubpartition.length > 0 ? { resultSubpartition } : {}),
  }
}

/** A merged handle is of several channels; here each has its own. */
function restorableChannels(handle: ChannelRef, note: Note): ChannelStateHandle[] {
  const stream = restorableStream(handle.stream, note)
  if (stream === null) return []
  return handle.channels.map(({ major, minor, size, offsets }) => ({ subtask: handle.subtask, major, minor, offsets, size, stream }))
}

function restorableLists(handle: OperatorRef, note: Note): OperatorStateHandle | null {
  if (handle.merged !== null) note('operator state in a merged file')
  const stream = restorableStream(handle.stream, note)
  return stream === null ? null : { states: handle.states, stream }
}

function restorableKeyed(handle: KeyedRef, note: Note): KeyedStateHandle | null {
  if (handle.kind !== 'key-groups') {
    note(KEYED_KINDS[handle.kind])
    return null
  }
  const { range, offsets, id } = handle
  const stream = restorableStream(handle.stream, note)
  if (stream === null) return null
  return handle.type === 7 ? { kind: 'savepoint-key-groups', range, offsets, stream } : { kind: 'key-groups', range, offsets, stream, id: id ?? '' }
}

function restorableStream(stream: StreamRef | null, note: Note): StreamHandle | null {
  if (stream === null) return null
  if (stream.kind === 'segment') note('a segment of a merged file')
  else if (stream.kind === 'empty-segment') note('an empty segment of a merged file')
  else return stream
  return null
}
