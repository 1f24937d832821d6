/** FC-059: sender and receiver must agree on the hash of a key, and the receiver looks at every key that has no state yet. */
import { describe, expect, it } from 'vitest'
import { compileJob } from '../../../workers/model/compile-job.ts'
import type { EdgeDocument } from '../../../workers/model/job-document.ts'
import { bare } from '../../../workers/model/schema.ts'
import { KeySelector } from '../../../workers/network/key-selector.ts'
import { KeyGroupPartitioner } from '../../../workers/network/partitioners/key-group-partitioner.ts'
import { HeapKeyedStateBackend } from '../../../workers/state/heap/heap-keyed-state-backend.ts'
import { keyGroup, subtaskOf } from '../../../workers/state/key-groups.ts'
import { EDGES, job } from '../model/job-fixture.ts'

const KEY = bare('String', 'word')
const WORDS = Array.from({ length: 200 }, (_, i) => `word ${i}`)

describe('a hash that is not stable', () => {
  it('sends keys elsewhere, another sender elsewhere again, each always to the same subtask', () => {
    const targets = (salt: number): number[] => {
      const partitioner = new KeyGroupPartitioner(new KeySelector(KEY, ['word']), 4, 128, salt)
      const first = WORDS.map((word) => partitioner.select(word))
      expect(WORDS.map((word) => partitioner.selectByKey(word))).toEqual(first)
      return first
    }
    const stable = WORDS.map((word) => subtaskOf(keyGroup(word, KEY, 128), 4, 128))
    expect(targets(0)).toEqual(stable)
    for (const salt of [1, 12345]) expect(targets(salt).filter((target, i) => target !== stable[i]).length).toBeGreaterThan(100)
    expect(targets(1)).not.toEqual(targets(12345))
  })

  it('is refused where there is no hash', () => {
    const { problems } = compileJob(job({ edges: [EDGES[0] as EdgeDocument, { from: 'count', to: 'sink', ship: 'rebalance', unstableHash: true }] }))
    expect(problems.map(({ path }) => path)).toContain('/edges/1/unstableHash')
  })
})

describe('a key of another subtask', () => {
  const foreign = WORDS.find((word) => keyGroup(word, KEY, 128) > 63) ?? ''
  const group = keyGroup(foreign, KEY, 128)
  const state = () => {
    const backend = new HeapKeyedStateBackend(KEY, { start: 0, end: 63 }, 128)
    backend.setCurrentKey(foreign)
    return { backend, value: backend.valueState({ name: 'count', schema: bare('Long', 'n') }) }
  }

  it('is refused when its state is written, with key group, range and the likely cause', () => {
    const { value, backend } = state()
    expect(() => value.update(1)).toThrow(`Key group ${group} is not in KeyGroupRange{startKeyGroup=0, endKeyGroup=63}`)
    expect(() => value.update(1)).toThrow('hash of the key is not stable')
    expect(backend.keys).toBe(0)
  })

  it('is refused when its state is only read', () => {
    expect(() => state().value.value()).toThrow(`Key group ${group} is not in KeyGroupRange`)
  })
})
