/**
 * Packs files into a zip, piece by piece: what is packed lies in Blobs, which the browser may keep on the disk. The browser deflates. Layout:
 * APPNOTE.TXT of PKWARE, sections 4.3.7, 4.3.12 and 4.3.16; without zip64, so that everything can unpack it.
 */
import { crc32 } from './crc32.ts'

export interface FileToPack {
  /** In the zip, with `/`. */
  readonly name: string
  readonly size: number
  /** At least one byte, unless the file ends there. */
  read(offset: number, length: number): Promise<Uint8Array>
}

const FILES_MAX = 0xffff
const BYTES_MAX = 0xffffffff - 64 * 1024 * 1024
const PIECE = 1024 * 1024
const DEFLATED = 8
/** Names are UTF-8. */
const FLAGS = 0x0800
const VERSION_NEEDED = 20
/** 1980-01-01: a zip of the same files is the same bytes. */
const DATE = 0x0021

interface Packed {
  readonly name: Uint8Array
  readonly checksum: number
  readonly size: number
  readonly data: Blob
  readonly offset: number
}

export async function pack(files: readonly FileToPack[]): Promise<Blob> {
  const bytes = files.reduce((sum, file) => sum + file.size, 0)
  if (files.length > FILES_MAX || bytes > BYTES_MAX) {
    throw new Error(`${files.length} files of ${bytes} bytes do not fit into one zip (${FILES_MAX} files, ${BYTES_MAX} bytes): pack its folders one by one`)
  }
  const parts: (Blob | Uint8Array<ArrayBuffer>)[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  for (const file of files) {
    const packed: Packed = { ...(await deflate(file)), name: new TextEncoder().encode(file.name), offset: at }
    const header = localHeader(packed)
    parts.push(header, packed.data)
    directory.push(directoryEntry(packed))
    at += header.length + packed.data.size
  }
  const directorySize = directory.reduce((sum, entry) => sum + entry.length, 0)
  return new Blob([...parts, ...directory, endOf(files.length, directorySize, at)], { type: 'application/zip' })
}

async function deflate(file: FileToPack): Promise<Pick<Packed, 'checksum' | 'size' | 'data'>> {
  const stream = new CompressionStream('deflate-raw')
  const packed = new Response(stream.readable).blob()
  const writer = stream.writable.getWriter()
  let checksum = 0
  try {
    for (let at = 0; at < file.size; ) {
      const piece = await file.read(at, Math.min(PIECE, file.size - at))
      if (piece.length === 0) throw new Error(`${file.name} ends after ${at} of ${file.size} bytes`)
      checksum = crc32(piece, checksum)
      at += piece.length
      await writer.write(piece as Uint8Array<ArrayBuffer>)
    }
    await writer.close()
  } catch (error) {
    packed.catch(() => undefined)
    await writer.abort(error).catch(() => undefined)
    throw error
  }
  return { checksum, size: file.size, data: await packed }
}

function localHeader(file: Packed): Uint8Array<ArrayBuffer> {
  return record(30, file.name, (view) => {
    view.setUint32(0, 0x04034b50, true)
    view.setUint16(4, VERSION_NEEDED, true)
    common(view, 6, file)
  })
}

function directoryEntry(file: Packed): Uint8Array<ArrayBuffer> {
  return record(46, file.name, (view) => {
    view.setUint32(0, 0x02014b50, true)
    view.setUint16(4, VERSION_NEEDED, true)
    view.setUint16(6, VERSION_NEEDED, true)
    common(view, 8, file)
    view.setUint32(42, file.offset, true)
  })
}

/** From the flags to the length of the name, which both headers have in one order. */
function common(view: DataView, at: number, { name, checksum, size, data }: Packed): void {
  view.setUint16(at, FLAGS, true)
  view.setUint16(at + 2, DEFLATED, true)
  view.setUint16(at + 6, DATE, true)
  view.setUint32(at + 8, checksum, true)
  view.setUint32(at + 12, data.size, true)
  view.setUint32(at + 16, size, true)
  view.setUint16(at + 20, name.length, true)
}

function endOf(count: number, size: number, offset: number): Uint8Array<ArrayBuffer> {
  return record(22, new Uint8Array(0), (view) => {
    view.setUint32(0, 0x06054b50, true)
    view.setUint16(8, count, true)
    view.setUint16(10, count, true)
    view.setUint32(12, size, true)
    view.setUint32(16, offset, true)
  })
}

function record(length: number, name: Uint8Array, fill: (view: DataView) => void): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length + name.length)
  fill(new DataView(bytes.buffer))
  bytes.set(name, length)
  return bytes
}
