import { expect, it } from 'vitest'
import { must } from '../../../workers/base/assert.ts'
import { Prng } from '../../../workers/base/prng.ts'
import { AsyncCheckpoint } from '../../../workers/checkpointing/async-checkpoint.ts'
import { operatorId } from '../../../workers/model/ids.ts'
import { bare } from '../../../workers/model/schema.ts'
import { HeapKeyedStateBackend } from '../../../workers/state/heap/heap-keyed-state-backend.ts'
import { SETTINGS } from '../task/test-job.ts'

const OPERATOR = operatorId('a'.repeat(32))
const RANGE = { start: 0, end: 7 }

/** A snapshot of a thousand keys. */
function asyncPart(type: 'CHECKPOINT' | 'SAVEPOINT' = 'CHECKPOINT'): AsyncCheckpoint {
  const backend = new HeapKeyedStateBackend(bare('String'), RANGE, 8)
  const state = backend.valueState({ name: 'count', schema: bare('Long') })
  for (let i = 0; i < 1000; i++) {
    backend.setCurrentKey(`key-${i}`)
    state.update(i)
  }
  const metrics = { startDelayMicros: 0, alignmentMicros: 0, syncMicros: 0, syncEndedAt: 0, processedBytes: 0 }
  const view = must(backend.snapshot(), 'a snapshot')
  const operators = [{ operatorId: OPERATOR, keyed: { range: RANGE, maxParallelism: 8, view }, operatorState: null }]
  const options = { alignment: 'ALIGNED', type, location: '/c/chk-1', ...(type === 'SAVEPOINT' ? { format: 'NATIVE' as const } : {}) } as const
  return new AsyncCheckpoint(1, options, metrics, { head: OPERATOR, tail: OPERATOR, subtask: 0, operators, channelState: null })
}

it('a snapshot tells how many bytes of how many are written, from its first slice on', () => {
  const part = asyncPart()
  expect([part.writtenBytes, part.totalBytes]).toEqual([0, 0])
  const written: number[] = []
  part.walk(50)
  const total = part.totalBytes
  expect(total).toBeGreaterThan(10_000)
  while (part.walk(50)) written.push(part.writtenBytes)
  expect(written.length).toBeGreaterThan(10)
  expect(written).toEqual([...written].sort((a, b) => a - b))
  expect(written.every((bytes) => bytes <= total)).toBe(true)
  const prepared = part.prepare(SETTINGS, new Prng(1))
  expect([part.writtenBytes, part.totalBytes, prepared.bytes]).toEqual([total, total, total])
})

it('the TaskManager keeps a copy of keyed state of checkpoints, and none of savepoints', () => {
  const copyOf = (part: AsyncCheckpoint): unknown => {
    while (part.walk(1000)) continue
    return part.prepare({ ...SETTINGS, localBackup: true }, new Prng(1)).writes.map(({ localCopy }) => localCopy)
  }
  expect(copyOf(asyncPart())).toEqual([1])
  expect(copyOf(asyncPart('SAVEPOINT'))).toEqual([undefined])
})
