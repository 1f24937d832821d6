import { describe, expect, it } from 'vitest'
import type { EntryView, HandleView, OperatorView, SnapshotView, ValueView } from '../../../workers/model/snapshot-view.ts'
import { snapshotsAmong } from '../../../src/storage/dropped-files.ts'
import { nextReading } from '../../../src/storage/reading.ts'
import { entryColumns, keyGroupsOf, kindOf, placeCounts, sampleKeys } from '../../../src/storage/snapshot-facts.ts'
import { hexRows, nestedText, valueText } from '../../../src/storage/value-text.ts'
import { OPERATIONS } from '../../../src/storage/what-may-change.ts'

const handle = (more: Partial<HandleView> = {}): HandleView => ({ role: 'managed keyed', kind: 'key groups in one file', keyGroups: null, place: null, files: [], size: 0, details: [], ...more })

function operator(handles: readonly (readonly HandleView[])[], more: Partial<OperatorView> = {}): OperatorView {
  return {
    operatorId: '00', name: '', uid: 'u', parallelism: handles.length, maxParallelism: 128, isFullyFinished: false, coordinator: null, offsets: [], states: [],
    subtasks: handles.map((list, index) => ({ index, isFinished: false, handles: list, size: 0, reusedFrom: null })),
    inFlight: { inputChannels: 0, outputChannels: 0, buffers: 0, size: 0 }, size: 0, ...more,
  }
}

const view = (operators: readonly OperatorView[], properties: SnapshotView['properties'] = []): SnapshotView => ({
  version: 6, writtenBy: '', checkpointId: 1, metadataSize: 0, properties, masterStates: [], operators, files: [], missing: [], absolutePaths: 0, size: 0, problems: [],
})

const entry = (more: Partial<EntryView>): EntryView => ({ subtask: 0, keyGroup: 3, key: 'a', namespace: null, value: 1, ...more })

describe('what a snapshot is', () => {
  it('is told by its properties where it has them', () => {
    expect(kindOf(view([], [['type', 'Savepoint'], ['format', 'NATIVE']]))).toBe('native savepoint')
    expect(kindOf(view([], [['type', 'Savepoint'], ['format', 'CANONICAL']]))).toBe('canonical savepoint')
    expect(kindOf(view([operator([[handle()]])], [['type', 'CHECKPOINT']]))).toBe('checkpoint')
  })

  it('is an unaligned checkpoint once there is data in flight', () => {
    expect(kindOf(view([operator([[handle({ role: 'input channels' })]])], [['type', 'CHECKPOINT']]))).toBe('unaligned checkpoint')
  })

  it('of older files by how the state is written', () => {
    expect(kindOf(view([operator([[handle({ kind: 'canonical savepoint' })]])]))).toBe('canonical savepoint')
    expect(kindOf(view([operator([[handle()]])]))).toBe('unknown')
  })

  it('counts handles by where their bytes are, files within a handle included', () => {
    const place = (where: 'inline' | 'relative' | 'absolute' | 'segment') => ({ where, path: 'x', size: 1, file: null })
    const rocks = handle({ place: place('inline'), files: [{ name: 'a.sst', isShared: true, place: place('absolute') }, { name: 'MANIFEST', isShared: false, place: place('relative') }] })
    expect(placeCounts(view([operator([[rocks], [handle({ place: place('segment') })]])]))).toEqual({ inline: 1, relative: 1, absolute: 2 })
  })
})

describe('key groups and keys', () => {
  it('are the whole range of a subtask, over all its handles', () => {
    const two = operator([[handle({ keyGroups: { start: 0, end: 31 } }), handle({ keyGroups: { start: 32, end: 63 } })], [handle({ keyGroups: { start: 64, end: 127 } })], []])
    expect(keyGroupsOf(two)).toEqual([{ subtask: 0, start: 0, end: 63 }, { subtask: 1, start: 64, end: 127 }])
  })

  it('a key stands once, whatever the number of its states', () => {
    const state = { name: 's', kind: 'keyed', type: 'VALUE', keyType: '', namespaceType: '', valueType: '', entries: 2, opaque: 0, isComplete: true } as const
    const one = operator([[]], { states: [{ ...state, sample: [entry({}), entry({ key: 'b', keyGroup: 7 })] }, { ...state, name: 't', sample: [entry({})] }] })
    expect(sampleKeys(one, 10)).toEqual([{ key: 'a', group: 3 }, { key: 'b', group: 7 }])
  })

  it('a table has only the columns that its entries have', () => {
    expect(entryColumns([entry({ keyGroup: null, key: null })])).toEqual(['subtask', 'value'])
    expect(entryColumns([entry({}), entry({ namespace: 'w', mapKey: 'm' })])).toEqual(['subtask', 'group', 'key', 'namespace', 'map key', 'value'])
  })
})

