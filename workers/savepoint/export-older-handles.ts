/** Handles as an older Flink writes them: without what came later, which says nothing that a restore needs. */
import type { ChannelRef, KeyedRef, OperatorRef, Savepoint, SubtaskRef } from './model.ts'

const FIRST_WITH_MERGED_CHANNELS = 6
/** Types 11 to 14 came with 1.15 and 1.16, whose `_metadata` is of version 3 still and of version 4. */
const LAST_WITHOUT_IDS = 3

export function olderHandles(savepoint: Savepoint, version: number): Savepoint {
  return { ...savepoint, operators: savepoint.operators.map((operator) => ({ ...operator, subtasks: operator.subtasks.map((subtask) => olderSubtask(subtask, version)) })) }
}

function olderSubtask(subtask: SubtaskRef, version: number): SubtaskRef {
  const keyed = (handle: KeyedRef | null): KeyedRef | null => (version <= LAST_WITHOUT_IDS && handle !== null ? withoutId(handle) : handle)
  const channels = (handles: readonly ChannelRef[]): readonly ChannelRef[] => (version < FIRST_WITH_MERGED_CHANNELS ? handles.flatMap(separate) : handles)
  return {
    ...subtask,
    managedOperator: unmerged(subtask.managedOperator),
    rawOperator: unmerged(subtask.rawOperator),
    managedKeyed: keyed(subtask.managedKeyed),
    rawKeyed: keyed(subtask.rawKeyed),
    input: channels(subtask.input),
    output: channels(subtask.output),
    reusedFrom: null,
  }
}

/** Its file will be one of its own, so the handle is an ordinary one (type 4). */
const unmerged = (handle: OperatorRef | null): OperatorRef | null => (handle === null ? null : { ...handle, merged: null })

function withoutId(handle: KeyedRef): KeyedRef {
  switch (handle.kind) {
    case 'key-groups':
      return handle.type === 12 ? { ...handle, type: 3, id: null } : handle
    case 'incremental':
      return { ...handle, type: 5, checkpointedSize: null, id: null }
    case 'changelog': {
      const nested = (one: KeyedRef | null): KeyedRef | null => (one === null ? null : withoutId(one))
      return { ...handle, type: 8, checkpointId: null, id: null, materialized: handle.materialized.map(nested), increments: handle.increments.map(nested) }
    }
    case 'changes':
      return handle
    case 'change-files':
      return { ...handle, type: 10, storage: null }
  }
}

/** A merged handle of several channels as one handle each, all of the same file. */
const separate = (handle: ChannelRef): ChannelRef[] =>
  handle.merged ? handle.channels.map((channel) => ({ merged: false, subtask: handle.subtask, size: channel.size, stream: handle.stream, channels: [channel] })) : [handle]
