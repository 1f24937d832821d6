/** Entry of the observer worker. */
import { reportLastChanceErrors } from './hosts/browser/last-chance.ts'
import type { FromObserver, ToObserver } from './hosts/browser/messages.ts'
import { ObserverShell } from './hosts/browser/observer-shell.ts'

const post = (message: FromObserver): void => self.postMessage(message)
reportLastChanceErrors(post)
const shell = new ObserverShell(post)
self.onmessage = (event: MessageEvent<ToObserver>) => shell.onMessage(event.data)
post({ type: 'ready' })
