/** Entry of the outside worker: topics, sinks and transactions, in a database of their own. */
import { reportLastChanceErrors } from './hosts/browser/last-chance.ts'
import type { ToOutside, WorkerNotice } from './hosts/browser/messages.ts'
import { OutsideShell } from './hosts/browser/outside-shell.ts'

const post = (message: WorkerNotice): void => self.postMessage(message)
reportLastChanceErrors(post)
const shell = new OutsideShell(post, 'weir-outside')
self.onmessage = (event: MessageEvent<ToOutside>) => shell.onMessage(event.data)
post({ type: 'ready' })
