/** Which jobs a leader has in hand, and which snapshots they keep: what the high-availability store says. */
import type { FileEntry } from '../../../model/storage.ts'
import { HA_ROOT, checkpointsPath, jobOfPath, parseFile, type StoredPointer } from '../../../jobmaster/high-availability/ha-files.ts'
import type { DeskFiles } from './desk-files.ts'

export interface KeptSnapshots {
  /** Ids of jobs that run, or that a leader would recover. */
  readonly jobs: readonly string[]
  /** By directory of the snapshot: the jobs that keep it. */
  readonly keepers: ReadonlyMap<string, readonly string[]>
}

export async function keptSnapshots(files: DeskFiles, entries: readonly FileEntry[]): Promise<KeptSnapshots> {
  const paths = new Set(entries.map(({ path }) => path))
  const jobs: string[] = []
  const keepers = new Map<string, string[]>()
  for (const { path } of entries) {
    const job = path.startsWith(HA_ROOT) ? jobOfPath(path) : null
    if (job === null) continue
    jobs.push(job)
    if (!paths.has(checkpointsPath(job))) continue
    for (const location of await locations(files, checkpointsPath(job))) keepers.set(location, [...(keepers.get(location) ?? []), job])
  }
  return { jobs, keepers }
}

export const isHighAvailability = (path: string): boolean => path.startsWith(HA_ROOT) || `${path}/` === HA_ROOT

/** The job whose files of the high-availability store this path is among, or above; null for another path. */
export const jobOfHighAvailability = (path: string): string | null => /^\/ha\/([0-9a-f]{32})(\/|$)/.exec(path)?.[1] ?? null

async function locations(files: DeskFiles, path: string): Promise<readonly string[]> {
  try {
    return parseFile<readonly StoredPointer[]>(await files.read(path)).map(({ location }) => location)
  } catch {
    // It was deleted or is being replaced just now: the next listing tells.
    return []
  }
}
