import { describe, expect, test } from 'vitest'
import { EXPORT_TARGETS } from './export-targets.ts'
import type { SnapshotSource } from '../../../workers/hosts/browser/snapshot-desk.ts'
import { unpack } from '../../../workers/hosts/browser/desk/unzip.ts'
import type { ExportTarget } from '../../../workers/model/snapshot-desk.ts'
import type { SnapshotView } from '../../../workers/model/snapshot-view.ts'
import { exportSavepoint } from '../../../workers/savepoint/export-savepoint.ts'
import type { ChannelRef, KeyedRef, Savepoint } from '../../../workers/savepoint/model.ts'
import { mapOperatorState, namedStreams } from '../../../workers/savepoint/named-streams.ts'
import { runPlan } from '../../../workers/savepoint/read-plan.ts'
import { readSavepoint } from '../../../workers/savepoint/savepoint-reader.ts'
import { writeSavepoint } from '../../../workers/savepoint/savepoint-writer.ts'
import { everyHandle } from '../savepoint/every-handle.ts'
import { foreignSnapshot } from '../savepoint/foreign-snapshot.ts'
import { putCheckpoint, stored } from './stored-files.ts'

/** The foreign snapshot without what is not there: RocksDB's own files. */
function wholeSnapshot(): { readonly savepoint: Savepoint; readonly files: ReadonlyMap<string, Uint8Array> } {
  const { metadata, files } = foreignSnapshot()
  const savepoint = readSavepoint(metadata)
  return { savepoint: { ...savepoint, operators: savepoint.operators.filter(({ uid }) => uid !== 'rocksdb') }, files }
}

function drop(savepoint: Savepoint, files: ReadonlyMap<string, Uint8Array>): SnapshotSource {
  const all = [['_metadata', writeSavepoint(savepoint)] as const, ...files]
  return { kind: 'dropped', name: 'snapshot', files: all.map(([path, bytes]) => ({ path, file: new Blob([bytes as Uint8Array<ArrayBuffer>]) })) }
}

/** What state there is, without where it is. */
const contents = (view: SnapshotView) =>
  view.operators.map(({ operatorId, parallelism, maxParallelism, isFullyFinished, states, offsets, coordinator, inFlight }) => ({ operatorId, parallelism, maxParallelism, isFullyFinished, states, offsets, coordinator, buffers: inFlight.buffers }))

describe.each(EXPORT_TARGETS)('exported for Flink %s', (target, version) => {
  const { desk } = stored()

  test('the same states are in it, all files beside it under relative names', async () => {
    const { savepoint, files } = wholeSnapshot()
    const source = drop(savepoint, files)
    const { zip, fileName } = await desk.exportFor(source, target)
    expect(fileName).toBe(`snapshot-flink-${target.replaceAll(' ', '-')}.zip`)
    const exported: SnapshotSource = { kind: 'dropped', name: fileName, files: await unpack(zip) }
    const view = await desk.open(exported)
    expect(view.version).toBe(version)
    expect(contents(view)).toEqual(contents(await desk.open(source)))
    expect(view.problems).toEqual([])
    expect({ missing: view.missing, absolute: view.absolutePaths }).toEqual({ missing: [], absolute: 0 })
  })

  test('what goes in comes out again when it is exported once more', async () => {
    const files = stored()
    putCheckpoint(files, '/x')
    const first = await files.desk.exportFor({ kind: 'stored', path: '/x' }, target)
    const again = await files.desk.exportFor({ kind: 'dropped', name: first.fileName, files: await unpack(first.zip) }, target)
    const bytes = async (zip: Blob) => new Map(await Promise.all((await unpack(zip)).map(async ({ path, file }) => [path, [...new Uint8Array(await file.arrayBuffer())]] as const)))
    expect(await bytes(again.zip)).toEqual(await bytes(first.zip))
    expect(again.losses.filter((loss) => !loss.startsWith('nothing is converted'))).toEqual([])
  })
})

