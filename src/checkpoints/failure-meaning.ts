/** One sentence for each of Flink's failure reasons: what it means, and whether it counts (behaviour 4). */
import { CHECKPOINT_FAILURE_REASONS } from '../../workers/model/checkpoint.ts'
import type { CheckpointFailureReason } from '../../workers/model/checkpoint.ts'

const MEANINGS: Readonly<Record<CheckpointFailureReason, string>> = {
  PERIODIC_SCHEDULER_SHUTDOWN: 'The timer fired after periodic checkpoints had been switched off; no task heard of it.',
  TOO_MANY_CHECKPOINT_REQUESTS: 'More requests waited than the coordinator queues, so this one was refused.',
  MINIMUM_TIME_BETWEEN_CHECKPOINTS: 'The pause after the checkpoint before was not over; the request comes again when it is.',
  NOT_ALL_REQUIRED_TASKS_RUNNING: 'A task that has to take part was not running when the checkpoint was to start.',
  IO_EXCEPTION: 'The place where the checkpoint was to be written could not be prepared.',
  BLOCKING_OUTPUT_EXIST: 'The job has an edge that is written as a whole before it is read; a savepoint cannot cut through it.',
  CHECKPOINT_ASYNC_EXCEPTION: 'The state was taken, but a task could not write it: storage failed, or the state is larger than JobManager storage takes.',
  CHANNEL_STATE_SHARED_STREAM_EXCEPTION: 'Another subtask that writes in-flight data to the same file failed, and took this one with it.',
  CHECKPOINT_EXPIRED: 'Not every task had acknowledged within execution.checkpointing.timeout: look at what the last ones waited for.',
  CHECKPOINT_SUBSUMED: 'A newer checkpoint completed first, so this one was no longer wanted.',
  CHECKPOINT_DECLINED: 'A task refused it for a reason of its own.',
  CHECKPOINT_DECLINED_TASK_NOT_READY: 'A task was still being initialised or restored when the barrier or the command came.',
  CHECKPOINT_DECLINED_TASK_CLOSING: 'A task was ending when the barrier or the command came.',
  CHECKPOINT_DECLINED_SUBSUMED: 'The barrier of a newer checkpoint reached a task before all barriers of this one had.',
  CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER: 'A task upstream had given it up and told so along the channels.',
  CHECKPOINT_DECLINED_INPUT_END_OF_STREAM: 'An input ended while its barrier was awaited, with checkpoints of finished tasks switched off.',
  CHECKPOINT_COORDINATOR_SHUTDOWN: 'The job ended while it was under way.',
  CHECKPOINT_COORDINATOR_SUSPEND: 'The job left RUNNING while it was under way.',
  JOB_FAILOVER_REGION: 'Tasks were restarted while it was under way.',
  TASK_FAILURE: 'A task failed while it was under way.',
  TASK_CHECKPOINT_FAILURE: 'A task could not take its part.',
  UNKNOWN_TASK_CHECKPOINT_NOTIFICATION_FAILURE: 'A task could not be told of it.',
  FINALIZE_CHECKPOINT_FAILURE: 'Every task had acknowledged, but _metadata could not be written, or not be registered.',
  TRIGGER_CHECKPOINT_FAILURE: 'It could not be started; the cause is in the log of the JobManager.',
}

export interface FailureMeaning {
  readonly reason: CheckpointFailureReason
  readonly meaning: string
  readonly counting: string
}

/** `tolerable`: execution.checkpointing.tolerable-failed-checkpoints; null where it is not known. */
export function failureMeaning(reason: CheckpointFailureReason, savepoint: boolean, tolerable: number | null): FailureMeaning {
  return { reason, meaning: MEANINGS[reason], counting: countingOf(reason, savepoint, tolerable) }
}

function countingOf(reason: CheckpointFailureReason, savepoint: boolean, tolerable: number | null): string {
  const { counted, preFlight } = CHECKPOINT_FAILURE_REASONS[reason]
  const option = 'tolerable-failed-checkpoints'
  if (!counted) return `Does not count against ${option}${preFlight ? ': it failed before any task heard of it' : ''}.`
  const judged = savepoint ? `Counts against ${option} only where a task failed it, since it is a savepoint` : `Counts against ${option}`
  if (tolerable === null) return `${judged}.`
  if (tolerable === 0) return `${judged} (0): the first one fails the job, and the restart strategy decides.`
  return `${judged} (${tolerable}): the job fails when more than ${tolerable} in a row do; a completed checkpoint begins anew.`
}

/** The reason in a message of Flink's: by the event log where it reaches, else by the words that the reason begins with. */
export function reasonOfMessage(message: string | null | undefined): CheckpointFailureReason | null {
  if (message == null) return null
  const entries = Object.entries(CHECKPOINT_FAILURE_REASONS) as [CheckpointFailureReason, { readonly message: string }][]
  return entries.find(([, info]) => message.includes(info.message))?.[0] ?? null
}
