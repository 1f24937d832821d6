/** Entry of the JobManager worker. */
import { JobManagerShell } from './hosts/browser/job-manager-shell.ts'
import { reportLastChanceErrors } from './hosts/browser/last-chance.ts'
import type { FromJobManager, ToJobManager } from './hosts/browser/messages.ts'
import { engineOptions } from './jobmaster/engine-options.ts'

const post = (message: FromJobManager): void => self.postMessage(message)
reportLastChanceErrors(post)
const shell = new JobManagerShell(post, engineOptions)
self.onmessage = (event: MessageEvent<ToJobManager>) => shell.onMessage(event.data)
post({ type: 'ready' })
