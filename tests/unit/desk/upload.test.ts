import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { pack } from '../../../workers/hosts/browser/desk/pack.ts'
import { unpack } from '../../../workers/hosts/browser/desk/unzip.ts'
import { writeDirectory } from '../savepoint/snapshot-directory.ts'
import { JOB, putCheckpoint, putForeign, stored, type Stored } from './stored-files.ts'
import { craftZip, type CraftedFile } from './zip-attacks.ts'

const METADATA = writeDirectory().metadata
const named = (zip: Blob, name: string): File => new File([zip], name)

async function downloaded(files: Stored, path: string): Promise<File> {
  const { zip, fileName } = await files.desk.download(path)
  return named(zip, fileName)
}

describe('a savepoint travels as one file', () => {
  test('downloaded here and uploaded there it is the same, byte by byte, in a folder of its name', async () => {
    const [here, there] = [stored(), stored()]
    putForeign(here, '/savepoints/a')
    const zip = await downloaded(here, '/savepoints/a')
    expect(zip.name).toBe('a.zip')
    expect(await there.desk.upload(zip, '/savepoints')).toEqual(['/savepoints/a'])
    expect(there.paths()).toEqual(here.paths())
    for (const path of here.paths()) expect(there.bytes(path), path).toEqual(here.bytes(path))
  })

  test('an empty file and one of many pieces come through', async () => {
    const files = stored()
    const large = Uint8Array.from({ length: 3_500_000 }, (_, i) => (i * i) >> 7)
    files.put('/x/_metadata', METADATA)
    files.put('/x/empty', new Uint8Array(0))
    files.put('/x/large', large)
    await files.desk.upload(await downloaded(files, '/x'), '/y')
    expect(files.bytes('/y/x/empty')).toEqual(new Uint8Array(0))
    expect(Buffer.compare(files.bytes('/y/x/large')!, large)).toBe(0)
  })

  test('the same files are the same zip', async () => {
    const files = stored()
    putForeign(files, '/savepoints/a')
    const [one, other] = [await downloaded(files, '/savepoints/a'), await downloaded(files, '/savepoints/a')]
    expect(Buffer.compare(Buffer.from(await one.arrayBuffer()), Buffer.from(await other.arrayBuffer()))).toBe(0)
  })

  test('a file that ends early is named, and there is no zip', async () => {
    const ends = { name: 'x/a', size: 5_000_000, read: async (offset: number, length: number) => new Uint8Array(Math.max(0, Math.min(length, 3_000_000 - offset))) }
    await expect(pack([ends])).rejects.toThrow('x/a ends after 3000000 of 5000000 bytes')
  })

  test('a name that is taken gets a number', async () => {
    const files = stored()
    putCheckpoint(files, '/savepoints/a')
    const zip = await downloaded(files, '/savepoints/a')
    expect(await files.desk.upload(zip, '/savepoints')).toEqual(['/savepoints/a-2'])
    expect(await files.desk.upload(zip, '/savepoints')).toEqual(['/savepoints/a-3'])
    expect((await files.node('/savepoints/a-3')).snapshot?.isRestorable).toBe(true)
  })

  test('a folder of several snapshots keeps its layout, and each is named', async () => {
    const files = stored()
    for (const n of [5, 6]) putCheckpoint(files, `/checkpoints/${JOB}/chk-${n}`)
    files.put(`/checkpoints/${JOB}/shared/f`, new Uint8Array(3))
    const zip = await downloaded(files, `/checkpoints/${JOB}`)
    const found = await files.desk.upload(zip, '/from-elsewhere')
    expect(found).toEqual([5, 6].map((n) => `/from-elsewhere/${JOB}/chk-${n}`))
    expect(files.bytes(`/from-elsewhere/${JOB}/shared/f`)).toEqual(new Uint8Array(3))
  })

  test('loose files, a folder, and metadata alone', async () => {
    const files = stored()
    const file = new Blob([METADATA as Uint8Array<ArrayBuffer>])
    const state = new Blob([new Uint8Array(9)])
    const drop = (...paths: string[]) => ({ kind: 'dropped' as const, name: 'mine', files: paths.map((path) => ({ path, file: path.endsWith('_metadata') ? file : state })) })
    expect(await files.desk.upload(drop('_metadata', 'x'), '/s')).toEqual(['/s/mine'])
    expect(await files.desk.upload(drop('folder/a/_metadata', 'folder/a/x'), '/s')).toEqual(['/s/folder/a'])
    expect(await files.desk.upload(named(file, '_metadata'), '/')).toEqual(['/_metadata'])
    expect(files.paths()).toEqual(['/_metadata/_metadata', '/s/folder/a/_metadata', '/s/folder/a/x', '/s/mine/_metadata', '/s/mine/x'])
  })
})

