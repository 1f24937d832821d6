import type { StreamHandle } from '../model/state-handles.ts'

/** The file of a handle; null when its bytes are in `_metadata`. `directory` is that of `_metadata`, without a slash at the end. */
export function streamPath(handle: StreamHandle, directory: string): string | null {
  switch (handle.kind) {
    case 'bytes':
      return null
    case 'file':
      return handle.path
    case 'relative':
      return `${directory}/${handle.name}`
  }
}