describe('what a target cannot hold is listed', () => {
  const losses = (savepoint: Savepoint, target: ExportTarget) => runPlan(exportSavepoint(savepoint, sizesOf(savepoint), target), ({ length }) => new Uint8Array(length)).losses
  /** Every file that is named, as long as it is said to be. */
  const sizesOf = (savepoint: Savepoint): Map<string, number> =>
    new Map(namedStreams(savepoint).flatMap((stream) => (stream.kind === 'relative' ? [[stream.name, stream.size] as const] : stream.kind === 'file' ? [[stream.path, stream.size] as const] : stream.kind === 'segment' ? [[stream.path, 100] as const] : [])))
  const savepointOf = (formatType: string): Savepoint => {
    const { savepoint } = wholeSnapshot()
    return { ...savepoint, properties: { ...savepoint.properties!, type: { kind: 'savepoint', name: 'Savepoint', formatType, postCheckpointAction: 'NONE' } } }
  }
  const canonical = savepointOf('CANONICAL')
  const canonicalOnly: Savepoint = { ...canonical, operators: canonical.operators.filter(({ uid }) => uid === 'canonical') }

  test('a canonical savepoint loses nothing for a new Flink, names before 2.0, properties before 1.16', () => {
    expect(losses(canonicalOnly, '2.1 and later')).toEqual([])
    expect(losses(canonicalOnly, '2.0')).toEqual([])
    expect(losses(canonicalOnly, '1.16 to 1.20')).toEqual(['names and uids of 1 operators (from Flink 2.0 on): their ids, by which state is found, stay'])
    const oldest = losses(canonicalOnly, '1.11 to 1.15')
    expect(oldest[0]).toMatch(/^what kind of snapshot it is/)
    expect(oldest).toContain('Flink 1.11 and 1.12 do not read it: the canonical format came with 1.13')
  })

  test('finished operators have no mark before 1.14', () => {
    const finished = { ...canonicalOnly, operators: canonical.operators.filter(({ fullyFinished }) => fullyFinished) }
    expect(losses(finished, '1.11 to 1.15').join()).toContain('before 1.14 does not read it')
    expect(losses(finished, '1.16 to 1.20').join()).not.toContain('1.14')
  })

  test('native savepoints and checkpoints go as they are, and it is said what that means', () => {
    expect(losses(savepointOf('NATIVE'), '2.0')[0]).toMatch(/a native savepoint is restored by the state backend that wrote it alone; a canonical one by every backend/)
    expect(losses(wholeSnapshot().savepoint, '2.0')[0]).toMatch(/an unaligned checkpoint is restored by .* the same minor version/)
  })

  test('every kind of handle becomes one that the target reads', () => {
    const all = everyHandle(7)
    for (const [target, version] of EXPORT_TARGETS) {
      const { metadata } = runPlan(exportSavepoint(all, sizesOf(all), target), ({ length }) => new Uint8Array(length))
      const result = readSavepoint(metadata)
      expect(result.version).toBe(version)
      expect(namedStreams(result).every(({ kind }) => kind === 'bytes' || kind === 'relative')).toBe(true)
      const types = new Set(result.operators.flatMap((operator) => operator.subtasks.flatMap(({ managedKeyed }) => typesOf(managedKeyed))))
      if (version === 3) expect([...types].filter((type) => type > 10)).toEqual([])
      else expect([...types]).toContain(12)
      const channels = result.operators.flatMap((operator) => operator.subtasks.flatMap((subtask): readonly ChannelRef[] => [...subtask.input, ...subtask.output]))
      expect(channels.some(({ merged }) => merged)).toBe(version === 6)
      expect(channels.flatMap((channel) => channel.channels)).toHaveLength(all.operators.flatMap((operator) => operator.subtasks.flatMap((subtask) => [...subtask.input, ...subtask.output].flatMap((channel) => channel.channels))).length)
    }
    expect(losses(all, '2.1 and later').join('\n')).toMatch(/the absolute paths of \d+ handles.*\n.*segments of merged files.*\n.*taken over/)
  })

  test('operator state of version 6 becomes version 5 for targets that know no other', () => {
    const { savepoint, files } = wholeSnapshot()
    const sizes = new Map([...files].map(([name, bytes]) => [name, bytes.length]))
    const exported = (target: ExportTarget) => readSavepoint(runPlan(exportSavepoint(savepoint, sizes, target), ({ name, offset, length }) => files.get(name)?.subarray(offset, offset + length) ?? null).metadata)
    const headers = (one: Savepoint) => one.operators.flatMap((operator) => operator.subtasks.flatMap(({ managedOperator }) => (managedOperator?.stream?.kind === 'bytes' ? [managedOperator.stream.bytes[3]] : [])))
    expect(headers(savepoint)).toContain(6)
    expect(new Set(headers(exported('1.16 to 1.20')))).toEqual(new Set([5]))
    expect(headers(exported('2.0'))).toEqual(headers(savepoint))
  })

  test('so does operator state in a file of its own, byte by byte but for the flag', async () => {
    const { savepoint, files } = wholeSnapshot()
    const all = new Map(files)
    const inFiles = mapOperatorState(savepoint, (handle, { operatorId }) => {
      if (handle.stream?.kind !== 'bytes') return handle
      const name = `lists-${operatorId}`
      all.set(name, handle.stream.bytes)
      return { ...handle, stream: { kind: 'relative', name, size: handle.stream.bytes.length } }
    })
    const { desk } = stored()
    const source = drop(inFiles, all)
    const { zip } = await desk.exportFor(source, '1.16 to 1.20')
    const exported = await unpack(zip)
    expect(contents(await desk.open({ kind: 'dropped', name: 'x', files: exported }))).toEqual(contents(await desk.open(source)))
    const lists = exported.filter(({ path }) => path.startsWith('lists-'))
    expect(lists.length).toBeGreaterThan(0)
    for (const { path, file } of lists) {
      const before = all.get(path)!
      const expected = before[3] === 6 ? Uint8Array.of(0, 0, 0, 5, ...before.subarray(5)) : before
      expect(new Uint8Array(await file.arrayBuffer()), path).toEqual(expected)
    }
  })

  test('what is not whole is not exported', async () => {
    const { metadata, files } = foreignSnapshot()
    files.delete('canonical-file')
    const { desk } = stored()
    await expect(desk.exportFor(drop(readSavepoint(metadata), files), '2.0')).rejects.toThrow('the file canonical-file is missing')
  })
})

function typesOf(handle: KeyedRef | null): number[] {
  if (handle === null) return []
  return [handle.type, ...(handle.kind === 'changelog' ? [...handle.materialized, ...handle.increments].flatMap(typesOf) : [])]
}
