/** Entry of the storage worker: the file system on IndexedDB. */
import { reportLastChanceErrors } from './hosts/browser/last-chance.ts'
import type { ToStorage, WorkerNotice } from './hosts/browser/messages.ts'
import { StorageShell } from './hosts/browser/storage-shell.ts'
import { IdbFileSystem } from './storage/idb-file-system.ts'

const post = (message: WorkerNotice): void => self.postMessage(message)
reportLastChanceErrors(post)
const shell = new StorageShell(post, new IdbFileSystem('weir-files'))
self.onmessage = (event: MessageEvent<ToStorage>) => shell.onMessage(event.data)
post({ type: 'ready' })
