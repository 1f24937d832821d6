import { describe, expect, test } from 'vitest'
import type { OperatorView, SnapshotView, StateView, ValueView } from '../../../workers/model/snapshot-view.ts'
import { writeStatesKeyedHeader } from '../../../workers/savepoint/files/state-header-writer.ts'
import { openSnapshot } from '../../../workers/savepoint/open-snapshot.ts'
import type { OpenLimits } from '../../../workers/savepoint/open-snapshot.ts'
import { runPlan } from '../../../workers/savepoint/read-plan.ts'
import type { Slice } from '../../../workers/savepoint/read-plan.ts'
import { readSavepoint } from '../../../workers/savepoint/savepoint-reader.ts'
import { writeSavepoint } from '../../../workers/savepoint/savepoint-writer.ts'
import type { OperatorRecord } from '../../../workers/savepoint/model.ts'
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'
import { STRING } from './value-types.ts'
import { contentsOf, ELEMENTS, foreignSnapshot, groupOf, KEYS, MAX_PARALLELISM, operatorFile, RULES, sizesOf, STATES } from './foreign-snapshot.ts'
import type { ForeignSnapshot } from './foreign-snapshot.ts'

function open(snapshot: ForeignSnapshot, limits?: OpenLimits, slices: Slice[] = []): SnapshotView {
  return runPlan(openSnapshot(snapshot.metadata, sizesOf(snapshot), limits), (slice) => {
    slices.push(slice)
    return snapshot.files.get(slice.name)?.subarray(slice.offset, slice.offset + slice.length) ?? null
  }).view
}

const operatorOf = (view: SnapshotView, uid: string): OperatorView => view.operators.find((operator) => operator.uid === uid)!
const stateOf = (operator: OperatorView, name: string): StateView => operator.states.find((state) => state.name === name)!
const edit = (snapshot: ForeignSnapshot, uid: string, change: (operator: OperatorRecord) => OperatorRecord): ForeignSnapshot => {
  const savepoint = readSavepoint(snapshot.metadata)
  return { ...snapshot, metadata: writeSavepoint({ ...savepoint, operators: savepoint.operators.map((operator) => (operator.uid === uid ? change(operator) : operator)) }) }
}

/** What is expected of a state, in the order of key groups. A map state of a canonical file has an entry for every map entry. */
function expected(name: string, isCanonical: boolean): unknown[] {
  const id = STATES.findIndex((state) => state.name === name)
  const sorted = KEYS.toSorted((a, b) => groupOf(a) - groupOf(b))
  return sorted.flatMap((key) => {
    const [namespace, value] = contentsOf(key)[id]!
    const common = { subtask: 0, keyGroup: groupOf(key), key, namespace }
    if (STATES[id]!.kind === 'timers') return [{ ...common, value: 1000 + key.length }]
    if (isCanonical && STATES[id]!.type === 'MAP') return (value as Extract<ValueView, { kind: 'map' }>).entries.map(([mapKey, one]) => ({ ...common, mapKey, value: one }))
    return [{ ...common, value }]
  })
}

