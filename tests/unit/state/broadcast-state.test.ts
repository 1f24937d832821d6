import { describe, expect, it } from 'vitest'
import { must } from '../../../workers/base/assert.ts'
import { bare } from '../../../workers/model/schema.ts'
import type { Schema } from '../../../workers/model/schema.ts'
import type { OperatorStateHandle } from '../../../workers/model/state-handles.ts'
import { HeapOperatorStateBackend } from '../../../workers/state/operator-state.ts'

const ROW: Schema = { kind: 'row', fields: [{ name: 'limit', type: 'Int' }, { name: 'times', type: 'Long' }] }
const RULES = { name: 'rules', key: bare('String'), value: ROW }
const NO_STREAM = { kind: 'bytes', name: 'x', bytes: new Uint8Array(0) } as const

function saved(backend: HeapOperatorStateBackend): { readonly handle: OperatorStateHandle; readonly bytes: Uint8Array } {
  const { bytes, states } = must(backend.snapshot(), 'snapshot').write()
  return { handle: { states, stream: NO_STREAM }, bytes }
}

function filled(): HeapOperatorStateBackend {
  const backend = new HeapOperatorStateBackend()
  backend.listState('before', 'UNION').update([Uint8Array.of(1), Uint8Array.of(2, 3)])
  const rules = backend.broadcastState(RULES)
  rules.put('a', [1, 1])
  rules.put('b', [2, 1])
  rules.put('a', [3, 2])
  rules.put('gone', [0, 0])
  rules.remove('gone')
  return backend
}

describe('broadcast state (behaviour 11.3)', () => {
  it('is one map at one offset behind the lists, and comes back', () => {
    const { handle, bytes } = saved(filled())
    expect(handle.states).toMatchObject([{ name: 'before', mode: 'UNION', offsets: [expect.any(Number), expect.any(Number)] }, { name: 'rules', mode: 'BROADCAST', offsets: [expect.any(Number)] }])
    const restored = new HeapOperatorStateBackend()
    restored.restore(handle, bytes)
    expect(restored.broadcastState(RULES).entries()).toEqual([['a', [3, 2]], ['b', [2, 1]]])
    expect(restored.listState('before', 'UNION').get()).toEqual([Uint8Array.of(1), Uint8Array.of(2, 3)])
    expect(restored.broadcastState(RULES).get('missing')).toBeNull()
  })

  it('a snapshot is a copy: what is put afterwards is not in it', () => {
    const backend = filled()
    const snapshot = must(backend.snapshot(), 'snapshot')
    backend.broadcastState(RULES).put('later', [9, 9])
    const { bytes, states } = snapshot.write()
    const restored = new HeapOperatorStateBackend()
    restored.restore({ states, stream: NO_STREAM }, bytes)
    expect(restored.broadcastState(RULES).entries()).toHaveLength(2)
  })

  it('one that nobody asks for is carried into the next snapshot', () => {
    const first = saved(filled())
    const idle = new HeapOperatorStateBackend()
    idle.restore(first.handle, first.bytes)
    const second = saved(idle)
    expect(second.bytes).toEqual(first.bytes)
    expect(second.handle.states).toEqual(first.handle.states)
  })

  it.each([
    ['key', { ...RULES, key: bare('Int') }],
    ['value', { ...RULES, value: bare('Long') }],
  ])('another type of its %s is refused', (role, descriptor) => {
    const { handle, bytes } = saved(filled())
    const restored = new HeapOperatorStateBackend()
    restored.restore(handle, bytes)
    expect(() => restored.broadcastState(descriptor)).toThrow(new RegExp(`broadcast state "rules": the new ${role} serializer .* must not be incompatible`))
  })
})
