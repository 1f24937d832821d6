import { describe, expect, test } from 'vitest'
import { bare } from '../../../workers/model/schema.ts'
import type { Schema, Value } from '../../../workers/model/schema.ts'
import type { KeyGroupsHandle } from '../../../workers/model/state-handles.ts'
import { HeapKeyedStateBackend } from '../../../workers/state/heap/heap-keyed-state-backend.ts'
import { keyGroup, keyGroupRange } from '../../../workers/state/key-groups.ts'
import { UnsafeLongError } from '../../../workers/state/serializers/unsafe-long.ts'
import { StateMigrationError } from '../../../workers/state/state-migration-error.ts'

const STRING = bare('String')
const COUNT = { name: 'count', schema: bare('Long') }
const MAX = 128

const backendOf = (subtask = 0, parallelism = 1, key: Schema = STRING): HeapKeyedStateBackend =>
  new HeapKeyedStateBackend(key, keyGroupRange(subtask, parallelism, MAX), MAX)

function put(backend: HeapKeyedStateBackend, key: Value, value: Value, state = COUNT): void {
  backend.setCurrentKey(key)
  backend.valueState(state).update(value)
}

function saved(backend: HeapKeyedStateBackend): { handle: KeyGroupsHandle; bytes: Uint8Array } {
  const snapshot = backend.snapshot()!
  while (snapshot.advance(10));
  const { bytes, offsets } = snapshot.result()
  snapshot.release()
  return { handle: { kind: 'key-groups', range: backend.keyGroupRange, offsets, stream: { kind: 'bytes', name: '', bytes }, id: 'x' }, bytes }
}

const cells = (backend: HeapKeyedStateBackend): [string, Value, Value][] => [...backend.entries()].map(({ state, key, value }) => [state, key, value])
const words = Array.from({ length: 300 }, (_, i) => `word-${i}`)
const filled = (): HeapKeyedStateBackend => {
  const backend = backendOf()
  words.forEach((word, i) => put(backend, word, i))
  return backend
}

describe('value state', () => {
  test('is that of the current key, absent at first and after clear', () => {
    const backend = backendOf()
    const count = backend.valueState(COUNT)
    backend.setCurrentKey('a')
    expect(count.value()).toBeNull()
    count.update(1)
    backend.setCurrentKey('b')
    expect(count.value()).toBeNull()
    backend.setCurrentKey('a')
    expect(count.value()).toBe(1)
    count.clear()
    expect(count.value()).toBeNull()
    expect(backend.keys).toBe(0)
  })

  test('tuple keys are equal by their fields, not by how they look together', () => {
    const backend = backendOf(0, 1, { kind: 'tuple', fields: [{ name: 'a', type: 'String' }, { name: 'b', type: 'String' }] })
    put(backend, ['a', 'bc'], 1)
    put(backend, ['ab', 'c'], 2)
    put(backend, ['1:a', ''], 3)
    put(backend, ['a', 'bc'], 4)
    expect(backend.keys).toBe(3)
    expect(cells(backend).map(([, key, value]) => [key, value])).toContainEqual([['a', 'bc'], 4])
  })

  test('a key of another subtask’s range is refused', () => {
    const other = words.find((word) => keyGroup(word, STRING, MAX) >= 64)!
    expect(() => put(backendOf(0, 2), other, 1)).toThrow(/not in KeyGroupRange.startKeyGroup=0, endKeyGroup=63./)
  })

  test('an unsafe Long is refused with state and key', () => {
    const backend = backendOf()
    expect(() => put(backend, 'ABQ', 2 ** 53)).toThrow(UnsafeLongError)
    expect(() => put(backend, 'ABQ', 2 ** 53)).toThrow(/state "count", key "ABQ"/)
    expect(backend.keys).toBe(0)
  })
})

