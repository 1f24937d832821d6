/** `/jobs/:jobid/exceptions`. Flink: JobExceptionsHandler, JobExceptionsInfoWithHistory (2.0 and later: the history alone). */
import { CAUSED_BY } from '../../model/execution.ts'
import { toMillis } from '../../model/time.ts'
import type { ExceptionEntry, RootException } from '../exception-history.ts'
import type { JobMaster } from '../job-master.ts'

/** @param limit how many root causes, the newest first. */
export function exceptionsAnswer(master: JobMaster, limit: number): unknown {
  const newestFirst = [...master.exceptions.entries].reverse()
  const shown = newestFirst.slice(0, limit)
  return { exceptionHistory: { entries: shown.map(rootOf), truncated: shown.length < newestFirst.length } }
}

const rootOf = (entry: RootException): unknown => ({ ...infoOf(entry), concurrentExceptions: entry.concurrent.map(infoOf) })

/** A failure of the job as a whole has neither task nor place. */
const infoOf = (entry: ExceptionEntry): Record<string, unknown> => ({
  exceptionName: entry.message.split(CAUSED_BY)[0]?.split(':')[0],
  stacktrace: entry.message.replaceAll(CAUSED_BY, `\n${CAUSED_BY.trimStart()}`) + (entry.detail === null ? '' : `\n${entry.detail}`),
  timestamp: toMillis(entry.at),
  failureLabels: {},
  ...(entry.taskName === null
    ? {}
    : { taskName: entry.taskName, endpoint: entry.taskManager ?? '(unassigned)', taskManagerId: entry.taskManager ?? '(unassigned)' }),
})
