/**
 * Unpacks a zip as its central directory describes it, in pieces and with limits: names that lead out of the folder, encrypted files, files that
 * lie in each other, and more bytes than were announced are refused, and with them the whole zip.
 */
import { crc32 } from './crc32.ts'
import { readCentralDirectory, type ZipEntry } from './zip-directory.ts'

const FILES_MAX = 20_000
const BYTES_MAX = 2 * 1024 * 1024 * 1024
const PIECE = 1024 * 1024
const LOCAL_HEADER_LENGTH = 30
const LOCAL_MAGIC = 0x04034b50
const EMPTY_MAGIC = 0x06054b50
const ENCRYPTED = 1

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
  const entries = (await readCentralDirectory(zip, limits.files)).filter(({ name }) => !isPackersOwn(name))
  let bytes = 0
  let compressed = 0
  for (const entry of entries) {
    bytes += entry.size
    compressed += entry.compressedSize
    if ((entry.flags & ENCRYPTED) !== 0) throw new Error(`the zip cannot be read: "${entry.name}" is encrypted`)
  }
  if (bytes > limits.bytes) throw new Error(`the zip would unpack to ${bytes} bytes, more than the ${limits.bytes} that are unpacked`)
  if (compressed > zip.size) throw new Error('the zip cannot be read: files in it lie in each other')
  const files: UnpackedFile[] = []
  for (const entry of entries) files.push({ path: entry.name, file: await unpackOne(zip, entry) })
  return files
}

const isPackersOwn = (name: string): boolean => name.startsWith('__MACOSX/') || name.endsWith('.DS_Store')

async function unpackOne(zip: Blob, entry: ZipEntry): Promise<Blob> {
  const header = new DataView(await zip.slice(entry.offset, entry.offset + LOCAL_HEADER_LENGTH).arrayBuffer())
  if (header.byteLength < LOCAL_HEADER_LENGTH || header.getUint32(0, true) !== LOCAL_MAGIC) throw damaged(entry, 'it is not where the directory of the zip says')
  const start = entry.offset + LOCAL_HEADER_LENGTH + header.getUint16(26, true) + header.getUint16(28, true)
  const data = zip.slice(start, start + entry.compressedSize)
  if (data.size !== entry.compressedSize) throw damaged(entry, 'the zip ends in the middle of it')
  const sink = new Sink(entry)
  if (entry.method === 0) {
    for (let at = 0; at < data.size; at += PIECE) sink.push(new Uint8Array(await data.slice(at, at + PIECE).arrayBuffer()))
  } else await inflate(data, entry, sink)
  return sink.end()
}

/** Stops at the first byte too many, however many would follow. */
async function inflate(data: Blob, entry: ZipEntry, sink: Sink): Promise<void> {
  const reader = data.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      sink.push(value)
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined)
    throw error instanceof ZipError ? error : damaged(entry, error instanceof Error ? error.message : String(error))
  }
}

/** Keeps what comes, as long as it is what was announced. */
class Sink {
  private readonly entry: ZipEntry
  private readonly parts: Blob[] = []
  private size = 0
  private checksum = 0

  constructor(entry: ZipEntry) {
    this.entry = entry
  }

  push(bytes: Uint8Array): void {
    this.size += bytes.length
    if (this.size > this.entry.size) throw damaged(this.entry, `it unpacks to more than the ${this.entry.size} bytes that the zip announces`)
    this.checksum = crc32(bytes, this.checksum)
    if (bytes.length > 0) this.parts.push(new Blob([bytes as Uint8Array<ArrayBuffer>]))
  }

  end(): Blob {
    if (this.size !== this.entry.size) throw damaged(this.entry, `it unpacks to ${this.size} bytes, the zip announces ${this.entry.size}`)
    if (this.checksum !== this.entry.checksum) throw damaged(this.entry, 'its checksum does not match')
    return new Blob(this.parts)
  }
}

class ZipError extends Error {
  override readonly name = 'ZipError'
}

const damaged = ({ name }: ZipEntry, why: string): ZipError => new ZipError(`the zip is damaged: "${name}": ${why}`)
