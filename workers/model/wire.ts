import type { CheckpointId } from './ids.ts'
import type { CheckpointOptions } from './checkpoint.ts'
import type { EngineTime } from './time.ts'

/**
 * What travels on a channel. Sender to receiver: `ChannelMessage`; receiver to sender: `ChannelFeedback`. One port (or one simulated
 * link) per channel carries both. All of it is structured-cloneable; `payload` is transferred.
 */
export type ChannelMessage = DataBuffer | ChannelEvent
export type ChannelFeedback = CreditFeedback | ResumeFeedback | AllDataProcessedFeedback | BufferSizeFeedback

/**
 * One of Flink's buffers: whole records, stored as columns (workers/network/record-batch.ts has the layout). `payload` comes back with
 * the credit and is used again.
 */
export interface DataBuffer {
  readonly kind: 'buffer'
  /** Per channel, from 1: names this buffer in the record trace. */
  readonly sequence: number
  readonly payload: ArrayBuffer
  readonly count: number
  /** Length in Flink's encoding: what Flink's sizes and metrics count. */
  readonly bytes: number
  /** New entries of the channel's dictionary, to be appended by the receiver. A batch refers to entries up to and including these. */
  readonly words: readonly string[]
  /** A new epoch starts the dictionary anew (before `words`). */
  readonly dictionaryEpoch: number
  /** Watermarks, each before the record at `index` (`index` = `count`: after the last). */
  readonly watermarks: readonly { readonly index: number; readonly value: number }[]
  /** Present while records are traced: where each record came from. */
  readonly lineage: readonly Lineage[] | null
  /** Buffers waiting behind this one at the sender (Flink's backlog). */
  readonly backlog: number
  readonly sentAt: EngineTime
}

/** The source record that a record descends from. Several records of one origin get different `branch` numbers. */
export interface Lineage {
  readonly partition: number
  readonly offset: number
  readonly branch: number
  /** Read for the second time, after a recovery. */
  readonly replayed: boolean
}

/** Between buffers. Needs no credit; keeps its place in the order of the channel unless it is a priority event. */
export interface ChannelEvent {
  readonly kind: 'event'
  readonly sequence: number
  readonly event:
    | CheckpointBarrier
    | CancelCheckpointMarker
    | { readonly type: 'end-of-data'; readonly drain: boolean }
    | { readonly type: 'end-of-partition' }
  readonly sentAt: EngineTime
}

export interface CheckpointBarrier {
  readonly type: 'barrier'
  readonly checkpointId: CheckpointId
  /** When the JobManager triggered it (engine time). */
  readonly timestamp: EngineTime
  readonly options: CheckpointOptions
}

export interface CancelCheckpointMarker {
  readonly type: 'cancel-checkpoint'
  readonly checkpointId: CheckpointId
}

export interface CreditFeedback {
  readonly kind: 'credit'
  readonly credits: number
  /** Emptied payloads, transferred back. */
  readonly recycled: readonly ArrayBuffer[]
}

/** The receiver has finished aligning: the subpartition, stopped since its barrier was taken, may go on (behaviour 6.2). */
export interface ResumeFeedback {
  readonly kind: 'resume'
}

/** The receiver has processed everything up to the end-of-data event (behaviour 14): the sender may wait for its final checkpoint. */
export interface AllDataProcessedFeedback {
  readonly kind: 'all-data-processed'
}

/** New buffers should be full at this many bytes (buffer debloating, behaviour 8.3). Flink: NewBufferSize. */
export interface BufferSizeFeedback {
  readonly kind: 'buffer-size'
  readonly bytes: number
}
