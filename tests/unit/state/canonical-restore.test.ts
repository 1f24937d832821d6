import { describe, expect, it } from 'vitest'
import { must } from '../../../workers/base/assert.ts'
import { bare } from '../../../workers/model/schema.ts'
import type { Schema, Value } from '../../../workers/model/schema.ts'
import type { KeyedStateHandle } from '../../../workers/model/state-handles.ts'
import { canonicalFromHeap } from '../../../workers/savepoint/canonical-from-heap.ts'
import { HeapKeyedStateBackend } from '../../../workers/state/heap/heap-keyed-state-backend.ts'
import { keyGroupRange } from '../../../workers/state/key-groups.ts'
import { compatibility } from '../../../workers/state/serializers/serializer-compatibility.ts'
import { DataInput } from '../../../workers/state/serializers/data-input.ts'
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'
import { readSerializerEntry, schemaSerializer } from '../../../workers/state/serializers/serializer-snapshot.ts'
import { readStoredValue } from '../../../workers/state/serializers/value-serializer.ts'

const NO_STREAM = { kind: 'relative', name: 'x', size: 0 } as const
const ROW: Schema = { kind: 'row', fields: [{ name: 'a', type: 'Long' }, { name: 'b', type: 'String' }] }
const TUPLE_KEY: Schema = { kind: 'tuple', fields: [{ name: 'k', type: 'String' }, { name: 'n', type: 'Int' }] }

/** A backend with entries, and its canonical file. */
function canonicalOf(keySchema: Schema, keys: readonly Value[], maxParallelism: number): { readonly handle: KeyedStateHandle; readonly bytes: Uint8Array } {
  const range = { start: 0, end: maxParallelism - 1 }
  const backend = new HeapKeyedStateBackend(keySchema, range, maxParallelism)
  const [count, row] = [backend.valueState({ name: 'count', schema: bare('Long') }), backend.valueState({ name: 'row', schema: ROW })]
  keys.forEach((key, i) => {
    backend.setCurrentKey(key)
    count.update(i)
    if (i % 2 === 0) row.update([i, `r${i}`])
  })
  const snapshot = must(backend.snapshot(), 'snapshot')
  while (snapshot.advance(100));
  const native = snapshot.result()
  const { bytes, offsets } = canonicalFromHeap(native.bytes, { range, offsets: native.offsets }, maxParallelism)
  return { handle: { kind: 'savepoint-key-groups', range, offsets, stream: NO_STREAM }, bytes }
}

describe.each([
  ['String keys, 128 key groups', bare('String'), Array.from({ length: 200 }, (_, i) => `key-${i}`), 128],
  ['Long keys, 32768 key groups (two bytes)', bare('Long'), Array.from({ length: 200 }, (_, i) => i * 7 - 300), 32_768],
  ['tuple keys, 7 key groups', TUPLE_KEY, Array.from({ length: 50 }, (_, i) => [`k${i % 5}`, i]), 7],
] as const)('a canonical keyed file restores: %s', (_, schema, keys, maxParallelism) => {
  it.each([1, 2, 3, 5])('cut among %i subtasks, every entry once, in its key group', (parallelism) => {
    const { handle, bytes } = canonicalOf(schema, keys as readonly Value[], maxParallelism)
    const found = new Map<string, unknown>()
    for (let subtask = 0; subtask < parallelism; subtask++) {
      const range = keyGroupRange(subtask, parallelism, maxParallelism)
      const backend = new HeapKeyedStateBackend(schema, range, maxParallelism)
      backend.restore(handle, bytes)
      for (const entry of backend.entries()) {
        expect(entry.keyGroup).toBeGreaterThanOrEqual(range.start)
        expect(entry.keyGroup).toBeLessThanOrEqual(range.end)
        const name = `${entry.state} ${JSON.stringify(entry.key)}`
        expect(found.has(name)).toBe(false)
        found.set(name, entry.value)
      }
    }
    keys.forEach((key, i) => {
      expect(found.get(`count ${JSON.stringify(key)}`)).toBe(i)
      expect(found.get(`row ${JSON.stringify(key)}`)).toEqual(i % 2 === 0 ? [i, `r${i}`] : undefined)
    })
    expect(found.size).toBe(keys.length + Math.ceil(keys.length / 2))
  })
})

describe('a canonical file that is damaged', () => {
  it('an entry longer than its type, or a key of another key group, is refused', () => {
    const { handle, bytes } = canonicalOf(bare('String'), ['a', 'b'], 128)
    const at = must(handle.offsets.find((offset) => offset > 0), 'a key group with an entry')
    const restore = (damage: (copy: Uint8Array) => void): (() => void) => () => {
      const copy = bytes.slice()
      damage(copy)
      new HeapKeyedStateBackend(bare('String'), { start: 0, end: 127 }, 128).restore(handle, copy)
    }
    expect(restore(() => undefined)).not.toThrow()
    expect(restore((copy) => void (copy[at + 6] = (copy[at + 6] as number) ^ 1))).toThrow(/a key of key group/)
    expect(restore((copy) => void (copy[at + 1] = 9))).toThrow(/a state id below 2/)
  })
})

describe('compatibility of serializers (behaviour 9.5)', () => {
  const of = (schema: Schema) => schemaSerializer(schema)
  const row = (...types: ('Long' | 'Int' | 'String')[]): Schema => ({ kind: 'row', fields: types.map((type, i) => ({ name: `f${i}`, type })) })

  it('the same types: as is, whatever the fields are called', () => {
    expect(compatibility(of(row('Long', 'String')), of(ROW))).toBe('as is')
    expect(compatibility(of(bare('Long', 'x')), of(bare('Long', 'y')))).toBe('as is')
  })

  it.each([
    ['Int → Long', bare('Int'), bare('Long')],
    ['Long → String', bare('Long'), bare('String')],
    ['bare → Row', bare('Long'), row('Long')],
    ['one field more', row('Long'), row('Long', 'Long')],
    ['one field less', row('Long', 'Int'), row('Long')],
    ['Tuple → Row', { ...row('Long', 'Int'), kind: 'tuple' } as Schema, row('Long', 'Int')],
  ])('%s: incompatible', (_, old, now) => {
    expect(compatibility(of(old), of(now))).toBe('incompatible')
  })

  it('a Row without kinds (Flink before 1.11) migrates: read in the old form, written in the new one', () => {
    const header = new DataOutput()
    header.writeInt(2)
    header.writeUTF('org.apache.flink.api.java.typeutils.runtime.RowSerializer$RowSerializerSnapshot')
    for (const int of [3, 911108, 2, 1333245, 1, 2]) header.writeInt(int)
    for (const type of ['Long', 'String']) {
      header.writeUTF(`org.apache.flink.api.common.typeutils.base.${type}Serializer$${type}SerializerSnapshot`)
      header.writeInt(3)
    }
    const stored = readSerializerEntry(new DataInput(header.toBytes()))
    expect(compatibility(stored, of(ROW))).toBe('migrate')
    const value = new DataOutput()
    value.writeByte(0)
    value.writeLong(5)
    value.writeString('five')
    expect(readStoredValue(new DataInput(value.toBytes()), stored)).toEqual([5, 'five'])
  })
})
