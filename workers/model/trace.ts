import type { ChannelId, CheckpointId, ExecutionAttemptId, OperatorId } from './ids.ts'
import type { Lineage } from './wire.ts'
import type { Value } from './schema.ts'
import type { EngineTime } from './time.ts'

/**
 * The record trace: where every record is, for the eye. Only emitted while `traced` is on (a pace the eye can follow, a bounded
 * rate); everything else of the page works without it.
 */
export type TraceEvent =
  /** A record was put at the end of a channel's output queue. `label` is the key (or the value) as text. */
  | { readonly type: 'queued'; readonly at: EngineTime; readonly channel: ChannelId; readonly record: TracedRecord }
  /** The oldest `records` queued records left the sender as buffer `sequence`. `takes`: from its first byte to its last, where the channel has a rate. */
  | { readonly type: 'sent'; readonly at: EngineTime; readonly channel: ChannelId; readonly sequence: number; readonly records: number; readonly takes?: EngineTime }
  /** A barrier entered the output queue / left the sender / reached the receiver's queue / was taken. */
  | { readonly type: 'barrier'; readonly at: EngineTime; readonly channel: ChannelId; readonly checkpointId: CheckpointId; readonly step: 'queued' | 'sent' | 'received' | 'taken' }
  /** Buffer `sequence` reached the receiver's queue. */
  | { readonly type: 'received'; readonly at: EngineTime; readonly channel: ChannelId; readonly sequence: number }
  /** The oldest record of the channel was taken into work; it will be done at `until`. */
  | { readonly type: 'taken'; readonly at: EngineTime; readonly channel: ChannelId; readonly attempt: ExecutionAttemptId; readonly until: EngineTime }
  /** A source read a record. */
  | { readonly type: 'read'; readonly at: EngineTime; readonly attempt: ExecutionAttemptId; readonly record: TracedRecord }
  /** A key's state changed. */
  | { readonly type: 'state'; readonly at: EngineTime; readonly attempt: ExecutionAttemptId; readonly operator: OperatorId; readonly state: string; readonly key: Value; readonly keyGroup: number; readonly value: Value; readonly record: TracedRecord | null }

export interface TracedRecord extends Lineage {
  readonly label: string
  /** The record belongs to this checkpoint: it is before its barrier (the first whose barrier follows it at its source). */
  readonly checkpoint: CheckpointId
}
