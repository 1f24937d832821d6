import { describe, expect, test } from 'vitest'
import type { SnapshotSource } from '../../../workers/hosts/browser/snapshot-desk.ts'
import { drivePlan } from '../../../workers/hosts/browser/desk/drive-plan.ts'
import { pack } from '../../../workers/hosts/browser/desk/pack.ts'
import { operatorIdOfUid } from '../../../workers/model/operator-id-of-uid.ts'
import type { Plan } from '../../../workers/savepoint/read-plan.ts'
import { keyGroup, subtaskOf } from '../../../workers/state/key-groups.ts'
import { bare } from '../../../workers/model/schema.ts'
import { foreignSnapshot } from '../savepoint/foreign-snapshot.ts'
import { writeDirectory } from '../savepoint/snapshot-directory.ts'
import { putCheckpoint, putForeign, stored } from './stored-files.ts'

const blob = (bytes: Uint8Array): Blob => new Blob([bytes as Uint8Array<ArrayBuffer>])

function dropped(folder = ''): Extract<SnapshotSource, { readonly kind: 'dropped' }> {
  const { metadata, files } = foreignSnapshot()
  const all = [['_metadata', metadata] as const, ...files]
  return { kind: 'dropped', name: 'from-elsewhere', files: all.map(([path, bytes]) => ({ path: folder + path, file: blob(bytes) })) }
}

describe('opening a snapshot', () => {
  test('in storage: by its directory, by its metadata, by a URI', async () => {
    const files = stored()
    putCheckpoint(files, '/s3/bucket/chk-7')
    const views = await Promise.all(['/s3/bucket/chk-7', '/s3/bucket/chk-7/_metadata', 's3://bucket/chk-7/'].map((path) => files.desk.open({ kind: 'stored', path })))
    expect(views[0]!.checkpointId).toBe(7)
    expect(views[0]!.operators.map(({ uid, states }) => [uid, states.map((state) => [state.name, state.entries])])).toEqual([['source', [['SourceReaderState', 2]]], ['counter', [['delays', 6]]]])
    expect(views[1]).toEqual(views[0])
    expect(views[2]).toEqual(views[0])
  })

  test('what is not there is refused in Flink words', async () => {
    const files = stored()
    files.put('/savepoints/a/file', new Uint8Array(1))
    await expect(files.desk.open({ kind: 'stored', path: '/nowhere' })).rejects.toThrow("Cannot find checkpoint or savepoint file/directory '/nowhere'")
    await expect(files.desk.open({ kind: 'stored', path: '/savepoints/a' })).rejects.toThrow("Cannot find meta data file '_metadata' in directory '/savepoints/a'")
  })

  test('dropped files give what the same files in storage give, read by slices, with progress to the end', async () => {
    const files = stored()
    putForeign(files, '/x')
    const shares: number[] = []
    const view = await files.desk.open(dropped(), (share) => void shares.push(share))
    expect(view).toEqual(await files.desk.open({ kind: 'stored', path: '/x' }))
    expect(view.operators.find(({ uid }) => uid === 'canonical')!.states.find(({ name }) => name === 'count')!.entries).toBe(5)
    expect(shares.at(-1)).toBe(1)
    expect(shares.every((share, i) => share >= (shares[i - 1] ?? 0) && share <= 1)).toBe(true)
    expect(shares.length).toBeGreaterThan(2)
  })

  test('a dropped folder in a folder, and a zip of it, are the same snapshot', async () => {
    const { desk } = stored()
    const plain = await desk.open(dropped())
    const inFolder = dropped('a/b/')
    expect(await desk.open(inFolder)).toEqual(plain)
    const zip = await pack(inFolder.files.map(({ path, file }) => ({ name: path, size: file.size, read: async (offset, length) => new Uint8Array(await file.slice(offset, offset + length).arrayBuffer()) })))
    expect(await desk.open({ kind: 'dropped', name: 'x.zip', files: [{ path: 'x.zip', file: zip }] })).toEqual(plain)
  })

  test('a file is read in large pieces, however many key groups it has', async () => {
    const files = stored()
    putCheckpoint(files, '/x')
    files.reads.length = 0
    await files.desk.open({ kind: 'stored', path: '/x' })
    expect(files.reads.toSorted()).toEqual(['/x/_metadata', '/x/keyed-0', '/x/keyed-1'])
  })

  test('metadata alone, under whatever name, shows all but the values in files', async () => {
    const { desk } = stored()
    const view = await desk.open({ kind: 'dropped', name: 'x', files: [{ path: '_metadata (1)', file: blob(foreignSnapshot().metadata) }] })
    expect(view.operators).toHaveLength(7)
    expect(view.missing).toContain('canonical-file')
    expect(view.problems.map(({ message }) => message)).toContain('the file canonical-file is missing')
  })

  test('several snapshots at once, none, and nothing are refused with what to do', async () => {
    const { desk } = stored()
    const metadata = blob(writeDirectory().metadata)
    const drop = (...paths: string[]) => desk.open({ kind: 'dropped', name: 'pile', files: paths.map((path) => ({ path, file: metadata })) })
    await expect(drop('chk-1/_metadata', 'chk-2/_metadata')).rejects.toThrow('"pile" holds 2 snapshots: chk-1/_metadata, chk-2/_metadata. Drop one of these directories')
    await expect(drop('a', 'b')).rejects.toThrow('holds no file named _metadata')
    await expect(drop()).rejects.toThrow('nothing was dropped')
  })

  test('a truncated file gives what could be read and the reason', async () => {
    const files = stored()
    putCheckpoint(files, '/x')
    files.put('/x/keyed-1', files.bytes('/x/keyed-1')!.subarray(0, 120))
    const view = await files.desk.open({ kind: 'stored', path: '/x' })
    const state = view.operators.find(({ uid }) => uid === 'counter')!.states[0]!
    expect(state.entries).toBeGreaterThan(0)
    expect(state.isComplete).toBe(false)
    expect(view.problems.every(({ subtask }) => subtask === 1)).toBe(true)
    expect(view.problems.length).toBeGreaterThan(0)
  })

  test('truncated metadata is shown as far as it goes, with the place where it ends; it is not exported', async () => {
    const { desk } = stored()
    const { metadata } = foreignSnapshot()
    const cut = (length: number): Parameters<typeof desk.open>[0] => ({ kind: 'dropped', name: 'x', files: [{ path: '_metadata', file: blob(metadata.subarray(0, length)) }] })
    for (let length = 0; length < 16; length++) await expect(desk.open(cut(length))).rejects.toThrow(/offset|end|magic/i)
    let operators = 0
    for (let length = 16; length < metadata.length; length += 13) {
      const view = await desk.open(cut(length))
      expect(view.problems[0]?.message).toMatch(/damaged or cut short.*(offset|end)/i)
      expect(view.operators.length).toBeGreaterThanOrEqual(operators)
      operators = view.operators.length
    }
    expect(operators).toBeGreaterThan(0)
    await expect(desk.exportFor(cut(metadata.length - 1), '2.0')).rejects.toThrow('damaged or cut short')
  })
})

