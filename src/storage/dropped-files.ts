/** What was dropped or chosen, as sources: one for each `_metadata` in it. */
import type { DroppedSource } from './desk-types.ts'
import { lastPart } from './desk-types.ts'

export interface DroppedFile {
  /** Relative to what was dropped, with the name of a dropped directory in front. */
  readonly path: string
  readonly file: Blob
}

const METADATA = '_metadata'
const byName = new Intl.Collator('en', { numeric: true }).compare

/** Every file below what was dropped. Must be called in the event's own turn: the list is empty after it. */
export async function filesOfDrop(transfer: DataTransfer): Promise<readonly DroppedFile[]> {
  const dropped = [...transfer.items].filter((item) => item.kind === 'file').map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  // What was not dragged out of a file system has no entry.
  const found = await Promise.all(dropped.map(({ entry, file }) => (entry === null ? Promise.resolve(file === null ? [] : [{ path: file.name, file }]) : filesBelow(entry))))
  return found.flat()
}

async function filesBelow(entry: FileSystemEntry): Promise<readonly DroppedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ path: entry.fullPath.replace(/^\//, ''), file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: DroppedFile[] = []
  // A reader hands out at most a hundred at a time, and none at the end.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return found
    for (const one of part) found.push(...(await filesBelow(one)))
  }
}

/** Of a file chooser. */
export const filesOfList = (list: FileList): readonly DroppedFile[] => [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }))

/**
 * The snapshots among files: paths become relative to the directory of each `_metadata`, those of other directories (shared files) keep theirs. A
 * single file under another name may be a zip of one, or a `_metadata` all the same: the desk looks at its bytes. [] where there is none.
 */
export function snapshotsAmong(files: readonly DroppedFile[]): readonly DroppedSource[] {
  const [only] = files
  const found = files.filter(({ path }) => path === METADATA || path.endsWith(`/${METADATA}`))
  if (only !== undefined && files.length === 1 && found.length === 0) return [{ kind: 'dropped', name: lastPart(only.path), files: [{ path: lastPart(only.path), file: only.file }] }]
  return found.toSorted((a, b) => byName(a.path, b.path)).map(({ path }) => {
    const directory = path.slice(0, -METADATA.length)
    const others = found.map((other) => other.path.slice(0, -METADATA.length)).filter((other) => !directory.startsWith(other))
    return {
      kind: 'dropped',
      name: lastPart(directory.replace(/\/$/, '')) || METADATA,
      files: files
        .filter((file) => !others.some((other) => file.path.startsWith(other)) && (file.path === path || !file.path.endsWith(`/${METADATA}`)))
        .map((file) => ({ path: file.path.startsWith(directory) ? file.path.slice(directory.length) : file.path, file: file.file })),
    }
  })
}
