/** Puts the desk into a worker: its surface for the page, over the file system. */
import { expose } from 'comlink'
import type { StorageTree } from '../../model/snapshot-desk.ts'
import type { FileSystem } from '../../storage/file-system.ts'
import { Desk } from './desk/desk.ts'
import type { ToDesk } from './messages.ts'

export class DeskShell {
  private readonly desk: Desk

  constructor(files: FileSystem) {
    this.desk = new Desk(files, askQuota)
  }

  onMessage(message: ToDesk): void {
    expose(this.desk, message.surface)
  }
}

async function askQuota(): Promise<StorageTree['quota']> {
  // Absent in an insecure origin.
  const storage = navigator.storage as StorageManager | undefined
  const { usage, quota } = (await storage?.estimate().catch(() => undefined)) ?? {}
  return usage === undefined || quota === undefined ? null : { usedBytes: usage, limitBytes: quota }
}