describe('a snapshot of another Flink', () => {
  const snapshot = foreignSnapshot()
  const view = open(snapshot)

  test('opens whole: what it names is there but RocksDB\'s own files', () => {
    expect(view.problems).toEqual([])
    expect(view.missing).toEqual(['hdfs://elsewhere/job/shared/5f1'])
    expect(view).toMatchObject({ version: 6, writtenBy: 'Flink 2.1 to 2.3', checkpointId: 12, absolutePaths: 3 })
    expect(view.masterStates).toEqual([{ name: 'hook', version: 1, size: 2, hex: '0102' }])
    expect(view.properties).toContainEqual(['type', 'Checkpoint'])
    expect(operatorOf(view, 'finished').isFullyFinished).toBe(true)
  })

  describe.each([['canonical', true], ['heap', false], ['compressed', false]] as const)('keyed state, %s', (uid, isCanonical) => {
    test.each(STATES.map((state) => state.name))('%s', (name) => {
      const state = stateOf(operatorOf(view, uid), name)
      expect(state.sample).toEqual(expected(name, isCanonical))
      expect(state).toMatchObject({ entries: state.sample.length, opaque: 0, isComplete: true, keyType: 'String' })
    })
  })

  test('types are told in words', () => {
    const words = operatorOf(view, 'canonical').states.map((state) => [state.name, state.type, state.namespaceType, state.valueType])
    expect(words).toEqual([
      ['count', 'VALUE', 'VoidNamespace', 'Long'],
      ['events', 'LIST', 'VoidNamespace', 'List<String>'],
      ['totals', 'MAP', 'VoidNamespace', 'Map<String, Long>'],
      ['orders', 'VALUE', 'VoidNamespace', 'Order'],
      ['window-contents', 'REDUCING', 'TimeWindow', 'Row<String, Long>'],
      ['_timer_state/event_user-timers', '', '', 'Timer<String, VoidNamespace>'],
    ])
  })

  test('of an incremental RocksDB checkpoint names, types and files are known, values are not', () => {
    const rocks = operatorOf(view, 'rocksdb')
    expect(rocks.states).toHaveLength(STATES.length)
    expect(stateOf(rocks, 'count')).toMatchObject({ valueType: 'Long', entries: 0, isComplete: false })
    const [handle] = rocks.subtasks[0]!.handles
    expect(handle).toMatchObject({ kind: 'RocksDB or ForSt, incremental', keyGroups: { start: 0, end: MAX_PARALLELISM - 1 }, place: { where: 'inline' } })
    expect(handle!.files).toEqual([{ name: '000012.sst', isShared: true, place: { where: 'absolute', path: 'hdfs://elsewhere/job/shared/5f1', size: 1_000_000, file: null } }])
  })

  test('raw timers of old versions', () => {
    const timers = stateOf(operatorOf(view, 'raw-timers'), 'user-timers/event')
    expect(timers).toMatchObject({ kind: 'raw timers', entries: KEYS.length, keyType: 'String' })
    expect(timers.sample.map((entry) => entry.value)).toEqual(KEYS.map(() => 5))
  })

  test('operator state: split, union, broadcast', () => {
    const source = operatorOf(view, 'source')
    expect(stateOf(source, 'buffer')).toMatchObject({ kind: 'list', valueType: 'Tuple2<String, Long>' })
    expect(stateOf(source, 'buffer').sample.map((entry) => entry.value)).toEqual(ELEMENTS)
    expect(stateOf(source, 'names')).toMatchObject({ kind: 'union', entries: 1 })
    const rules = stateOf(source, 'rules')
    expect(rules.sample.map((entry) => [entry.mapKey, entry.value])).toEqual((RULES as Extract<ValueView, { kind: 'map' }>).entries)
    expect(rules).toMatchObject({ kind: 'broadcast', keyType: 'String', valueType: 'Long' })
  })

  test('offsets of sources: the reader\'s splits, the coordinator\'s', () => {
    const source = operatorOf(view, 'source')
    expect(source.offsets).toEqual([{ split: 'flights-3', position: 42, end: null }])
    expect(source.coordinator).toMatchObject({ kind: 'number sequence enumerator', offsets: [{ split: 'seq-0', position: 7, end: 99 }] })
  })

  test('in-flight data is counted', () => {
    expect(operatorOf(view, 'source').inFlight).toEqual({ inputChannels: 1, outputChannels: 0, buffers: 2, size: 12 })
  })

  test('files of the directory: who refers to them', () => {
    const more = { ...snapshot, files: new Map([...snapshot.files, ['nobody', new Uint8Array(3)]]) }
    expect(open(more).files.map(({ name, references }) => [name, references])).toEqual([['canonical-file', 1], ['shared/heap-file', 1], ['shared/compressed-file', 1], ['nobody', 0]])
  })
})

describe('operator state in both versions, compressed or not', () => {
  test.each([[5, false], [6, false], [6, true]] as const)('version %d, compressed %s', (version, isCompressed) => {
    const snapshot = edit(foreignSnapshot(), 'source', (operator) => ({ ...operator, subtasks: [{ ...operator.subtasks[0]!, managedOperator: operatorFile(version, isCompressed) }] }))
    const view = open(snapshot)
    expect(view.problems).toEqual([])
    expect(operatorOf(view, 'source').states.map((state) => [state.name, state.entries, state.opaque])).toEqual([['buffer', 2, 0], ['SourceReaderState', 1, 0], ['names', 1, 0], ['rules', 2, 0]])
    expect(operatorOf(view, 'source').offsets).toHaveLength(1)
  })
})

