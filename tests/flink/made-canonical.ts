/** A native savepoint of the heap backend made canonical here: every kind of state that Flink has goes through the writers of this project. */
import { join } from 'node:path'
import { must } from '../../workers/base/assert.ts'
import { readSlice, sizesBelow } from '../../scripts/samples/open-directory.ts'
import { canonicalFromHeap } from '../../workers/savepoint/canonical-from-heap.ts'
import type { KeyedRef, StreamRef } from '../../workers/savepoint/model.ts'
import { writeSavepoint } from '../../workers/savepoint/savepoint-writer.ts'
import { openSnapshotAt } from './open-snapshot-at.ts'
import { writeFile } from './our-savepoints.ts'

/** Everything goes into one `_metadata`. */
export function makeCanonical(from: string, to: string): void {
  const { savepoint } = openSnapshotAt(from)
  const directory = { name: '', path: from, sizes: sizesBelow(from) }
  const bytesOf = (stream: StreamRef): Uint8Array => {
    if (stream.kind === 'bytes') return stream.bytes
    if (stream.kind !== 'relative') throw new Error(`a savepoint's file is ${stream.kind}`)
    return readSlice(directory, { name: stream.name, offset: 0, length: stream.size })
  }
  // Flink takes two handles of the same name for one and the same.
  let names = 0
  const name = (): string => `inline-${names++}`
  const inline = (stream: StreamRef | null): StreamRef | null => (stream === null ? null : { kind: 'bytes', name: name(), bytes: bytesOf(stream) })
  const canonical = (handle: KeyedRef | null, maxParallelism: number): KeyedRef | null => {
    if (handle === null) return null
    if (handle.kind !== 'key-groups' || handle.type !== 12) throw new Error('not a file of the heap backend')
    const { bytes, offsets } = canonicalFromHeap(bytesOf(must(handle.stream, 'a stream')), handle, maxParallelism)
    return { ...handle, type: 7, id: null, offsets, stream: { kind: 'bytes', name: name(), bytes } }
  }
  const operators = savepoint.operators.map((operator) => ({
    ...operator,
    subtasks: operator.subtasks.map((subtask) => ({
      ...subtask,
      managedKeyed: canonical(subtask.managedKeyed, operator.maxParallelism),
      managedOperator: subtask.managedOperator === null ? null : { ...subtask.managedOperator, stream: inline(subtask.managedOperator.stream) },
    })),
  }))
  writeFile(join(to, '_metadata'), writeSavepoint({ ...savepoint, operators, properties: null }))
}
