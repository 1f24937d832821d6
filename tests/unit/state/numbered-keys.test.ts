import { describe, expect, it } from 'vitest'
import { cloneGraph } from '../../../workers/base/clone.ts'
import { bare } from '../../../workers/model/schema.ts'
import { HeapKeyedStateBackend } from '../../../workers/state/heap/heap-keyed-state-backend.ts'

const COUNT = { name: 'count', schema: bare('Long') }

function build() {
  const backend = new HeapKeyedStateBackend(bare('String'), { start: 0, end: 127 }, 128)
  return { backend, state: backend.valueState(COUNT) }
}

describe('a key with a number', () => {
  it('is the same key as without', () => {
    const { backend, state } = build()
    backend.setCurrentKey('a', 0)
    state.update(1)
    backend.setCurrentKey('a')
    expect(state.value()).toBe(1)
    state.update(2)
    backend.setCurrentKey('a', 0)
    expect(state.value()).toBe(2)
  })

  it('is not found by its number after it was cleared, and is a new entry when it comes back', () => {
    const { backend, state } = build()
    for (const [number, key] of ['a', 'b', 'c'].entries()) {
      backend.setCurrentKey(key, number)
      state.update(number)
      state.value()
      backend.setCurrentKey(key, number)
      state.value()
    }
    backend.setCurrentKey('a')
    state.clear()
    backend.setCurrentKey('a', 0)
    expect(state.value()).toBeNull()
    state.update(9)
    backend.setCurrentKey('a', 0)
    expect(state.value()).toBe(9)
    backend.setCurrentKey('c', 2)
    expect(state.value()).toBe(2)
  })

  it('leads to the own entry on both sides after the machine was copied', () => {
    const { backend, state } = build()
    backend.setCurrentKey('a', 0)
    state.update(1)
    backend.setCurrentKey('a', 0)
    state.value()
    const copy = cloneGraph({ backend, state })
    backend.setCurrentKey('a', 0)
    state.update(2)
    copy.backend.setCurrentKey('a', 0)
    expect(copy.state.value()).toBe(1)
    copy.state.update(7)
    backend.setCurrentKey('a', 0)
    expect(state.value()).toBe(2)
    copy.backend.setCurrentKey('a', 0)
    expect(copy.state.value()).toBe(7)
  })
})
