import { describe, expect, test } from 'vitest'
import { operatorId } from '../../../workers/model/ids.ts'
import type { OperatorState, OperatorStateHandle, OperatorStateMode } from '../../../workers/model/state-handles.ts'
import { HeapOperatorStateBackend } from '../../../workers/state/operator-state.ts'
import { assignState, restoredMaxParallelism } from '../../../workers/state/redistribution.ts'
import { keyGroupRange } from '../../../workers/state/key-groups.ts'

const bytes = (...numbers: number[]): Uint8Array => Uint8Array.from(numbers)

function saved(backend: HeapOperatorStateBackend): { handle: OperatorStateHandle; bytes: Uint8Array } {
  const { bytes: file, states } = backend.snapshot()!.write()
  return { handle: { states, stream: { kind: 'bytes', name: 'f', bytes: file } }, bytes: file }
}

describe('operator state backend', () => {
  test('without state there is no snapshot', () => expect(new HeapOperatorStateBackend().snapshot()).toBeNull())

  test('lists come back element by element', () => {
    const backend = new HeapOperatorStateBackend()
    backend.listState('SourceReaderState', 'SPLIT_DISTRIBUTE').update([bytes(1, 2), bytes(), bytes(3)])
    backend.listState('all', 'UNION').update([bytes(9)])
    const file = saved(backend)
    const back = new HeapOperatorStateBackend()
    back.restore(file.handle, file.bytes)
    expect(back.listState('SourceReaderState', 'SPLIT_DISTRIBUTE').get()).toEqual([bytes(1, 2), bytes(), bytes(3)])
    expect(back.listState('all', 'UNION').get()).toEqual([bytes(9)])
  })

  test('the snapshot is a deep copy: what changes afterwards is not in it', () => {
    const backend = new HeapOperatorStateBackend()
    const list = backend.listState('s', 'SPLIT_DISTRIBUTE')
    const element = bytes(1)
    list.update([element])
    const snapshot = backend.snapshot()!
    element[0] = 2
    list.update([])
    const { bytes: file, states } = snapshot.write()
    expect(snapshot.totalEntries).toBe(1)
    expect(file[states[0]!.offsets[0]! + 4]).toBe(1)
  })

  test('several handles, each with some of its offsets, are put together', () => {
    const one = new HeapOperatorStateBackend()
    one.listState('s', 'SPLIT_DISTRIBUTE').update([bytes(1), bytes(2), bytes(3)])
    const file = saved(one)
    const offsets = file.handle.states[0]!.offsets
    const back = new HeapOperatorStateBackend()
    back.restore({ ...file.handle, states: [{ name: 's', mode: 'SPLIT_DISTRIBUTE', offsets: offsets.slice(2) }] }, file.bytes)
    back.restore({ ...file.handle, states: [{ name: 's', mode: 'SPLIT_DISTRIBUTE', offsets: offsets.slice(0, 1) }] }, file.bytes)
    expect(back.listState('s', 'SPLIT_DISTRIBUTE').get()).toEqual([bytes(3), bytes(1)])
  })

  test('switching list to union for the same name is refused', () => {
    const backend = new HeapOperatorStateBackend()
    backend.listState('s', 'SPLIT_DISTRIBUTE')
    expect(() => backend.listState('s', 'UNION')).toThrow(/incompatible assignment modes/)
  })
})

const ID = operatorId('029bbd41b3a7d8cb191dae486a901e5b')

/** An operator whose subtask `i` holds `counts[i]` items of each named state; item `j` of subtask `i` has offset 100·i + j. */
function holding(counts: readonly number[], ...states: readonly (readonly [string, OperatorStateMode])[]): OperatorState {
  return {
    name: 'op',
    uid: 'op',
    operatorId: ID,
    parallelism: counts.length,
    maxParallelism: 128,
    coordinatorState: null,
    subtasks: counts.map((count, i) => ({
      index: i,
      state: {
        managedKeyed: null,
        managedOperator: {
          states: states.map(([name, mode]) => ({ name, mode, offsets: Array.from({ length: count }, (_, j) => 100 * i + j) })),
          stream: { kind: 'relative' as const, name: `file-${i}`, size: 1 },
        },
      },
    })),
  }
}

const received = (old: OperatorState, parallelism: number, name: string): number[][] =>
  assignState(old, parallelism, 128).map(({ operator }) => operator.flatMap(({ states }) => states.filter((state) => state.name === name).flatMap((state) => state.offsets)))

