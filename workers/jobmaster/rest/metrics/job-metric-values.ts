/** The metrics of a job. Flink: DefaultCheckpointStatsTracker, UpTimeGauge, DownTimeGauge, SchedulerBase (behaviour 19.3). */
import { durationMillis, totalsOf } from '../../../coordinator/statistics.ts'
import type { CheckpointStatistics, CheckpointStats } from '../../../coordinator/statistics.ts'
import { isGloballyTerminal } from '../../../model/execution.ts'
import type { EngineTime } from '../../../model/time.ts'
import { toMillis } from '../../../model/time.ts'
import type { JobMaster } from '../../job-master.ts'
import { millisOr } from '../rest-answers.ts'
import type { MetricValues } from './task-metric-values.ts'

export function jobMetricValues(master: JobMaster, now: EngineTime): MetricValues {
  const { statistics } = master.coordinator
  const { total, inProgress, completed, failed, latestRestored } = statistics
  return new Map([
    ['totalNumberOfCheckpoints', String(total)],
    ['numberOfInProgressCheckpoints', String(inProgress)],
    ['numberOfCompletedCheckpoints', String(completed)],
    ['numberOfFailedCheckpoints', String(failed)],
    ['lastCheckpointRestoreTimestamp', String(millisOr(latestRestored?.restoredAt))],
    ...lastCheckpointValues(lastCompleted(statistics)),
    ['uptime', String(uptime(master, now))],
    ['downtime', String(downtime(master, now))],
    ['numRestarts', String(master.failover.restarts)],
  ])
}

/** -1, or "n/a", before the first. */
function lastCheckpointValues(last: CheckpointStats | null): [string, string][] {
  const totals = last === null ? null : totalsOf(last)
  return [
    ['lastCheckpointSize', String(totals?.checkpointedBytes ?? -1)],
    ['lastCheckpointFullSize', String(totals?.stateBytes ?? -1)],
    ['lastCheckpointDuration', String(last === null ? -1 : (durationMillis(last) ?? -1))],
    ['lastCheckpointProcessedData', String(totals?.processedBytes ?? -1)],
    ['lastCheckpointPersistedData', String(totals?.persistedBytes ?? -1)],
    ['lastCheckpointExternalPath', last?.externalPath ?? 'n/a'],
    ['lastCompletedCheckpointId', String(last?.id ?? -1)],
    ['lastCheckpointCompletedTimestamp', String(millisOr(last?.latestAckAt))],
  ]
}

/** Checkpoint or savepoint: these metrics make no difference. */
function lastCompleted({ latestCompleted, latestSavepoint }: CheckpointStatistics): CheckpointStats | null {
  if (latestCompleted === null || latestSavepoint === null) return latestCompleted ?? latestSavepoint
  return (latestSavepoint.latestAckAt ?? 0) > (latestCompleted.latestAckAt ?? 0) ? latestSavepoint : latestCompleted
}

/** Since the job is RUNNING; 0: it is not yet, or not now; -1: not any more. In milliseconds, as `downtime`. */
function uptime({ status }: JobMaster, now: EngineTime): number {
  if (isGloballyTerminal(status.status)) return -1
  return status.is('RUNNING') ? toMillis(now - (status.timestamps.get('RUNNING') ?? now)) : 0
}

/** Since the job is FAILING. A job that restarts is not. */
function downtime({ status }: JobMaster, now: EngineTime): number {
  if (isGloballyTerminal(status.status)) return -1
  return status.is('FAILING') ? toMillis(now - (status.timestamps.get('FAILING') ?? now)) : 0
}
