/** Packs files into a zip, piece by piece: what is packed lies in Blobs, which the browser may keep on the disk. */
import { Zip, ZipDeflate } from 'fflate'

export interface FileToPack {
  /** In the zip, with `/`. */
  readonly name: string
  readonly size: number
  /** At least one byte, unless the file ends there. */
  read(offset: number, length: number): Promise<Uint8Array>
}

/** What a zip without zip64 holds, which is what everything can unpack. */
const FILES_MAX = 65_535
const BYTES_MAX = 0xffffffff - 64 * 1024 * 1024
const PIECE = 1024 * 1024
/** State is full of repetitions: more effort hardly makes it smaller. */
const LEVEL = 3

export async function pack(files: readonly FileToPack[]): Promise<Blob> {
  const bytes = files.reduce((sum, file) => sum + file.size, 0)
  if (files.length > FILES_MAX || bytes > BYTES_MAX) {
    throw new Error(`${files.length} files of ${bytes} bytes do not fit into one zip (${FILES_MAX} files, ${BYTES_MAX} bytes): pack its folders one by one`)
  }
  const parts: Blob[] = []
  let failure: unknown = null
  const zip = new Zip((error, piece) => {
    failure ??= error
    if (piece.length > 0) parts.push(new Blob([piece as Uint8Array<ArrayBuffer>]))
  })
  for (const file of files) {
    const entry = new ZipDeflate(file.name, { level: LEVEL })
    zip.add(entry)
    for (let at = 0; at < file.size; ) {
      const piece = await file.read(at, Math.min(PIECE, file.size - at))
      if (piece.length === 0) throw new Error(`${file.name} ends after ${at} of ${file.size} bytes`)
      at += piece.length
      entry.push(piece, at >= file.size)
    }
    if (file.size === 0) entry.push(new Uint8Array(0), true)
  }
  zip.end()
  if (failure !== null) throw failure instanceof Error ? failure : new Error(String(failure))
  return new Blob(parts, { type: 'application/zip' })
}
