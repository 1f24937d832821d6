/** Zips made by hand, to say what no packer would. */
import { crc32 } from 'node:zlib'

export interface CraftedFile {
  readonly name: string
  readonly data: Uint8Array
  readonly method?: number
  readonly flags?: number
  readonly size?: number
  readonly checksum?: number
  /** In place of where it is. */
  readonly offset?: number
}

export function craftZip(files: readonly CraftedFile[]): Blob {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const { name, data, method = 0, flags = 0, size = data.length, checksum = crc32(data), offset = at } of files) {
    const bytes = new TextEncoder().encode(name)
    const sizes = [checksum, data.length, size] as const
    const local = record(30, bytes, [[0, 4, 0x04034b50], [6, 2, flags], [8, 2, method], [14, 4, sizes[0]], [18, 4, sizes[1]], [22, 4, sizes[2]], [26, 2, bytes.length]])
    parts.push(local, data)
    directory.push(record(46, bytes, [[0, 4, 0x02014b50], [8, 2, flags], [10, 2, method], [16, 4, sizes[0]], [20, 4, sizes[1]], [24, 4, sizes[2]], [28, 2, bytes.length], [42, 4, offset]]))
    at += local.length + data.length
  }
  const size = directory.reduce((sum, one) => sum + one.length, 0)
  const end = record(22, new Uint8Array(0), [[0, 4, 0x06054b50], [8, 2, files.length], [10, 2, files.length], [12, 4, size], [16, 4, at]])
  return new Blob([...parts, ...directory, end] as Uint8Array<ArrayBuffer>[])
}

function record(length: number, name: Uint8Array, fields: readonly (readonly [number, 2 | 4, number])[]): Uint8Array {
  const bytes = new Uint8Array(length + name.length)
  const view = new DataView(bytes.buffer)
  for (const [at, width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
  }
  bytes.set(name, length)
  return bytes
}