describe('what cannot be read', () => {
  test('a missing file is named; all else is read', () => {
    const snapshot = foreignSnapshot()
    snapshot.files.delete('canonical-file')
    const view = open(snapshot)
    expect(view.missing).toContain('canonical-file')
    expect(view.problems.map((problem) => problem.message)).toEqual(['the file canonical-file is missing'])
    expect(stateOf(operatorOf(view, 'heap'), 'count').entries).toBe(KEYS.length)
  })

  test('a damaged key group hides itself, not the others', () => {
    const snapshot = foreignSnapshot()
    const handle = readSavepoint(snapshot.metadata).operators[0]!.subtasks[0]!.managedKeyed
    const offset = (handle as Extract<typeof handle, { kind: 'key-groups' }>).offsets[groupOf('hello')]!
    snapshot.files.get('canonical-file')!.fill(0x7f, offset + 2, offset + 6)
    const view = open(snapshot)
    expect(view.problems[0]!.message).toMatch(new RegExp(`key group ${groupOf('hello')}: .* a key`))
    const count = stateOf(operatorOf(view, 'canonical'), 'count')
    expect(count.isComplete).toBe(false)
    expect(count.sample.map((entry) => entry.keyGroup)).not.toContain(groupOf('hello'))
    expect(count.entries).toBe(KEYS.filter((key) => groupOf(key) !== groupOf('hello')).length)
  })

  test('a file that is cut gives what is before the cut, and a reason', () => {
    const snapshot = foreignSnapshot()
    const file = snapshot.files.get('shared/heap-file')!
    snapshot.files.set('shared/heap-file', file.subarray(0, file.length - 10))
    const view = open(snapshot)
    expect(view.problems).toHaveLength(1)
    expect(stateOf(operatorOf(view, 'heap'), 'count').entries).toBe(KEYS.length)
  })

  test('a budget of values ends the reading with a reason', () => {
    const view = open(foreignSnapshot(), { sample: 100, bytes: 1 << 20, values: 40 })
    expect(view.problems.some((problem) => problem.message.includes('more values than are decoded at once'))).toBe(true)
    expect(view.operators).toHaveLength(7)
  })

  test('a budget of bytes too', () => {
    const view = open(foreignSnapshot(), { sample: 100, bytes: 2000, values: 1_000_000 })
    expect(view.problems.some((problem) => problem.message.includes('more bytes than are read at once'))).toBe(true)
  })

  test('a sample ends, counting goes on', () => {
    const count = stateOf(operatorOf(open(foreignSnapshot(), { sample: 2, bytes: 1 << 20, values: 1_000_000 }), 'heap'), 'count')
    expect(count.sample).toHaveLength(2)
    expect(count.entries).toBe(KEYS.length)
  })
})

test('files are read by slices: no slice is longer than a header or a key group', () => {
  const slices: Slice[] = []
  const snapshot = foreignSnapshot()
  open(snapshot, undefined, slices)
  const longest = Math.max(...[...snapshot.files.values()].map((file) => file.length))
  expect(slices.length).toBeGreaterThan(10)
  for (const slice of slices.filter((one) => one.offset > 0)) expect(slice.length).toBeLessThan(longest / 2)
})

test('a header that is longer than the first slice is read with more slices', () => {
  const snapshot = foreignSnapshot()
  const out = new DataOutput()
  const states = Array.from({ length: 600 }, (_, i) => ({ ...STATES[0]!, name: `count-${i}` }))
  writeStatesKeyedHeader(out, STRING, states)
  const headerLength = out.position
  out.writeInt(0)
  for (let id = 0; id < states.length; id++) {
    out.writeShort(id)
    out.writeInt(0)
  }
  snapshot.files.set('large', out.toBytes())
  const large = edit(snapshot, 'heap', (operator) => ({
    ...operator,
    subtasks: [{ ...operator.subtasks[0]!, managedKeyed: { kind: 'key-groups', type: 12, range: { start: 0, end: 0 }, offsets: [headerLength], stream: { kind: 'relative', name: 'large', size: out.position }, id: 'id' } }],
  }))
  expect(headerLength).toBeGreaterThan(64 * 1024)
  const view = open(large)
  expect(view.problems).toEqual([])
  expect(operatorOf(view, 'heap').states).toHaveLength(600)
})

describe('a file with key group 0 alone, which both layouts may begin alike', () => {
  const group = { start: 0, end: 0 }
  const header = new DataOutput()
  writeStatesKeyedHeader(header, STRING, STATES.slice(0, 1))

  test.each([['heap', [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 97, 0, 0, 0, 0, 0, 0, 0, 5]], ['canonical', [0, 0, 0, 0, 0, 4, 0x80, 2, 97, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 5, 0xff, 0xff]]] as const)('%s', (_, block) => {
    const bytes = Uint8Array.of(...header.toBytes(), ...block)
    const snapshot = edit(foreignSnapshot(), 'heap', (operator) => ({
      ...operator,
      subtasks: [{ ...operator.subtasks[0]!, managedKeyed: { kind: 'key-groups', type: 12, range: group, offsets: [header.position], stream: { kind: 'bytes', name: 'x', bytes }, id: 'id' } }],
    }))
    const view = open(snapshot)
    expect(view.problems).toEqual([])
    expect(stateOf(operatorOf(view, 'heap'), 'count').sample).toEqual([{ subtask: 0, keyGroup: 0, key: 'a', namespace: null, value: 5 }])
  })
})

test('an offset that is named without end ends at the budget', () => {
  const snapshot = edit(foreignSnapshot(), 'source', (operator) => {
    const handle = operator.subtasks[0]!.managedOperator!
    const states = handle.states.map((state) => ({ ...state, offsets: new Array<number>(50_000).fill(state.offsets[0]!) }))
    return { ...operator, subtasks: [{ ...operator.subtasks[0]!, managedOperator: { ...handle, states } }] }
  })
  const view = open(snapshot, { sample: 10, bytes: 1 << 20, values: 20_000 })
  expect(view.problems.map((problem) => problem.message)).toContain('more values than are decoded at once')
  expect(operatorOf(view, 'source').states.reduce((sum, state) => sum + state.entries, 0)).toBeLessThan(20_000)
})
