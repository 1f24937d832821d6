/** Where the bytes of a snapshot come from: storage, files that were dropped on the page, or a zip among these. Read by slices, never whole. */
import type { StreamRef, Savepoint } from '../../../savepoint/model.ts'
import { namedStreams } from '../../../savepoint/named-streams.ts'
import type { Slice } from '../../../savepoint/read-plan.ts'
import { salvageSavepoint } from '../../../savepoint/savepoint-reader.ts'
import { storagePathOf } from '../../../model/storage-path.ts'
import type { SnapshotSource } from '../snapshot-desk.ts'
import type { DeskFiles } from './desk-files.ts'
import { readAhead } from './read-ahead.ts'
import { nameOf, neededPath, parentOf } from './storage-tree.ts'
import { isZip, unpack } from './unzip.ts'

/** A directory with a `_metadata` in it, whatever holds it. */
export interface SnapshotDirectory {
  /** Last part of its path, or of what was dropped. */
  readonly name: string
  /** The directory in storage; of what was dropped a place of its own, where nothing lies. */
  readonly location: string
  readonly metadata: Uint8Array
  /** As far as it can be read. */
  readonly savepoint: Savepoint
  /** What is wrong with its metadata; null: nothing. Such a snapshot can be looked at, and nothing else. */
  readonly damage: string | null
  /** Sizes by name: relative to the directory, and by URI of what is named so and lies elsewhere. */
  readonly sizes: ReadonlyMap<string, number>
  /** Null: there is no such file. */
  read(slice: Slice): Promise<Uint8Array | null>
}

/** All state may be inline (JobManager storage). */
const METADATA_MAX = 512 * 1024 * 1024
const METADATA = '_metadata'
const DROPPED_LOCATION = '/dropped on the page'

export type DroppedSource = Extract<SnapshotSource, { readonly kind: 'dropped' }>

/** Rejects for what holds no readable `_metadata`, with the reason. */
export function openSource(files: DeskFiles, source: SnapshotSource): Promise<SnapshotDirectory> {
  return source.kind === 'stored' ? storedDirectory(files, source.path) : droppedDirectory(source)
}

/** Behaviour 10.5: the directory or its `_metadata`, as a path or a URI. */
export async function storedDirectory(files: DeskFiles, pointer: string): Promise<SnapshotDirectory> {
  const place = storagePathOf(pointer)
  if (!place.ok) throw new Error(place.error)
  const directory = nameOf(place.value) === METADATA ? parentOf(place.value) : place.value
  const entries = await files.ifAny(directory)
  const metadataPath = `${directory}/${METADATA}`
  const size = entries.find(({ path }) => path === metadataPath)?.size
  if (size === undefined) {
    throw new Error(
      entries.length === 0
        ? `Cannot find checkpoint or savepoint file/directory '${pointer}': there is nothing at ${directory}`
        : `Cannot find meta data file '_metadata' in directory '${directory}'. Please try to load the checkpoint/savepoint directly from the metadata file instead of the directory.`,
    )
  }
  const metadata = await files.read(checkedSize(metadataPath, size))
  const { savepoint, damage } = salvageSavepoint(metadata)
  const paths = new Map(entries.map((entry) => [entry.path.slice(directory.length + 1), entry.path]))
  const sizes = new Map(entries.map((entry) => [entry.path.slice(directory.length + 1), entry.size]))
  const elsewhere = absolutePaths(savepoint)
  const all = elsewhere.size === 0 ? new Map<string, number>() : new Map((await files.all()).map((entry) => [entry.path, entry.size]))
  for (const uri of elsewhere) {
    const path = neededPath(directory, { path: uri, isRelative: false })
    const found = path === null ? undefined : all.get(path)
    if (path === null || found === undefined) continue
    paths.set(uri, path)
    sizes.set(uri, found)
  }
  return {
    name: nameOf(directory),
    location: directory,
    metadata,
    savepoint,
    damage,
    sizes,
    read: readAhead(async ({ name, offset, length }) => {
      const path = paths.get(name)
      return path === undefined ? null : files.readPart(path, offset, length)
    }),
  }

  function checkedSize(path: string, bytes: number): string {
    if (bytes > METADATA_MAX) throw new Error(`${path} has ${bytes} bytes, more than the ${METADATA_MAX} that are read`)
    return path
  }
}

async function droppedDirectory(source: DroppedSource): Promise<SnapshotDirectory> {
  const files = await unpacked(source)
  const root = metadataRoot(files, source.name)
  const prefix = root === '' ? '' : `${root}/`
  const blobs = new Map<string, Blob>()
  const byPath = [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path, file } of byPath) if (path.startsWith(prefix)) blobs.set(path.slice(prefix.length), file)
  const metadataBlob = blobs.get(METADATA) ?? files[0]?.file
  if (metadataBlob === undefined) throw new Error(`nothing was dropped`)
  if (metadataBlob.size > METADATA_MAX) throw new Error(`${METADATA} has ${metadataBlob.size} bytes, more than the ${METADATA_MAX} that are read`)
  const metadata = await bytesOf(metadataBlob)
  const { savepoint, damage } = salvageSavepoint(metadata)
  // What lies beside the directory (shared files of a job) is found by the last part of its name.
  for (const { path, file } of byPath) if (!path.startsWith(prefix) && !blobs.has(path)) blobs.set(path, file)
  return {
    name: root === '' ? source.name.replace(/\.zip$/i, '') : nameOf(`/${root}`),
    location: DROPPED_LOCATION,
    metadata,
    savepoint,
    damage,
    sizes: new Map([...blobs].map(([name, blob]) => [name, blob.size])),
    read: readAhead(async ({ name, offset, length }) => {
      const blob = blobs.get(name)
      return blob === undefined ? null : bytesOf(blob.slice(offset, offset + length))
    }),
  }
}

/** A zip that was dropped alone stands for what is in it. */
export async function unpacked(source: DroppedSource): Promise<DroppedSource['files']> {
  const [only, ...more] = source.files
  if (only === undefined) throw new Error(`nothing was dropped: "${source.name}" holds no file`)
  return more.length === 0 && (await isZip(only.file)) ? unpack(only.file) : source.files
}

/** The folder of the one `_metadata`; a single file is taken for one, whatever its name. */
function metadataRoot(files: DroppedSource['files'], name: string): string {
  const found = files.filter(({ path }) => path === METADATA || path.endsWith(`/${METADATA}`)).map(({ path }) => path)
  if (found.length === 0 && files.length === 1) return ''
  if (found.length === 0) throw new Error(`"${name}" holds no file named ${METADATA}: drop the directory of a checkpoint or savepoint, its ${METADATA}, or a zip of it`)
  if (found.length > 1) throw new Error(`"${name}" holds ${found.length} snapshots: ${found.slice(0, 5).join(', ')}${found.length > 5 ? ' …' : ''}. Drop one of these directories`)
  return (found[0] as string).slice(0, -METADATA.length).replace(/\/$/, '')
}

function absolutePaths(savepoint: Savepoint): ReadonlySet<string> {
  const isAbsolute = (stream: StreamRef): stream is Extract<StreamRef, { readonly kind: 'file' | 'segment' }> => stream.kind === 'file' || stream.kind === 'segment'
  return new Set(namedStreams(savepoint).filter(isAbsolute).map(({ path }) => path))
}

export const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer())

/** Throws for a snapshot whose metadata cannot be read whole. */
export function whole(directory: SnapshotDirectory): SnapshotDirectory {
  if (directory.damage !== null) throw new Error(`the _metadata of ${directory.name} is damaged or cut short: ${directory.damage}`)
  return directory
}
