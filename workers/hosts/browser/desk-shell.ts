/** Puts the desk into a worker: its surface for the page, over the file system. */
import { expose } from 'comlink'
import type { FileSystem } from '../../storage/file-system.ts'
import type { ToDesk } from './messages.ts'
import type { SnapshotDesk } from './snapshot-desk.ts'

export class DeskShell {
  private readonly files: FileSystem

  constructor(files: FileSystem) {
    this.files = files
  }

  onMessage(message: ToDesk): void {
    expose(this.surface(), message.surface)
  }

  private surface(): Pick<SnapshotDesk, 'remove'> {
    return {
      remove: async (paths) => {
        for (const path of paths) {
          const deleted = await this.files.execute({ type: 'delete-below', directory: path, keep: [] }, null)
          if (!deleted.ok) throw new Error(deleted.message)
        }
        const result = await this.files.execute({ type: 'transact', writes: [], deletes: paths, durability: 'strict' }, null)
        if (!result.ok) throw new Error(result.message)
      },
    }
  }
}