describe('values in words', () => {
  const record = (names: readonly string[], ...values: readonly ValueView[]): ValueView => ({ kind: 'record', type: 'T', fields: names.map((name, i) => ({ name, value: values[i] as ValueView })) })

  it('a string is bare at the top and quoted inside, so that 1 and "1" are told apart', () => {
    expect(valueText('1')).toBe('1')
    expect(nestedText({ kind: 'list', items: ['1', 1] })).toBe('["1", 1]')
  })

  it('a Long beyond 2^53 keeps every digit', () => {
    expect(valueText(9_223_372_036_854_775_807n)).toBe('9223372036854775807')
    expect(valueText(-5n)).toBe('−5')
  })

  it('a tuple is its values, a record its names too, a map its entries', () => {
    expect(valueText(record(['f0', 'f1'], 1, 'a'))).toBe('(1, "a")')
    expect(valueText(record(['count', 'sum'], 1, 2))).toBe('{count: 1, sum: 2}')
    expect(valueText({ kind: 'map', entries: [['k', null]] })).toBe('{"k" → null}')
  })

  it('what is not decoded says its class and size', () => {
    expect(valueText({ kind: 'opaque', type: 'com.example.Thing', size: 9, hex: 'cafe' })).toBe('com.example.Thing, 9 bytes')
    expect(valueText({ kind: 'bytes', size: 4, hex: 'cafe' })).toBe('cafe …')
  })

  it('bytes stand sixteen to a row with their characters', () => {
    expect(hexRows(`${'00'.repeat(16)}4142`)).toEqual([
      { offset: '0000', bytes: '0000 0000 0000 0000 0000 0000 0000 0000', text: '················' },
      { offset: '0010', bytes: '4142', text: 'AB' },
    ])
  })
})

describe('the reading of a snapshot', () => {
  it('what was read stays read when a word of progress comes late', () => {
    const read = { is: 'read', view: view([]) } as const
    expect(nextReading(nextReading({ is: 'reading', share: 0.5 }, read), { is: 'reading', share: 1 })).toBe(read)
  })

  it('what was cancelled stays so, though it is read to its end', () => {
    expect(nextReading({ is: 'cancelled' }, { is: 'read', view: view([]) })).toEqual({ is: 'cancelled' })
  })
})

describe('what was dropped', () => {
  const file = (path: string) => ({ path, file: new Blob([path]) })
  const paths = (source: { readonly files: readonly { readonly path: string }[] } | undefined) => source?.files.map((one) => one.path)

  it('a directory becomes one snapshot with paths relative to its _metadata', () => {
    const [source, ...more] = snapshotsAmong([file('sp/_metadata'), file('sp/abc')])
    expect(more).toEqual([])
    expect(source?.name).toBe('sp')
    expect(paths(source)).toEqual(['_metadata', 'abc'])
  })

  it('each checkpoint of a job is a snapshot of its own, with the shared files and without those of the others', () => {
    const found = snapshotsAmong([file('job/chk-1/_metadata'), file('job/chk-1/a'), file('job/chk-2/_metadata'), file('job/chk-2/b'), file('job/shared/s')])
    expect(found.map((one) => one.name)).toEqual(['chk-1', 'chk-2'])
    expect(paths(found[0])).toEqual(['_metadata', 'a', 'job/shared/s'])
    expect(paths(found[1])).toEqual(['_metadata', 'b', 'job/shared/s'])
  })

  it('a single file goes to the desk under its own name; files without a _metadata are none', () => {
    expect(snapshotsAmong([file('old.zip')])).toMatchObject([{ name: 'old.zip' }])
    expect(snapshotsAmong([file('a'), file('b')])).toEqual([])
  })
})

describe('what each kind of snapshot allows', () => {
  const allowed = (operation: string) => OPERATIONS.find((one) => one.operation === operation)?.allowed

  it('only a canonical savepoint changes the state backend (behaviour 12.4)', () => {
    expect(allowed('Change the state backend')).toEqual({ 'canonical savepoint': 'yes', 'native savepoint': 'no', checkpoint: 'no', 'unaligned checkpoint': 'no' })
  })

  it('an unaligned checkpoint takes no arbitrary upgrade and no minor version, and rescales like all', () => {
    expect(allowed('Arbitrary job upgrade')?.['unaligned checkpoint']).toBe('no')
    expect(allowed('Flink minor version upgrade')?.['unaligned checkpoint']).toBe('no')
    expect(Object.values(allowed('Rescaling') ?? {})).toEqual(['yes', 'yes', 'yes', 'yes'])
  })
})