describe('a plan is driven', () => {
  function* endless(): Plan<void> {
    for (;;) yield { name: 'x', offset: 0, length: 1 }
  }

  test('and given up after a time, whatever the file says', async () => {
    let now = 0
    const driven = drivePlan(endless(), { read: async () => Uint8Array.of(1) }, () => (now += 1000))
    await expect(driven).rejects.toThrow(/given up after 120 s, when \d+ bytes had been read/)
  })

  test('with turns for others in between', async () => {
    let now = 0
    let others = 0
    let rounds = 0
    const count = setInterval(() => others++)
    await drivePlan(endless(), {
      read: async () => {
        if (others >= 3 || ++rounds > 100_000) throw new Error('enough')
        return Uint8Array.of(1)
      },
    }, () => (now += 40 / 1000 + (now > 100_000 ? 1e9 : 0))).catch(() => undefined)
    clearInterval(count)
    expect(others).toBeGreaterThanOrEqual(3)
  })
})

describe('questions on a snapshot', () => {
  test('a uid is tried against an operator id', async () => {
    const { desk } = stored()
    expect(await desk.uidOf(operatorIdOfUid('counter'), ['a', 'counter', 'b'])).toBe('counter')
    expect(await desk.uidOf(operatorIdOfUid('counter'), ['a', 'b'])).toBeNull()
  })

  test('a key is found in every operator, and where it would lie is told too', async () => {
    const files = stored()
    putCheckpoint(files, '/x')
    const { found, places } = await files.desk.search({ kind: 'stored', path: '/x' }, 'JFK')
    expect(found).toMatchObject([{ uid: 'counter', state: 'delays', entry: { key: 'JFK' } }])
    const group = keyGroup('JFK', bare('String'), 8)
    expect(places).toEqual([{ operatorId: '0da08f51eaa85fc298e176a139b3649a', keyGroup: group, subtask: subtaskOf(group, 2, 8) }])
    expect(found[0]!.entry).toMatchObject({ keyGroup: group, subtask: subtaskOf(group, 2, 8) })
    const nobody = await files.desk.search({ kind: 'stored', path: '/x' }, 'NRT')
    expect(nobody.found).toEqual([])
    expect(nobody.places[0]!.keyGroup).toBe(keyGroup('NRT', bare('String'), 8))
  })

  test('a snapshot compared with itself has no difference; with another, rows that say what', async () => {
    const files = stored()
    putForeign(files, '/a')
    putCheckpoint(files, '/b')
    const [a, b] = ['/a', '/b'].map((path): SnapshotSource => ({ kind: 'stored', path })) as [SnapshotSource, SnapshotSource]
    expect((await files.desk.compare(b, b))).toEqual({ rows: [], isComplete: true })
    const { rows } = await files.desk.compare(a, b)
    const counter = rows.filter(({ uid }) => uid === 'counter')
    expect(counter.map(({ what, a: one }) => [what, one])).toEqual([['operator', null], ['state "delays"', null]])
    expect(counter[1]!.b).toBe('6 entries')
    expect(rows.filter(({ uid }) => uid === 'canonical').every(({ b: other }) => other === null)).toBe(true)
  })
})
