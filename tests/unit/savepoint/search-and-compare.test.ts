import { describe, expect, test } from 'vitest'
import { bare } from '../../../workers/model/schema.ts'
import { operatorIdOfUid } from '../../../workers/model/operator-id-of-uid.ts'
import type { SnapshotView } from '../../../workers/model/snapshot-view.ts'
import { compareSnapshots } from '../../../workers/savepoint/compare-snapshots.ts'
import { openSnapshot } from '../../../workers/savepoint/open-snapshot.ts'
import { runPlan } from '../../../workers/savepoint/read-plan.ts'
import type { Slice } from '../../../workers/savepoint/read-plan.ts'
import { readSavepoint } from '../../../workers/savepoint/savepoint-reader.ts'
import { searchKey } from '../../../workers/savepoint/search-key.ts'
import { matchUids } from '../../../workers/savepoint/uid-candidates.ts'
import { keyGroup } from '../../../workers/state/key-groups.ts'
import { foreignSnapshot, sizesOf, STATES } from './foreign-snapshot.ts'
import type { ForeignSnapshot } from './foreign-snapshot.ts'

const reader = (snapshot: ForeignSnapshot, slices: Slice[] = []) => (slice: Slice): Uint8Array | null => {
  slices.push(slice)
  return snapshot.files.get(slice.name)?.subarray(slice.offset, slice.offset + slice.length) ?? null
}
const open = (snapshot: ForeignSnapshot): SnapshotView => runPlan(openSnapshot(snapshot.metadata, sizesOf(snapshot)), reader(snapshot)).view
const search = (snapshot: ForeignSnapshot, query: string, slices: Slice[] = []) => runPlan(searchKey(readSavepoint(snapshot.metadata), sizesOf(snapshot), query), reader(snapshot, slices))

describe('searching a key', () => {
  const snapshot = foreignSnapshot()

  test('finds all state of the key in every operator, and timers', () => {
    const { found } = search(snapshot, 'hello')
    const canonical = found.filter((one) => one.operatorId === operatorIdOfUid('canonical'))
    expect(canonical.map((one) => one.state)).toEqual(['count', 'events', 'totals', 'totals', 'orders', 'window-contents', '_timer_state/event_user-timers'])
    expect(found.filter((one) => one.operatorId === operatorIdOfUid('heap'))).toHaveLength(STATES.length)
    expect(found.filter((one) => one.kind === 'raw timers')).toHaveLength(1)
  })

  test('finds an entry of broadcast state', () => {
    expect(search(snapshot, 'limit').found).toMatchObject([{ state: 'rules', entry: { mapKey: 'limit', value: 10 } }])
  })

  test('reads only the key group that the key belongs to', () => {
    const all: Slice[] = []
    runPlan(openSnapshot(snapshot.metadata, sizesOf(snapshot)), reader(snapshot, all))
    const few: Slice[] = []
    search(snapshot, 'hello', few)
    expect(few.filter((slice) => slice.offset > 0 && slice.name === 'canonical-file')).toHaveLength(1)
    expect(few.length).toBeLessThan(all.length)
  })

  test('a key that is not there is not found, and its place is told all the same', () => {
    const { found, isPartial, places } = search(snapshot, 'nobody')
    expect({ found, isPartial }).toEqual({ found: [], isPartial: false })
    const maxParallelism = readSavepoint(snapshot.metadata).operators.find((operator) => operator.uid === 'canonical')!.maxParallelism
    const group = keyGroup('nobody', bare('String'), maxParallelism)
    expect(places.find((place) => place.operatorId === operatorIdOfUid('canonical'))).toEqual({ operatorId: operatorIdOfUid('canonical'), keyGroup: group, subtask: 0 })
  })
})

describe('comparing two snapshots', () => {
  const before = open(foreignSnapshot())

  test('with itself: nothing differs', () => {
    const same = compareSnapshots(before, before)
    expect(same.operators.every((operator) => operator.change === 'same')).toBe(true)
    expect(same.sharedFiles).toEqual(['hdfs://elsewhere/job/shared/5f1'])
  })

  test('an operator less, one more, another parallelism, an entry changed, one gone, one new', () => {
    const after: SnapshotView = {
      ...before,
      operators: before.operators.slice(1).map((operator) => ({
        ...operator,
        parallelism: operator.uid === 'heap' ? 4 : operator.parallelism,
        states: operator.states.map((state) => (operator.uid === 'compressed' && state.name === 'count' ? { ...state, sample: state.sample.map((entry, i) => (i === 0 ? { ...entry, value: 77 } : i === 1 ? { ...entry, key: 'new' } : entry)) } : state)),
      })),
    }
    const changes = compareSnapshots(before, after).operators
    expect(changes.find((one) => one.uid === 'canonical')!.change).toBe('removed')
    expect(changes.find((one) => one.uid === 'heap')).toMatchObject({ change: 'changed', parallelism: [1, 4] })
    const count = changes.find((one) => one.uid === 'compressed')!.states.find((state) => state.name === 'count')!
    expect(count.entries.map((entry) => entry.change)).toEqual(['changed', 'added', 'removed'])
    expect(count.entries[0]).toMatchObject({ after: '77' })
    expect(compareSnapshots(after, before).operators.find((one) => one.uid === 'canonical')!.change).toBe('added')
  })

  test('another type of a state is told in words', () => {
    const after: SnapshotView = { ...before, operators: before.operators.map((operator) => ({ ...operator, states: operator.states.map((state) => (state.name === 'count' ? { ...state, valueType: 'Int' } : state)) })) }
    const [operator] = compareSnapshots(before, after).operators
    expect(operator!.states[0]).toMatchObject({ change: 'changed', types: 'VALUE String VoidNamespace Long → VALUE String VoidNamespace Int' })
  })
})

test('candidate uids are matched with hashes', () => {
  const ids = ['029bbd41b3a7d8cb191dae486a901e5b', '0da08f51eaa85fc298e176a139b3649a', 'ab'.repeat(16)]
  expect([...matchUids(ids, ['hello', 'nothing', 'counter'])]).toEqual([[ids[0], 'hello'], [ids[1], 'counter']])
})