describe('redistribution of operator state (RoundRobinOperatorStateRepartitioner)', () => {
  test('SPLIT_DISTRIBUTE, same parallelism: each subtask its own list', () => {
    expect(received(holding([2, 0, 1], ['s', 'SPLIT_DISTRIBUTE']), 3, 's')).toEqual([[0, 1], [], [200]])
  })

  test('SPLIT_DISTRIBUTE, other parallelism: contiguous runs, the first ones longer', () => {
    expect(received(holding([3, 4], ['s', 'SPLIT_DISTRIBUTE']), 3, 's')).toEqual([[0, 1, 2], [100, 101], [102, 103]])
    expect(received(holding([3, 4], ['s', 'SPLIT_DISTRIBUTE']), 1, 's')).toEqual([[0, 1, 2, 100, 101, 102, 103]])
    expect(received(holding([1, 1], ['s', 'SPLIT_DISTRIBUTE']), 4, 's')).toEqual([[0], [100], [], []])
  })

  test('the next named state starts behind the last receiver that got one more', () => {
    const old = holding([2, 2], ['a', 'SPLIT_DISTRIBUTE'], ['b', 'SPLIT_DISTRIBUTE'])
    expect(received(old, 3, 'a')).toEqual([[0, 1], [100], [101]])
    expect(received(old, 3, 'b')).toEqual([[101], [0, 1], [100]])
  })

  test('UNION: everybody gets everything, also at the same parallelism', () => {
    const old = holding([2, 1], ['u', 'UNION'])
    expect(received(old, 2, 'u')).toEqual([[0, 1, 100], [0, 1, 100]])
    expect(received(old, 3, 'u')).toEqual([[0, 1, 100], [0, 1, 100], [0, 1, 100]])
  })

  test('BROADCAST: own copy at the same parallelism, else copy i mod old parallelism', () => {
    const old = holding([1, 1], ['b', 'BROADCAST'])
    expect(received(old, 2, 'b')).toEqual([[0], [100]])
    expect(received(old, 5, 'b')).toEqual([[0], [100], [0], [100], [0]])
  })

  test('each receiver gets one handle per old file, with only its offsets', () => {
    const [first] = assignState(holding([1, 3], ['s', 'SPLIT_DISTRIBUTE'], ['u', 'UNION']), 1, 128)
    expect(first!.operator.map(({ stream }) => stream)).toEqual([{ kind: 'relative', name: 'file-0', size: 1 }, { kind: 'relative', name: 'file-1', size: 1 }])
  })
})

test('a new subtask gets the keyed handles that overlap its key groups', () => {
  const old: OperatorState = {
    ...holding([0, 0, 0]),
    subtasks: [2, 0, 1].map((index) => {
      const range = keyGroupRange(index, 3, 128)
      const offsets = Array<number>(range.end - range.start + 1).fill(0)
      return { index, state: { managedOperator: null, managedKeyed: { kind: 'key-groups' as const, range, offsets, stream: { kind: 'relative' as const, name: `${index}`, size: 1 }, id: '' } } }
    }),
  }
  const names = (parallelism: number): string[][] => assignState(old, parallelism, 128).map(({ keyed }) => keyed.map(({ stream }) => (stream.kind === 'relative' ? stream.name : '')))
  expect(names(3)).toEqual([['0'], ['1'], ['2']])
  expect(names(2)).toEqual([['0', '1'], ['1', '2']])
  expect(names(4)).toEqual([['0'], ['0', '1'], ['1', '2'], ['2']])
})

describe('max parallelism at restore', () => {
  const task = { name: 'count', parallelism: 2, maxParallelism: 256, maxParallelismExplicit: false }

  test('a derived one is replaced by that of the snapshot', () => expect(restoredMaxParallelism(holding([1]), task)).toEqual({ ok: true, value: 128 }))

  test('an explicit other one is an error', () => {
    expect(restoredMaxParallelism(holding([1]), { ...task, maxParallelismExplicit: true })).toMatchObject({ ok: false, error: expect.stringMatching(/Max parallelism mismatch/) })
  })

  test('a parallelism above that of the snapshot is an error', () => {
    expect(restoredMaxParallelism(holding([1]), { ...task, parallelism: 129 })).toMatchObject({ ok: false, error: expect.stringMatching(/maximum parallelism \(128\).*parallelism \(129\)/) })
  })
})
