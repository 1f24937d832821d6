import { describe, expect, it } from 'vitest'
import { bare } from '../../../workers/model/schema.ts'
import { OperatorHarness } from './operator-harness.ts'

const TEXT = bare('String', 'word')
const texts = (elements: readonly Uint8Array[]): string[] => elements.map((bytes) => String.fromCharCode(...bytes))

interface Given {
  readonly redistribution?: 'split' | 'union'
  readonly snapshot?: 'all' | 'own'
  readonly insist?: boolean
}

/** One subtask that is handed `elements` by a restore; null: it starts from nothing. Returns what it does, and its next snapshot. */
function run(subtask: number, elements: readonly string[] | null, params: Given = {}) {
  const harness = new OperatorHarness({ type: 'list-state', params: { ...params }, inputs: [TEXT], subtask, parallelism: 4 })
  const list = harness.operatorState.listState('elements', params.redistribution === 'union' ? 'UNION' : 'SPLIT_DISTRIBUTE')
  if (elements !== null) list.update(elements.map((text) => Uint8Array.from(text, (c) => c.charCodeAt(0))))
  harness.open(elements === null ? null : 1)
  harness.feed('through')
  harness.operator.snapshotState(2)
  return { harness, snapshot: texts(list.get()), parts: harness.operator.snapshotParts() }
}

describe('an operator with list state', () => {
  it('passes records on', () => {
    expect(run(0, null).harness.emitted).toEqual(['through'])
  })

  it('holds one element of its own at a start from nothing', () => {
    expect(run(3, null).snapshot).toEqual(['subtask 3'])
  })

  it('writes all that it was given, and nothing where it was given nothing', () => {
    expect(run(1, ['a', 'b', 'c'], { redistribution: 'union' }).snapshot).toEqual(['a', 'b', 'c'])
    expect(run(2, []).snapshot).toEqual([])
  })

  it('writes one element of its own, whatever it was given', () => {
    expect(run(1, ['a', 'b', 'c'], { redistribution: 'union', snapshot: 'own' }).snapshot).toEqual(['subtask 1'])
  })

  it('tells the number of its elements as its part of the snapshot', () => {
    expect(run(1, ['a', 'b']).parts).toMatchObject([{ kind: 'operator', entries: 2 }])
  })

  it('that insists on an element fails where a restore gives it none, and only there', () => {
    expect(run(2, [], { insist: true }).harness.failure).toMatchObject({ message: expect.stringContaining('without any element') as string, nonRecoverable: false })
    expect(run(2, []).harness.failure).toBeNull()
    expect(run(2, ['a'], { insist: true }).harness.failure).toBeNull()
    expect(run(2, null, { insist: true }).harness.failure).toBeNull()
  })
})
