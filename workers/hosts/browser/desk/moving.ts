/** Deleting, copying and renaming, with everything that is below a directory. A savepoint stays restorable: its handles are relative. */
import type { StorageReference } from '../../../model/snapshot-desk.ts'
import type { FileEntry } from '../../../model/storage.ts'
import { pathError } from '../../../storage/path.ts'
import type { DeskFiles, FileToWrite } from './desk-files.ts'
import { isHighAvailability, keptSnapshots } from './kept-snapshots.ts'
import type { MetadataCache } from './metadata-cache.ts'
import { storageNodes } from './storage-tree.ts'

/** Who needs any of these files and directories, apart from what would be deleted with them. */
export async function needing(paths: readonly string[], files: DeskFiles, cache: MetadataCache): Promise<readonly StorageReference[]> {
  const entries = await files.all()
  const known = await cache.of(entries.filter(({ path }) => path.endsWith('/_metadata')))
  const nodes = storageNodes(entries, known, await keptSnapshots(files, entries))
  const isMeant = (path: string): boolean => paths.some((meant) => path === meant || meant === '/' || path.startsWith(`${meant}/`))
  const found = new Map<string, StorageReference>()
  for (const node of nodes) {
    if (!isMeant(node.path)) continue
    for (const reference of node.references) {
      if (reference.by === 'job' || !isMeant(reference.who)) found.set(`${reference.by} ${reference.who}`, reference)
    }
  }
  return [...found.values()]
}

/** All or nothing. Rejects where there is nothing, and for files of the JobManager's own store. */
export async function remove(paths: readonly string[], files: DeskFiles): Promise<void> {
  const all = new Set<string>()
  for (const path of paths) for (const entry of await files.at(path)) all.add(entry.path)
  refuseHighAvailability([...all], 'deleted')
  await files.remove([...all])
}

/** A file or a directory. Rejects where something is at `to` already. */
export async function copy(from: string, to: string, files: DeskFiles): Promise<void> {
  await files.writeNew(await copies(from, to, files))
}

/** As `copy`, and what was at `from` is gone. Rejects for what a job needs: it would look for it at the old place. */
export async function rename(from: string, to: string, files: DeskFiles, cache: MetadataCache): Promise<void> {
  const entries = await files.at(from)
  refuseHighAvailability(entries.map(({ path }) => path), 'renamed')
  const needed = await needing([from], files, cache)
  if (needed.length > 0) {
    const who = needed.map((reference) => `${reference.by} ${reference.who}`).join(', ')
    throw new Error(`${from} is needed at its place by ${who}: copy it instead, or rename all of it together`)
  }
  await files.writeNew(await copies(from, to, files))
  await files.remove(entries.map(({ path }) => path))
}

async function copies(from: string, to: string, files: DeskFiles): Promise<FileToWrite[]> {
  const wrong = pathError(to)
  if (wrong !== null) throw new Error(wrong)
  if (from === '/') throw new Error('the whole storage cannot be copied into itself')
  const entries = await files.at(from)
  if (to === from || to.startsWith(`${from}/`)) throw new Error(`${from} cannot be copied to ${to}, which is in it`)
  if (isHighAvailability(to)) throw new Error(`${to} is the JobManager's own place: choose another`)
  await refuseTaken(to, files)
  return entries.map((entry) => ({ path: to + entry.path.slice(from.length), size: entry.size, bytes: () => files.read(entry.path) }))
}

/** Neither a file or directory of that path, nor a file where a directory above it would be. */
export async function refuseTaken(path: string, files: DeskFiles): Promise<void> {
  if ((await files.ifAny(path)).length > 0) throw new Error(`there is something at ${path} already: choose another name`)
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const above = path.slice(0, at)
    if ((await files.ifAny(above)).some((entry: FileEntry) => entry.path === above)) throw new Error(`${above} is a file: nothing can lie below it`)
  }
}

function refuseHighAvailability(paths: readonly string[], what: string): void {
  const own = paths.find(isHighAvailability)
  if (own !== undefined) throw new Error(`${own} is the JobManager's own record of a job and cannot be ${what}: cancel the job, which removes it`)
}
