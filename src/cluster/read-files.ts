/** Files with their bytes, while the cluster goes on: checkpoints come and go. */
import type { Cluster } from './cluster-types.ts'

export interface ReadFile {
  readonly path: string
  readonly size: number
  readonly bytes: Uint8Array
}

/** All below `path`. What is gone by the time it would be read (a subsumed checkpoint) is left out; rejects for what is there and cannot be read. */
export async function readFiles(cluster: Pick<Cluster, 'files' | 'readFile'>, path: string): Promise<readonly ReadFile[]> {
  const entries = await cluster.files(path)
  const read = entries.map(async (entry): Promise<readonly ReadFile[]> => {
    try {
      return [{ path: entry.path, size: entry.size, bytes: await cluster.readFile(entry.path) }]
    } catch (error) {
      if ((await cluster.files(entry.path)).some((still) => still.path === entry.path)) throw error
      return []
    }
  })
  return (await Promise.all(read)).flat()
}
