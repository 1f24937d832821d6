import { describe, expect, it } from 'vitest'
import { MemoryFileSystem } from '../../../workers/storage/memory-file-system.ts'
import { MemoryFiles } from '../../../workers/storage/memory-files.ts'
import { fileSystemContract } from '../file-system.contract.ts'

fileSystemContract('memory', async () => {
  const files = new MemoryFiles()
  return {
    connect: () => new MemoryFileSystem(files),
    damage: async (path, how) => {
      expect(files.damage(path, how)).toBe(true)
    },
    dispose: async () => undefined,
  }
})

describe('memory: quota', () => {
  it('answers QUOTA_EXCEEDED, changes nothing, and takes what fits after a deletion', async () => {
    const fs = new MemoryFileSystem(new MemoryFiles(10))
    const write = (path: string, size: number, deletes: string[] = []) =>
      fs.execute({ type: 'transact', writes: [{ path, bytes: new Uint8Array(size), createNew: false }], deletes, durability: 'relaxed' }, null)
    expect(await write('/a', 8)).toEqual({ ok: true })
    expect(await write('/b', 3)).toMatchObject({ ok: false, reason: 'QUOTA_EXCEEDED' })
    expect((await fs.entries()).map((entry) => entry.path)).toEqual(['/a'])
    expect(await write('/b', 3, ['/a'])).toEqual({ ok: true })
    expect(await write('/b', 10)).toEqual({ ok: true })
  })
})
