/**
 * Checkpoints as the page shows them: a history, and for each checkpoint what every subtask has done for it (Flink's checkpoint
 * details, while they happen). Made of protocol events alone.
 */
import type { CheckpointFailureReason, CheckpointMetrics } from '../model/checkpoint.ts'
import type { SnapshotPart } from '../model/events.ts'
import type { ChannelId, CheckpointId, ExecutionAttemptId, VertexId } from '../model/ids.ts'
import { MICROS_PER_MS, millisBetween } from '../model/time.ts'
import type { EngineTime } from '../model/time.ts'

export type PartKind = SnapshotPart['kind']

/** The columns of the snapshot matrix, in order. */
export const PART_KINDS: readonly PartKind[] = ['offsets', 'keyed', 'operator', 'timers', 'in-flight', 'transactions']

/** Older checkpoints leave the view. */
export const CHECKPOINT_HISTORY_MAX = 60

export type SnapshotCell =
  /** Does not apply: a dash, so that emptiness is not ambiguous. */
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'aligning' }
  | { readonly kind: 'sync' }
  | { readonly kind: 'async'; readonly written: number; readonly total: number; readonly entries: number }
  /** `bytes` is null where one acknowledgement covers several parts and only the whole is known; then `entries` tells. */
  | { readonly kind: 'acknowledged'; readonly bytes: number | null; readonly entries: number }
  | { readonly kind: 'declined'; readonly reason: CheckpointFailureReason }

export type SubtaskPhase = 'waiting' | 'aligning' | 'sync' | 'async' | 'acknowledged' | 'declined' | 'aborted'

export interface SubtaskCheckpoint {
  readonly vertex: VertexId
  readonly subtask: number
  readonly attempt: ExecutionAttemptId | null
  readonly phase: SubtaskPhase
  readonly expectedBarriers: number
  /** In order of arrival. */
  readonly barriers: readonly { readonly channel: ChannelId; readonly at: EngineTime }[]
  /** Engine times; null while they have not come. A source starts when its barrier leaves: it has no input to wait for. */
  readonly startedAt: EngineTime | null
  /** Its barrier left on every output; null at a task without outputs. */
  readonly emittedAt: EngineTime | null
  /** The snapshot was taken before every barrier was there: in-flight data became part of it. */
  readonly unalignedAt: EngineTime | null
  /** Bytes of in-flight data in this snapshot; null: not known yet. */
  readonly inFlightBytes: number | null
  readonly alignedAt: EngineTime | null
  readonly syncStartedAt: EngineTime | null
  readonly syncEndedAt: EngineTime | null
  readonly asyncEndedAt: EngineTime | null
  readonly acknowledgedAt: EngineTime | null
  readonly notifiedAt: EngineTime | null
  readonly cells: Readonly<Record<PartKind, SnapshotCell>>
  /** The task's own account, with its acknowledgement. */
  readonly metrics: CheckpointMetrics | null
  readonly message: string | null
}

export type CheckpointStatus = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED'

export interface CheckpointRecord {
  readonly id: CheckpointId
  readonly status: CheckpointStatus
  readonly periodic: boolean
  readonly savepoint: boolean
  readonly triggeredAt: EngineTime
  readonly endedAt: EngineTime | null
  readonly acknowledged: number
  readonly tasks: number
  /** Bytes acknowledged so far; at the end what the coordinator says. */
  readonly checkpointedBytes: number
  readonly stateBytes: number
  readonly externalPath: string | null
  readonly reason: CheckpointFailureReason | null
  readonly message: string | null
  readonly subsumedBy: CheckpointId | null
  /** How often the job came back from it. */
  readonly restores: number
  /** Subtasks told of its completion. */
  readonly notified: number
  /** In topological order: the rows of the matrix and of the timeline. */
  readonly subtasks: readonly SubtaskCheckpoint[]
}

export interface CheckpointView {
  /** Oldest first. */
  readonly history: readonly CheckpointRecord[]
  /** Announced time of the next periodic trigger. */
  readonly nextAt: EngineTime | null
  readonly completed: number
  readonly failed: number
  readonly latestCompleted: CheckpointId | null
  /** What completed checkpoints take of the JobManager's memory, oldest first. */
  readonly held: readonly { readonly checkpointId: CheckpointId; readonly bytes: number }[]
  readonly lastRejection: { readonly at: EngineTime; readonly reason: CheckpointFailureReason; readonly message: string } | null
}

export const EMPTY_CHECKPOINT_VIEW: CheckpointView = {
  history: [],
  nextAt: null,
  completed: 0,
  failed: 0,
  latestCompleted: null,
  held: [],
  lastRejection: null,
}

export const findCheckpoint = (view: CheckpointView, id: CheckpointId): CheckpointRecord | undefined =>
  view.history.find((record) => record.id === id)

export const underWay = (view: CheckpointView): CheckpointId[] => view.history.filter((record) => record.status === 'IN_PROGRESS').map((record) => record.id)

export type CheckpointType = 'aligned' | 'unaligned' | 'savepoint'

/** In-flight data that this checkpoint holds, as far as it is known. */
export const inFlightBytes = (record: CheckpointRecord): number => record.subtasks.reduce((sum, subtask) => sum + (subtask.inFlightBytes ?? 0), 0)

/** As Flink tells them apart: unaligned is what holds in-flight data, whatever its barriers were allowed to do. */
export const checkpointType = (record: CheckpointRecord): CheckpointType =>
  record.savepoint ? 'savepoint' : inFlightBytes(record) > 0 ? 'unaligned' : 'aligned'

/** The one under way; else the newest. */
export function currentCheckpoint(view: CheckpointView): CheckpointRecord | undefined {
  return view.history.findLast((record) => record.status === 'IN_PROGRESS') ?? view.history.at(-1)
}

/** Shorter ones are told in tenths of a millisecond. */
const WHOLE_MILLIS_FROM = 10_000

/** While it is under way its age, afterwards its duration as Flink has it: the difference of two times in whole milliseconds. */
export function checkpointAge({ triggeredAt, endedAt }: Pick<CheckpointRecord, 'triggeredAt' | 'endedAt'>, now: EngineTime): EngineTime {
  const age = Math.max(0, (endedAt ?? now) - triggeredAt)
  return endedAt === null || age < WHOLE_MILLIS_FROM ? age : millisBetween(triggeredAt, endedAt) * MICROS_PER_MS
}
