/** The files of a zip that was dropped, so that it can be looked at without being stored. */
import { unzip } from 'fflate'
import type { DroppedFile } from './dropped-files.ts'

/** Of all files unpacked: more than a page should hold. */
const BYTES_MAX = 1024 * 1024 * 1024
const FILES_MAX = 100_000

/** Paths are below `name`, unless everything in the zip lies in one directory already. Rejects what is no zip, and one that unpacks to too much. */
export async function filesOfZip(zip: Blob, name: string): Promise<readonly DroppedFile[]> {
  const packed = new Uint8Array(await zip.arrayBuffer())
  let bytes = 0
  let count = 0
  const files = await new Promise<Record<string, Uint8Array>>((resolve, reject) => {
    const filter = ({ originalSize }: { readonly originalSize: number }): boolean => {
      bytes += originalSize
      count++
      return bytes <= BYTES_MAX && count <= FILES_MAX
    }
    unzip(packed, { filter }, (error, data) => (error === null ? resolve(data) : reject(new Error(`it is no zip that can be read (${error.message})`))))
  })
  if (bytes > BYTES_MAX || count > FILES_MAX) throw new Error('it unpacks to more than 1 GB or 100 000 files; unpack it and drop the directory')
  const paths = Object.keys(files).filter((path) => !path.endsWith('/'))
  const [first = ''] = paths
  const root = first.slice(0, first.indexOf('/') + 1)
  const isRooted = root !== '' && paths.every((path) => path.startsWith(root))
  return paths.map((path) => ({ path: isRooted ? path : `${name}/${path}`, file: new Blob([files[path] as Uint8Array<ArrayBuffer>]) }))
}
