/** Puts what was uploaded below a directory, in its layout; a name that is taken gets a number. */
import { pathError } from '../../../storage/path.ts'
import { bytesOf, unpacked, type DroppedSource } from './snapshot-source.ts'
import { isMetadata, type DeskFiles } from './desk-files.ts'
import { isHighAvailability } from './kept-snapshots.ts'
import { nameOf, parentOf } from './storage-tree.ts'
import { isZip, unpack, type UnpackedFile } from './unzip.ts'
import { safeName } from './safe-name.ts'

const METADATA_MAGIC = 0x4960672d
const NUMBERS_MAX = 1000
const FALLBACK_NAME = 'uploaded'

/** Directories of the snapshots in it. Rejects, and stores nothing, where there is no `_metadata` in it. */
export async function upload(source: Blob | DroppedSource, directory: string, files: DeskFiles): Promise<readonly string[]> {
  const wrong = directory === '/' ? null : pathError(directory)
  if (wrong !== null) throw new Error(wrong)
  if (isHighAvailability(`${directory}/`) || isHighAvailability(directory)) throw new Error(`${directory} is the JobManager's own place: choose another`)
  const named = source instanceof Blob ? { name: nameOfBlob(source), files: await filesOf(source) } : { name: source.name, files: await unpacked(source) }
  const laidOut = layOut(named.name.replace(/\.zip$/i, ''), named.files)
  if (!laidOut.some(({ path }) => isMetadata(path))) {
    throw new Error(`"${named.name}" holds no file named _metadata: upload the directory of a checkpoint or savepoint, or a zip of it`)
  }
  const top = topOf(laidOut)
  const place = await freePlace(directory === '/' ? '' : directory, top, files)
  const toWrite = laidOut.map(({ path, file }) => ({ path: place + path.slice(top.length), size: file.size, bytes: () => bytesOf(file) }))
  await files.writeNew(toWrite)
  return toWrite.filter(({ path }) => isMetadata(path)).map(({ path }) => parentOf(path))
}

const nameOfBlob = (blob: Blob): string => (blob instanceof File ? blob.name : FALLBACK_NAME)

async function filesOf(blob: Blob): Promise<readonly UnpackedFile[]> {
  if (await isZip(blob)) return unpack(blob)
  const head = new DataView(await blob.slice(0, 4).arrayBuffer())
  if (head.byteLength === 4 && head.getUint32(0) === METADATA_MAGIC) return [{ path: '_metadata', file: blob }]
  throw new Error(`"${nameOfBlob(blob)}" is neither a zip nor a _metadata file`)
}

/** Everything in one folder: the one that it came in, or one that is named after it. */
function layOut(name: string, files: readonly UnpackedFile[]): UnpackedFile[] {
  const safe = files.map(({ path, file }) => ({ path: safeName(path.replaceAll('\\', '/')), file }))
  const first = safe[0]?.path.split('/')
  if (first === undefined) throw new Error(`"${name}" is empty`)
  const isInFolder = first.length > 1 && safe.every(({ path }) => path.startsWith(`${first[0]}/`))
  const folder = name.replaceAll(/[/\\]/g, '-') || FALLBACK_NAME
  return isInFolder ? safe : safe.map(({ path, file }) => ({ path: safeName(`${folder}/${path}`), file }))
}

const topOf = (files: readonly UnpackedFile[]): string => files[0]?.path.split('/')[0] ?? ''

/** `/savepoints/x`, else `/savepoints/x-2` … */
async function freePlace(directory: string, name: string, files: DeskFiles): Promise<string> {
  for (let number = 1; number <= NUMBERS_MAX; number++) {
    const place = `${directory}/${name}${number === 1 ? '' : `-${number}`}`
    if ((await files.ifAny(place)).length === 0) return place
  }
  throw new Error(`${directory} holds ${NUMBERS_MAX} things named ${nameOf(name)} already`)
}
