/**
 * Unpacks a zip, in pieces and with limits: names that lead out of the folder, names that clash, encrypted files, files that lie in each other, and
 * more bytes than were announced are refused, and with them the whole zip.
 */
import {
  BlobReader,
  ERR_AMBIGUOUS_ARCHIVE,
  ERR_ENTRY_DATA_OUT_OF_BOUNDS,
  ERR_INVALID_COMPRESSED_DATA,
  ERR_INVALID_CRC32,
  ERR_INVALID_UNCOMPRESSED_SIZE,
  ERR_LOCAL_FILE_HEADER_NOT_FOUND,
  ERR_OVERLAPPING_ENTRY,
  type FileEntry,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-custom.js'
import { BlobSink } from './blob-sink.ts'
import { safeName } from './safe-name.ts'

const FILES_MAX = 20_000
const BYTES_MAX = 2 * 1024 * 1024 * 1024
/** Files come as streams; what is read at once is the directory, and small things. */
const DIRECTORY_MAX = 64 * 1024 * 1024
const LOCAL_MAGIC = 0x04034b50
const EMPTY_MAGIC = 0x06054b50
/** Stored and deflated. */
const METHODS: readonly number[] = [0, 8]

export interface UnpackedFile {
  readonly path: string
  readonly file: Blob
}

export interface UnzipLimits {
  readonly files: number
  /** Of all files, unpacked. */
  readonly bytes: number
}

/** By its first bytes. */
export async function isZip(blob: Blob): Promise<boolean> {
  if (blob.size < 22) return false
  const magic = new DataView(await blob.slice(0, 4).arrayBuffer()).getUint32(0, true)
  return magic === LOCAL_MAGIC || magic === EMPTY_MAGIC
}

/** Rejects with the name of the file that is wrong, and why. What packers add of their own (`__MACOSX`, `.DS_Store`) is left out. */
export async function unpack(zip: Blob, limits: UnzipLimits = { files: FILES_MAX, bytes: BYTES_MAX }): Promise<UnpackedFile[]> {
  const entries = await readDirectory(zip, limits.files)
  const bytes = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0)
  if (bytes > limits.bytes) throw new Error(`the zip would unpack to ${bytes} bytes, more than the ${limits.bytes} that are unpacked`)
  const files: UnpackedFile[] = []
  for (const entry of entries) files.push({ path: entry.filename, file: await unpackOne(entry) })
  return files
}

/** The files, without folders. */
async function readDirectory(zip: Blob, filesMax: number): Promise<FileEntry[]> {
  const options = { useWebWorkers: false, checkCrc32: true, checkOverlappingEntry: true, filenameValidation: 'tolerant', normalizeFilename: withSlashes } as const
  const reader = new ZipReader(new BoundedReader(zip), options)
  const files = new Map<string, FileEntry>()
  let count = 0
  const found = reader.getEntriesGenerator({ onprogress: (_, total) => void (count = total) })
  for (;;) {
    const next = await found.next().catch((error: unknown) => {
      throw new Error(`the zip is damaged: its directory cannot be read (${wordsOf(error)}). Was it cut off on its way?`)
    })
    if (count > filesMax) throw new Error(`the zip holds ${count} files, more than the ${filesMax} that are unpacked`)
    if (next.done === true) break
    const entry = next.value
    if (entry.directory || isPackersOwn(entry.filename)) continue
    checkEntry(entry)
    if (files.has(entry.filename)) throw new Error(`the zip holds "${entry.filename}" twice`)
    files.set(entry.filename, entry)
  }
  for (const name of files.keys()) refuseFolderOf(name, files)
  return [...files.values()]
}

const withSlashes = (name: string): string => name.replaceAll('\\', '/')
const isPackersOwn = (name: string): boolean => name.startsWith('__MACOSX/') || name.endsWith('.DS_Store')

function checkEntry({ filename, encrypted, compressionMethod }: FileEntry): void {
  safeName(filename)
  if (encrypted) throw new Error(`the zip cannot be read: "${filename}" is encrypted`)
  if (!METHODS.includes(compressionMethod)) {
    throw new Error(`the zip cannot be read: "${filename}" is packed by method ${compressionMethod}; 0 (stored) and 8 (deflated) can be unpacked`)
  }
}

function refuseFolderOf(name: string, files: ReadonlyMap<string, unknown>): void {
  for (let slash = name.indexOf('/'); slash !== -1; slash = name.indexOf('/', slash + 1)) {
    const folder = name.slice(0, slash)
    if (files.has(folder)) throw new Error(`the zip holds "${folder}" both as a file and as a folder`)
  }
}

/** Stops at the first byte too many, however many would follow. */
async function unpackOne(entry: FileEntry): Promise<Blob> {
  const sink = new BlobSink()
  try {
    await entry.getData(sink.writable)
    return sink.blob()
  } catch (error) {
    throw new Error(`the zip is damaged: "${entry.filename}": ${whatIsWrong(error, entry)}`)
  }
}

function whatIsWrong(error: unknown, { uncompressedSize }: FileEntry): string {
  const message = wordsOf(error)
  if (message === ERR_INVALID_UNCOMPRESSED_SIZE) return `it does not unpack to the ${uncompressedSize} bytes that the zip announces`
  if (message === ERR_INVALID_CRC32 || message === ERR_INVALID_COMPRESSED_DATA) return `it does not unpack to the ${uncompressedSize} bytes of the checksum that the zip announces`
  if (message === ERR_LOCAL_FILE_HEADER_NOT_FOUND) return 'it is not where the directory of the zip says'
  if (message === ERR_ENTRY_DATA_OUT_OF_BOUNDS) return 'the zip ends in the middle of it'
  if (message === ERR_OVERLAPPING_ENTRY) return 'another file lies in it'
  if (message === ERR_AMBIGUOUS_ARCHIVE) return 'the directory of the zip and its own header say different things of it'
  return message
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Its directory is read as one: a zip that says it is larger than any directory is none. */
class BoundedReader extends BlobReader {
  override async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    if (length > DIRECTORY_MAX) throw new Error(`${length} bytes in place of at most ${DIRECTORY_MAX}`)
    return super.readUint8Array(offset, length)
  }
}
