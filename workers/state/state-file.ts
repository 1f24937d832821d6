/** Where a handle's bytes are, and what is said where they are not: the same for the tasks that restore and for the verdict before a start. */
import type { OperatorRestoreState, StreamHandle } from '../model/state-handles.ts'
import { handleSize } from '../model/state-handles.ts'
import { storagePathOf } from '../model/storage-path.ts'

/** The absolute path of a handle's file; null: the bytes stand in the handle. `location`: directory of `_metadata`. */
export function stateFilePath(handle: StreamHandle, location: string): string | null {
  if (handle.kind === 'bytes') return null
  if (handle.kind === 'relative') return `${location}/${handle.name}`
  // Flink names files by URIs.
  const path = storagePathOf(handle.path)
  return path.ok ? path.value : handle.path
}

/** Every stream that a subtask reads, in the order in which it asks for them. */
export const streamsOf = ({ keyed, operator, inputChannel = [], resultSubpartition = [] }: OperatorRestoreState): readonly StreamHandle[] =>
  [...keyed, ...operator, ...inputChannel, ...resultSubpartition, ...resultSubpartition.flatMap(({ continues }) => continues ?? [])].map(({ stream }) => stream)

export const unreadableFile = (path: string, reason: string): string => `Could not restore from ${path}: ${reason}`

/** Null, or what is wrong with a file of that length. */
export const lengthProblem = (path: string, handle: StreamHandle, length: number): string | null =>
  length === handleSize(handle) ? null : unreadableFile(path, `it has ${length} bytes, the checkpoint says ${handleSize(handle)}`)
