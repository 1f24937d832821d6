/**
 * The central directory at the end of a zip: what is in it, where, how large. Layout: APPNOTE.TXT of PKWARE, sections 4.3.12 to 4.3.16 and 4.5.3
 * (zip64). All numbers are little-endian.
 */

export interface ZipEntry {
  /** With `/`; relative, without `.` and `..`. */
  readonly name: string
  readonly flags: number
  /** 0 stored, 8 deflated. */
  readonly method: number
  readonly checksum: number
  readonly compressedSize: number
  readonly size: number
  /** Of its local header. */
  readonly offset: number
}

const END_MAGIC = 0x06054b50
const END_LENGTH = 22
const COMMENT_MAX = 0xffff
const END64_LOCATOR_MAGIC = 0x07064b50
const END64_LOCATOR_LENGTH = 20
const END64_MAGIC = 0x06064b50
const ENTRY_MAGIC = 0x02014b50
const ENTRY_LENGTH = 46
const ZIP64_FIELD = 1
const IN_ZIP64 = 0xffffffff
const DIRECTORY_MAX = 64 * 1024 * 1024

/** The files, without folders. Throws for a name that leads out of the folder, and for two files of one name. */
export async function readCentralDirectory(zip: Blob, filesMax: number): Promise<ZipEntry[]> {
  const { offset, size, count } = await findDirectory(zip)
  if (count > filesMax) throw new Error(`the zip holds ${count} files, more than the ${filesMax} that are unpacked`)
  if (size > DIRECTORY_MAX || offset + size > zip.size) throw new Error('the zip is damaged: its directory is not where its end says')
  const view = new DataView(await zip.slice(offset, offset + size).arrayBuffer())
  const entries: ZipEntry[] = []
  const names = new Set<string>()
  for (let at = 0, n = 0; n < count; n++) {
    if (at + ENTRY_LENGTH > size || view.getUint32(at, true) !== ENTRY_MAGIC) throw new Error(`the zip is damaged: its directory ends after ${n} of ${count} files`)
    const { entry, next } = readEntry(view, at)
    at = next
    if (entry === null) continue
    if (names.has(entry.name)) throw new Error(`the zip holds "${entry.name}" twice`)
    names.add(entry.name)
    entries.push(entry)
  }
  for (const name of names) {
    for (let slash = name.indexOf('/'); slash !== -1; slash = name.indexOf('/', slash + 1)) {
      if (names.has(name.slice(0, slash))) throw new Error(`the zip holds "${name.slice(0, slash)}" both as a file and as a folder`)
    }
  }
  return entries
}

async function findDirectory(zip: Blob): Promise<{ readonly offset: number; readonly size: number; readonly count: number }> {
  const start = Math.max(0, zip.size - END_LENGTH - COMMENT_MAX - END64_LOCATOR_LENGTH)
  const view = new DataView(await zip.slice(start).arrayBuffer())
  for (let at = view.byteLength - END_LENGTH; at >= 0; at--) {
    if (view.getUint32(at, true) !== END_MAGIC) continue
    const end = { count: view.getUint16(at + 10, true), size: view.getUint32(at + 12, true), offset: view.getUint32(at + 16, true) }
    const locator = at - END64_LOCATOR_LENGTH
    if (locator >= 0 && view.getUint32(locator, true) === END64_LOCATOR_MAGIC) return findZip64(zip, bigNumber(view, locator + 8))
    return end
  }
  throw new Error('the zip is damaged: it has no end (cut off while it was downloaded?)')
}

async function findZip64(zip: Blob, at: number): Promise<{ readonly offset: number; readonly size: number; readonly count: number }> {
  const view = new DataView(await zip.slice(at, at + 56).arrayBuffer())
  if (view.byteLength < 56 || view.getUint32(0, true) !== END64_MAGIC) throw new Error('the zip is damaged: its zip64 end is not where its locator says')
  return { count: bigNumber(view, 32), size: bigNumber(view, 40), offset: bigNumber(view, 48) }
}

function readEntry(view: DataView, at: number): { readonly entry: ZipEntry | null; readonly next: number } {
  const [nameLength, extraLength, commentLength] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true)]
  const nameAt = at + ENTRY_LENGTH
  const next = nameAt + nameLength + extraLength + commentLength
  if (next > view.byteLength) throw new Error('the zip is damaged: its directory ends within a name')
  const raw = new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + nameAt, nameLength)).replaceAll('\\', '/')
  if (raw.endsWith('/')) return { entry: null, next }
  const method = view.getUint16(at + 10, true)
  if (method !== 0 && method !== 8) throw new Error(`the zip cannot be read: "${raw}" is packed by method ${method}; 0 (stored) and 8 (deflated) can be unpacked`)
  const sizes = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
  const [size, compressedSize, offset] = zip64Sizes(sizes, view, nameAt + nameLength, extraLength) as [number, number, number]
  const entry = { name: safeName(raw), flags: view.getUint16(at + 8, true), method, checksum: view.getUint32(at + 16, true), size, compressedSize, offset }
  return { entry, next }
}

/** Numbers that do not fit stand in an extra field, in this order. */
function zip64Sizes(sizes: readonly number[], view: DataView, extraAt: number, extraLength: number): readonly number[] {
  if (!sizes.includes(IN_ZIP64)) return sizes
  for (let at = extraAt; at + 4 <= extraAt + extraLength; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== ZIP64_FIELD) continue
    let field = at + 4
    const end = Math.min(field + view.getUint16(at + 2, true), extraAt + extraLength)
    return sizes.map((value) => {
      if (value !== IN_ZIP64 || field + 8 > end) return value
      field += 8
      return bigNumber(view, field - 8)
    })
  }
  return sizes
}

function bigNumber(view: DataView, at: number): number {
  const value = Number(view.getBigUint64(at, true))
  if (!Number.isSafeInteger(value)) throw new Error('the zip is damaged: a number in it is larger than any file')
  return value
}

/** A name in a zip or of a dropped file; throws where it does not stay in its folder. */
export function safeName(name: string): string {
  const isOutside = name.startsWith('/') || /^[a-z]:/i.test(name) || name.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')
  // oxlint-disable-next-line no-control-regex -- these are what is refused
  if (name === '' || isOutside || /[\u0000-\u001f]/.test(name)) throw new Error(`"${name}" is no name of a file in a folder: nothing was unpacked`)
  return name
}