describe('snapshot and restore', () => {
  test('a backend without state has no snapshot', () => expect(backendOf().snapshot()).toBeNull())

  test('all key groups of the range are in the file, the empty ones too', () => {
    const backend = backendOf(1, 2)
    backend.valueState(COUNT)
    expect(saved(backend).handle.offsets).toHaveLength(64)
  })

  test('what was written is restored', () => {
    const { handle, bytes } = saved(filled())
    const back = backendOf()
    back.restore(handle, bytes)
    expect(cells(back)).toEqual(cells(filled()))
  })

  test('at new parallelism every subtask reads its own key groups out of every file, and together they have all', () => {
    const files = [0, 1].map((subtask) => {
      const backend = backendOf(subtask, 2)
      words.forEach((word, i) => {
        const { start, end } = backend.keyGroupRange
        const group = keyGroup(word, STRING, MAX)
        if (group >= start && group <= end) put(backend, word, i)
      })
      return saved(backend)
    })
    const all = [0, 1, 2].flatMap((subtask) => {
      const backend = backendOf(subtask, 3)
      for (const { handle, bytes } of files) backend.restore(handle, bytes)
      for (const { keyGroup: group } of backend.entries()) expect(group >= backend.keyGroupRange.start && group <= backend.keyGroupRange.end).toBe(true)
      return cells(backend)
    })
    expect(all).toEqual(cells(filled()))
  })

  test('a state that nobody asks for is carried into later snapshots', () => {
    const first = filled()
    put(first, 'word-1', 'x', { name: 'forgotten', schema: bare('String') })
    const { handle, bytes } = saved(first)
    const second = backendOf()
    second.restore(handle, bytes)
    put(second, 'word-2', 7)
    const again = saved(second)
    const third = backendOf()
    third.restore(again.handle, again.bytes)
    third.setCurrentKey('word-1')
    expect(third.valueState({ name: 'forgotten', schema: bare('String') }).value()).toBe('x')
  })

  test('another value type is a migration error that names state and both types', () => {
    const { handle, bytes } = saved(filled())
    const back = backendOf()
    back.restore(handle, bytes)
    expect(() => back.valueState({ name: 'count', schema: STRING })).toThrow(StateMigrationError)
    expect(() => back.valueState({ name: 'count', schema: STRING })).toThrow(/state "count": the new value serializer \(String\).*\(Long\)/)
  })

  test('another key type is a migration error', () => {
    const { handle, bytes } = saved(filled())
    expect(() => backendOf(0, 1, bare('Int')).restore(handle, bytes)).toThrow(/the new key serializer \(Int\) must be compatible .*\(String\)/)
  })

  test('the same types under other field names are compatible, and the operator’s names win', () => {
    const row = (a: string): Schema => ({ kind: 'row', fields: [{ name: a, type: 'Int' }] })
    const first = backendOf()
    first.setCurrentKey('k')
    first.valueState({ name: 's', schema: row('old') }).update([1])
    const { handle, bytes } = saved(first)
    const back = backendOf()
    back.restore(handle, bytes)
    back.valueState({ name: 's', schema: row('new') })
    expect(back.report(10)).toMatchObject({ keys: 1, columns: ['new'], rows: [{ key: 'k', value: [1] }] })
  })

  test('a file that was cut is refused', () => {
    const { handle, bytes } = saved(filled())
    expect(() => backendOf().restore(handle, bytes.subarray(0, bytes.length - 1))).toThrow(/offset \d+: expected/)
  })

  test('a compressed file is refused by name', () => {
    const { handle, bytes } = saved(filled())
    bytes[4] = 1
    expect(() => backendOf().restore(handle, bytes)).toThrow(/compressed \(snappy\), which cannot be read yet/)
  })

  test('a released snapshot keeps nothing: writing goes on, and a second release is a bug', () => {
    const backend = filled()
    const snapshot = backend.snapshot()!
    snapshot.advance(1)
    snapshot.release()
    put(backend, 'word-3', 99)
    expect(() => snapshot.advance(1)).toThrow(/released/)
    expect(() => snapshot.release()).toThrow(/once/)
  })

  test('an entry that cannot be written fails the snapshot, not the update that came before the walker', () => {
    const ints = { name: 'ints', schema: bare('Int') }
    const backend = backendOf()
    put(backend, 'a', 1.5, ints)
    const snapshot = backend.snapshot()!
    put(backend, 'a', 2, ints)
    expect(() => snapshot.advance(100)).toThrow(/1.5 is not an Int/)
    snapshot.release()
    expect(cells(backend)).toEqual([['ints', 'a', 2]])
    expect(saved(backend).handle.offsets).toHaveLength(MAX)
  })

  test('strings that grow, shrink and go keep every key group at its offset', () => {
    const texts = { name: 'texts', schema: bare('String') }
    const backend = backendOf()
    words.forEach((word, i) => put(backend, word, 'ß'.repeat(i), texts))
    words.forEach((word, i) => put(backend, word, 'x'.repeat(300 - i), texts))
    for (const word of words.slice(100, 200)) {
      backend.setCurrentKey(word)
      backend.valueState(texts).clear()
    }
    const { handle, bytes } = saved(backend)
    const back = backendOf()
    back.restore(handle, bytes)
    expect(new Map(cells(back).map(([, key, value]) => [key, value]))).toEqual(new Map(cells(backend).map(([, key, value]) => [key, value])))
    expect(cells(back)).toHaveLength(200)
  })

  test('of long entries a slice writes fewer: its time is bounded by bytes too', () => {
    const texts = { name: 'texts', schema: bare('String') }
    const backend = backendOf()
    for (const word of words) put(backend, word, 'x'.repeat(100_000), texts)
    const snapshot = backend.snapshot()!
    let before = 0
    while (snapshot.advance(1000)) {
      expect(snapshot.writtenEntries - before).toBeLessThanOrEqual(3)
      before = snapshot.writtenEntries
    }
    expect(snapshot.writtenEntries).toBe(300)
    snapshot.release()
  })

  test('a slice writes no more entries than its budget', () => {
    const snapshot = filled().snapshot()!
    let before = 0
    do {
      expect(snapshot.writtenEntries - before).toBeLessThanOrEqual(7)
      before = snapshot.writtenEntries
    } while (snapshot.advance(7))
    expect(snapshot.writtenEntries).toBe(300)
    snapshot.release()
  })
})

describe('reports', () => {
  test('few keys: all of them, in key-group order, with the time of their last change', () => {
    const backend = backendOf()
    backend.setNow(5)
    put(backend, 'hello', 1)
    backend.setNow(9)
    put(backend, 'a', 2)
    put(backend, 'b', 3)
    expect(backend.report(200)).toEqual({
      keys: 3,
      columns: ['value'],
      rows: [
        { key: 'b', keyGroup: 22, value: 3, changedAt: 9 },
        { key: 'hello', keyGroup: 35, value: 1, changedAt: 5 },
        { key: 'a', keyGroup: 81, value: 2, changedAt: 9 },
      ],
    })
  })

  test('many keys: as many rows as asked for, the last changed ones among them, in order', () => {
    const backend = filled()
    backend.setNow(77)
    for (const word of ['word-7', 'word-250', 'word-99']) put(backend, word, -1)
    const { keys, rows } = backend.report(20)
    expect(keys).toBe(300)
    expect(rows).toHaveLength(20)
    expect(rows.filter((row) => row.changedAt === 77).map((row) => row.key).sort()).toEqual(['word-250', 'word-7', 'word-99'])
    expect(rows.map((row) => row.keyGroup)).toEqual(rows.map((row) => row.keyGroup).sort((a, b) => a - b))
  })
})
