/** `/jobs/:jobid/exceptions`. Flink: JobExceptionsHandler. */
import { toMillis } from '../../model/time.ts'
import type { ExceptionEntry } from '../exception-history.ts'
import type { JobMaster } from '../job-master.ts'

export function exceptionsAnswer(master: JobMaster, limit: number): unknown {
  const { entries, truncated } = master.exceptions
  const newestFirst = [...entries].reverse()
  const shown = newestFirst.slice(0, limit)
  const latest = newestFirst[0]
  const isCut = truncated || shown.length < newestFirst.length
  return {
    'root-exception': latest === undefined ? null : stacktraceOf(latest),
    timestamp: latest === undefined ? null : toMillis(latest.at),
    'all-exceptions': shown.map((entry) => ({
      exception: stacktraceOf(entry),
      task: entry.taskName,
      location: entry.taskManager ?? '(unassigned)',
      timestamp: toMillis(entry.at),
      taskManagerId: entry.taskManager,
    })),
    truncated: isCut,
    exceptionHistory: { entries: shown.map(historyEntry), truncated: isCut },
  }
}

const historyEntry = (entry: ExceptionEntry): unknown => ({
  exceptionName: entry.message.split(':')[0],
  stacktrace: stacktraceOf(entry),
  timestamp: toMillis(entry.at),
  failureLabels: {},
  taskName: entry.taskName,
  endpoint: entry.taskManager,
  taskManagerId: entry.taskManager,
  concurrentExceptions: [],
})

const stacktraceOf = (entry: ExceptionEntry): string => (entry.detail === null ? entry.message : `${entry.message}\n${entry.detail}`)
