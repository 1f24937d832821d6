import { describe, expect, it } from 'vitest'
import { cloneGraph } from '../../../workers/base/clone.ts'
import { fencingToken, jobId } from '../../../workers/model/ids.ts'
import type { StorageOp } from '../../../workers/model/storage.ts'
import { crc32c } from '../../../workers/storage/crc32c.ts'
import { MemoryFiles } from '../../../workers/storage/memory-files.ts'
import { pathError, prefixError } from '../../../workers/storage/path.ts'

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0))
const write = (path: string, ...bytes: number[]): StorageOp => ({
  type: 'transact',
  writes: [{ path, bytes: new Uint8Array(bytes), createNew: false }],
  deletes: [],
  durability: 'relaxed',
})

describe('CRC-32C', () => {
  it.each([
    ['nothing', new Uint8Array(0), 0],
    ['the check value of the polynomial', ascii('123456789'), 0xe3069283],
    ['32 zeros (RFC 3720, B.4)', new Uint8Array(32), 0x8a9136aa],
    ['32 bytes of ff (RFC 3720, B.4)', new Uint8Array(32).fill(0xff), 0x62a8ab43],
    ['0 to 31 (RFC 3720, B.4)', Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
  ])('of %s', (_, bytes, expected) => {
    expect(crc32c(bytes)).toBe(expected)
  })

  it('is the same for every length and wherever the bytes lie in their buffer', () => {
    const bitByBit = (bytes: Uint8Array): number => {
      let c = 0xffffffff
      for (const byte of bytes) {
        c ^= byte
        for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0x82f63b78 : c >>> 1
      }
      return (c ^ 0xffffffff) >>> 0
    }
    const buffer = Uint8Array.from({ length: 64 }, (_, i) => (i * 167 + 13) & 0xff)
    for (let offset = 0; offset < 9; offset++) {
      for (let length = 0; length < 40; length++) {
        const bytes = buffer.subarray(offset, offset + length)
        expect(crc32c(bytes), `${length} bytes at ${offset}`).toBe(bitByBit(bytes))
      }
    }
  })
})

describe('paths', () => {
  it.each(['/a', '/a/b', '/a b/ü', '/.a/..b/c.'])('%s names a file', (path) => {
    expect(pathError(path)).toBeNull()
  })
  it.each([
    ['a', 'not absolute'],
    ['/a/', 'empty segment'],
    ['/a//b', 'empty segment'],
    ['/a/./b', 'segment "."'],
    ['/..', 'segment ".."'],
  ])('%s does not, and the message says why', (path, message) => {
    expect(pathError(path)).toContain(message)
  })
  it('a prefix may end with a slash', () => {
    expect([prefixError('/'), prefixError('/a/'), prefixError('/a')]).toEqual([null, null, null])
    expect(prefixError('/a//')).toContain('empty segment')
  })
})

describe('memory files', () => {
  it('a copy goes on by itself: files, tokens and the space used', () => {
    const job = jobId('0123456789abcdef0123456789abcdef')
    const files = new MemoryFiles(4)
    files.execute(write('/a', 1, 2), { job, token: fencingToken(2) })
    const copy = cloneGraph(files)
    copy.execute(write('/b', 3, 4), null)
    expect(files.entries().map(({ path }) => path)).toEqual(['/a'])
    expect(copy.entries().map(({ path }) => path)).toEqual(['/a', '/b'])
    expect(copy.execute(write('/c', 5), null)).toMatchObject({ reason: 'QUOTA_EXCEEDED' })
    expect(files.execute(write('/c', 5), null)).toEqual({ ok: true })
    expect(copy.execute(write('/a', 9), { job, token: fencingToken(1) })).toMatchObject({ reason: 'FENCED' })
  })

  it('damage in a copy leaves the original sound', () => {
    const files = new MemoryFiles()
    files.execute(write('/a', 1, 2), null)
    const copy = cloneGraph(files)
    expect([copy.damage('/a', 'flip'), copy.damage('/none', 'flip')]).toEqual([true, false])
    expect(copy.execute({ type: 'read', path: '/a' }, null)).toMatchObject({ reason: 'CORRUPT' })
    expect(files.execute({ type: 'read', path: '/a' }, null)).toMatchObject({ ok: true })
  })

  it('counts space through overwriting, deleting, truncation and a changed quota', () => {
    const files = new MemoryFiles(10)
    files.execute(write('/a', ...Array<number>(8).fill(1)), null)
    files.execute(write('/a', 1, 1), null)
    expect(files.execute(write('/b', ...Array<number>(8).fill(1)), null)).toEqual({ ok: true })
    files.damage('/b', 'truncate')
    expect(files.execute(write('/c', 1), null)).toEqual({ ok: true })
    expect(files.execute(write('/d', 1), null)).toMatchObject({ reason: 'QUOTA_EXCEEDED' })
    files.execute({ type: 'delete-below', directory: '/', keep: ['/a'] }, null)
    files.setQuota(1)
    expect(files.execute(write('/a', 1), null)).toEqual({ ok: true })
    expect(files.execute(write('/d', 1), null)).toMatchObject({ reason: 'QUOTA_EXCEEDED' })
  })

  it('gives modification times as told', () => {
    const files = new MemoryFiles()
    files.execute(write('/a'), null, 5)
    files.execute(write('/b'), null)
    expect(files.entries().map(({ modifiedAt }) => modifiedAt)).toEqual([5, 0])
  })
})