describe('what is uploaded is not trusted', () => {
  const metadata: CraftedFile = { name: 'x/_metadata', data: METADATA }
  const bytes = new TextEncoder().encode('hello hello hello')
  const deflated = new Uint8Array(deflateRawSync(bytes))

  test.each<readonly [string, readonly CraftedFile[], string]>([
    ['a name that leads out', [metadata, { name: '../../etc/x', data: bytes }], '"../../etc/x" is no name of a file in a folder'],
    ['an absolute name', [metadata, { name: '/ha/x', data: bytes }], '"/ha/x" is no name'],
    ['a name with a drive', [metadata, { name: 'C:\\x', data: bytes }], '"C:/x" is no name'],
    ['a name that leads out with backslashes', [metadata, { name: 'x\\..\\..\\y', data: bytes }], '"x/../../y" is no name'],
    ['a file twice', [metadata, metadata], 'holds "x/_metadata" twice'],
    ['a file in a file', [metadata, { name: 'x/_metadata/y', data: bytes }], 'both as a file and as a folder'],
    ['an encrypted file', [metadata, { name: 'x/a', data: bytes, flags: 1 }], '"x/a" is encrypted'],
    ['another method', [metadata, { name: 'x/a', data: bytes, method: 12 }], '"x/a" is packed by method 12'],
    ['more bytes than announced', [metadata, { name: 'x/a', data: deflated, method: 8, size: 3, checksum: crc32(bytes) }], '"x/a": it does not unpack to the 3 bytes'],
    ['fewer bytes than announced', [metadata, { name: 'x/a', data: deflated, method: 8, size: 99, checksum: crc32(bytes) }], '"x/a": it does not unpack to the 99 bytes of the checksum'],
    ['another checksum', [metadata, { name: 'x/a', data: bytes, checksum: 1 }], '"x/a": it does not unpack to the 17 bytes of the checksum'],
    ['damaged bytes', [metadata, { name: 'x/a', data: new Uint8Array(20).fill(0xff), method: 8, size: 9 }], 'the zip is damaged: "x/a": it does not unpack to the 9 bytes of the checksum'],
    ['a file that is not where it should be', [metadata, { name: 'x/a', data: bytes, offset: 5 }], 'it is not where the directory of the zip says'],
    ['no snapshot', [{ name: 'x/a', data: bytes }], 'holds no file named _metadata'],
    ['gigabytes', [metadata, { name: 'x/a', data: deflated, method: 8, size: 0xfffffff0 }], 'more than the 2147483648 that are unpacked'],
  ])('a zip with %s is refused as a whole', async (_, files, message) => {
    const there = stored()
    await expect(there.desk.upload(named(craftZip(files), 'x.zip'), '/s')).rejects.toThrow(message)
    expect(there.paths()).toEqual([])
  })

  test('a bomb ends at its announced size', async () => {
    const zeros = new Uint8Array(deflateRawSync(new Uint8Array(10_000_000)))
    const bomb = craftZip([{ name: 'a', data: zeros, method: 8, size: 1000 }])
    await expect(unpack(bomb)).rejects.toThrow('"a": it does not unpack to the 1000 bytes')
  })

  test('files in each other are refused: each would unpack the same bytes again', async () => {
    const zeros = new Uint8Array(1_000_000)
    const kernel = { data: new Uint8Array(deflateRawSync(zeros)), method: 8, size: zeros.length, checksum: crc32(zeros) }
    const again = Array.from({ length: 50 }, (_, i) => ({ ...kernel, name: `b${i}`, offset: 0 }))
    await expect(unpack(craftZip([{ ...kernel, name: 'a' }, ...again]))).rejects.toThrow('"b0": another file lies in it')
  })

  test('too many files are refused before anything is unpacked, with their number', async () => {
    await expect(unpack(craftZip(Array.from({ length: 11 }, (_, i) => ({ name: `${i}`, data: bytes }))), { files: 10, bytes: 1e9 })).rejects.toThrow('holds 11 files, more than the 10')
  })

  test('a zip cut off anywhere is refused', async () => {
    const zip = craftZip([metadata, { name: 'x/a', data: bytes }])
    for (let length = 0; length < zip.size; length += 7) {
      await expect(stored().desk.upload(named(zip.slice(0, length), 'x.zip'), '/s')).rejects.toThrow()
    }
  })

  test('what packers add of their own is left out', async () => {
    const files = stored()
    const zip = craftZip([metadata, { name: '__MACOSX/x/._metadata', data: bytes }, { name: 'x/.DS_Store', data: bytes }])
    expect(await files.desk.upload(named(zip, 'x.zip'), '/s')).toEqual(['/s/x'])
    expect(files.paths()).toEqual(['/s/x/_metadata'])
  })

  test('the JobManager own place is refused, and a file that is neither zip nor metadata', async () => {
    const files = stored()
    await expect(files.desk.upload(named(craftZip([metadata]), 'x.zip'), '/ha')).rejects.toThrow("JobManager's own place")
    await expect(files.desk.upload(named(new Blob(['hello']), 'x.txt'), '/s')).rejects.toThrow('"x.txt" is neither a zip nor a _metadata file')
  })
})
