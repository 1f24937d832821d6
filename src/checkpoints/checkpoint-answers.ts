/** The JSON of Flink's checkpoint calls as the page reads it (CheckpointingStatistics, CheckpointStatistics, TaskCheckpointStatistics…; behaviour 19.2). */

export type CheckpointStatusName = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED'

/** Percentiles are the text "NaN" where there are none. */
export interface SummaryFigures {
  readonly min: number
  readonly max: number
  readonly avg: number
  readonly p50: number | string
  readonly p90: number | string
  readonly p95: number | string
  readonly p99: number | string
  readonly p999: number | string
}

interface CommonFigures {
  readonly latest_ack_timestamp: number
  readonly checkpointed_size: number
  readonly state_size: number
  readonly end_to_end_duration: number
  readonly processed_data: number
  readonly persisted_data: number
  readonly num_subtasks: number
  readonly num_acknowledged_subtasks: number
}

export interface CheckpointAnswer extends CommonFigures {
  readonly id: number
  readonly status: CheckpointStatusName
  readonly is_savepoint: boolean
  readonly savepointFormat: string | null
  readonly trigger_timestamp: number
  readonly checkpoint_type: string
  readonly tasks: Readonly<Record<string, TaskAnswer>>
  readonly external_path?: string | null
  readonly discarded?: boolean
  readonly failure_timestamp?: number
  readonly failure_message?: string | null
}

export interface TaskAnswer extends CommonFigures {
  readonly id: number
  readonly status: CheckpointStatusName
}

export interface RestoredAnswer {
  readonly id: number
  readonly restore_timestamp: number
  readonly is_savepoint: boolean
  readonly external_path: string | null
}

export interface StatisticsAnswer {
  readonly counts: { readonly restored: number; readonly total: number; readonly in_progress: number; readonly completed: number; readonly failed: number }
  readonly summary: Readonly<Record<'checkpointed_size' | 'state_size' | 'end_to_end_duration' | 'processed_data' | 'persisted_data', SummaryFigures>>
  readonly latest: {
    readonly completed: CheckpointAnswer | null
    readonly savepoint: CheckpointAnswer | null
    readonly failed: CheckpointAnswer | null
    readonly restored: RestoredAnswer | null
  }
  readonly history: readonly CheckpointAnswer[]
}

export interface SubtaskAnswer {
  readonly index: number
  readonly status: 'completed' | 'pending_or_failed'
}

export interface CompletedSubtaskAnswer extends SubtaskAnswer {
  readonly status: 'completed'
  readonly ack_timestamp: number
  readonly end_to_end_duration: number
  readonly checkpointed_size: number
  readonly state_size: number
  readonly checkpoint: { readonly sync: number; readonly async: number }
  readonly alignment: { readonly processed: number; readonly persisted: number; readonly duration: number }
  readonly start_delay: number
  readonly unaligned_checkpoint: boolean
  readonly aborted: boolean
}

export const isCompletedSubtask = (subtask: SubtaskAnswer): subtask is CompletedSubtaskAnswer => subtask.status === 'completed'

export interface SubtasksAnswer extends TaskAnswer {
  readonly summary: {
    readonly checkpointed_size: SummaryFigures
    readonly state_size: SummaryFigures
    readonly end_to_end_duration: SummaryFigures
    readonly checkpoint_duration: { readonly sync: SummaryFigures; readonly async: SummaryFigures }
    readonly alignment: { readonly processed: SummaryFigures; readonly persisted: SummaryFigures; readonly duration: SummaryFigures }
    readonly start_delay: SummaryFigures
  }
  readonly subtasks: readonly SubtaskAnswer[]
}

export interface ConfigAnswer {
  readonly mode: 'exactly_once' | 'at_least_once'
  readonly interval: number
  readonly timeout: number
  readonly min_pause: number
  readonly max_concurrent: number
  readonly externalization: { readonly enabled: boolean; readonly delete_on_cancellation: boolean }
  readonly state_backend: string
  readonly checkpoint_storage: string
  readonly unaligned_checkpoints: boolean
  readonly tolerable_failed_checkpoints: number
  readonly aligned_checkpoint_timeout: number
  readonly checkpoints_after_tasks_finish: boolean
  readonly state_changelog_enabled: boolean
  readonly changelog_storage: string | null
  readonly changelog_periodic_materialization_interval: number | null
}

/** "aligned checkpoint", "savepoint on cancel"; Flink's words for its types. */
export function checkpointTypeWord(type: string): string {
  const words: Readonly<Record<string, string>> = {
    CHECKPOINT: 'aligned checkpoint',
    UNALIGNED_CHECKPOINT: 'unaligned checkpoint',
    SAVEPOINT: 'savepoint',
    SYNC_SAVEPOINT: 'savepoint on cancel',
  }
  return words[type] ?? '-'
}
