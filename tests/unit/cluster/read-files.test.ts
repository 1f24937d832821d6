import { describe, expect, test } from 'vitest'
import type { Cluster } from '../../../src/cluster/cluster-types.ts'
import { readFiles } from '../../../src/cluster/read-files.ts'

/** Storage in which reading `gone` finds that it was deleted after the listing, and reading `broken` fails. */
function storage(paths: readonly string[], { gone = [], broken = [] }: { readonly gone?: readonly string[]; readonly broken?: readonly string[] } = {}): Pick<Cluster, 'files' | 'readFile'> {
  const there = new Set(paths)
  return {
    files: async (prefix) => [...there].filter((path) => path.startsWith(prefix)).map((path) => ({ path, size: 1, modifiedAt: 0 }) as never),
    readFile: async (path) => {
      if (gone.includes(path)) there.delete(path)
      if (broken.includes(path) || !there.has(path)) throw new Error(`cannot read ${path}`)
      return Uint8Array.of(path.length)
    },
  }
}

describe('files with their bytes while checkpoints come and go', () => {
  test('all below a path', async () => {
    expect((await readFiles(storage(['/a/x', '/a/yy', '/b']), '/a')).map(({ path, bytes }) => [path, ...bytes])).toEqual([['/a/x', 4], ['/a/yy', 5]])
  })

  test('what is gone when it would be read is left out', async () => {
    expect((await readFiles(storage(['/a/x', '/a/x-2', '/a/y'], { gone: ['/a/x'] }), '/a')).map(({ path }) => path)).toEqual(['/a/x-2', '/a/y'])
  })

  test('what is there and cannot be read is an error', async () => {
    await expect(readFiles(storage(['/a/x', '/a/y'], { broken: ['/a/y'] }), '/a')).rejects.toThrow('cannot read /a/y')
  })
})
