/** Entry of a TaskManager worker. */
import { reportLastChanceErrors } from './hosts/browser/last-chance.ts'
import type { FromTaskManager, ToTaskManager } from './hosts/browser/messages.ts'
import { TaskManagerShell } from './hosts/browser/task-manager-shell.ts'

const post = (message: FromTaskManager): void => self.postMessage(message)
reportLastChanceErrors(post)
const shell = new TaskManagerShell(post)
self.onmessage = (event: MessageEvent<ToTaskManager>) => shell.onMessage(event.data)
post({ type: 'ready' })
