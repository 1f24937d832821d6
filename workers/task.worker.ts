/** Entry of a task worker: one subtask. */
import { reportLastChanceErrors } from './hosts/browser/last-chance.ts'
import type { FromTask, ToTask } from './hosts/browser/messages.ts'
import { putAscii } from './hosts/browser/put-ascii.ts'
import { TASK_ENVIRONMENT } from './hosts/browser/task-parts.ts'
import { TaskShell } from './hosts/browser/task-shell.ts'
import { bringPutAscii } from './state/serializers/put.ts'

const post = (message: FromTask): void => self.postMessage(message)
reportLastChanceErrors(post)
bringPutAscii(putAscii)
const shell = new TaskShell(post, TASK_ENVIRONMENT)
self.onmessage = (event: MessageEvent<ToTask>) => shell.onMessage(event.data)
post({ type: 'ready' })
