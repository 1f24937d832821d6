/** Packs files into a zip, piece by piece: what is packed lies in a Blob, which the browser may keep on the disk. The browser deflates. */
import { configure, Reader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-custom.js'
import { BlobSink } from './blob-sink.ts'

export interface FileToPack {
  /** In the zip, with `/`. */
  readonly name: string
  readonly size: number
  /** At least one byte, unless the file ends there. */
  read(offset: number, length: number): Promise<Uint8Array>
}

/** So much of a file is read at once: each reading costs a transaction. */
const PIECE = 1024 * 1024
/** 1980-01-01 as zips write it: a zip of the same files is the same bytes. */
const DATE = 0x0021_0000

configure({ chunkSize: PIECE })

/** Rejects, with the file's name, where one ends before its size. */
export async function pack(files: readonly FileToPack[]): Promise<Blob> {
  const sink = new BlobSink()
  const zip = new ZipWriter(sink.writable, { useWebWorkers: false, rawLastModDate: DATE, extendedTimestamp: false })
  for (const file of files) await zip.add(file.name, new FileReader(file))
  await zip.close()
  return sink.blob('application/zip')
}

class FileReader extends Reader<FileToPack> {
  override readonly size: number
  private readonly file: FileToPack

  constructor(file: FileToPack) {
    super(file)
    this.file = file
    this.size = file.size
  }

  override async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    const piece = await this.file.read(offset, length)
    if (piece.length === 0 && length > 0) throw new Error(`${this.file.name} ends after ${offset} of ${this.size} bytes`)
    return piece
  }
}
