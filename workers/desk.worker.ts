/** Entry of the desk worker: it reads, compares, copies and packs snapshots, with a connection of its own to the file system. */
import { DeskShell } from './hosts/browser/desk-shell.ts'
import { reportLastChanceErrors } from './hosts/browser/last-chance.ts'
import type { FromDesk, ToDesk } from './hosts/browser/messages.ts'
import { IdbFileSystem } from './storage/idb-file-system.ts'

const post = (message: FromDesk): void => self.postMessage(message)
reportLastChanceErrors(post)
const shell = new DeskShell(new IdbFileSystem('weir-files'))
self.onmessage = (event: MessageEvent<ToDesk>) => shell.onMessage(event.data)
post({ type: 'ready' })
