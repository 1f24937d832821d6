/**
 * Splits and enumerator states in the bytes of Flink's connectors (formats 16): the number sequence of flink-core and datagen, and the Kafka
 * connector's layouts for logs (split version 0, enumerator version 3).
 */
import { DataInput } from '../../state/serializers/data-input.ts'
import { DataOutput } from '../../state/serializers/data-output.ts'

/** A partition of a log. `stop` null: read on without end. */
export interface LogSplit {
  readonly topic: string
  readonly partition: number
  readonly offset: number
  readonly stop: number | null
}

/** Positions from `next` to `to`, both inclusive. */
export interface SequenceSplit {
  readonly id: string
  readonly next: number
  readonly to: number
}

/** Name of the reader's list state. Flink: SourceOperator.SPLITS_STATE_DESC. */
export const READER_STATE = 'SourceReaderState'

const NO_STOP = -(2n ** 63n)
const SPLIT_VERSION = 0
const SEQUENCE_SPLIT_VERSION = 1

export const logSplitName = (split: Pick<LogSplit, 'topic' | 'partition'>): string => `${split.topic}-${split.partition}`

export function encodeLogSplit(split: LogSplit): Uint8Array {
  const out = new DataOutput()
  out.writeUTF(split.topic)
  out.writeInt(split.partition)
  out.writeLong(split.offset)
  out.writeLong(split.stop ?? NO_STOP)
  return out.toBytes()
}

export function decodeLogSplit(bytes: Uint8Array): LogSplit {
  const input = new DataInput(bytes)
  const topic = input.readUTF('a topic')
  const partition = input.readInt('a partition')
  const offset = input.readLong('an offset')
  const stop = input.readAnyLong('a stopping offset')
  input.expectEnd('a split')
  return { topic, partition, offset, stop: typeof stop === 'bigint' || stop < 0 ? null : stop }
}

export function encodeSequenceSplit(split: SequenceSplit): Uint8Array {
  const out = new DataOutput()
  out.writeUTF(split.id)
  out.writeLong(split.next)
  out.writeLong(split.to)
  return out.toBytes()
}

export function decodeSequenceSplit(bytes: Uint8Array): SequenceSplit {
  const input = new DataInput(bytes)
  const split = { id: input.readUTF('a split id'), next: input.readLong('a position'), to: input.readLong('a position') }
  input.expectEnd('a split')
  return split
}

/** An element of the reader's list state: `i4` split version, `i4` length, split bytes. */
export function encodeStateElement(kind: 'log' | 'sequence', split: Uint8Array): Uint8Array {
  const out = new DataOutput()
  out.writeInt(kind === 'log' ? SPLIT_VERSION : SEQUENCE_SPLIT_VERSION)
  out.writeBlob(split)
  return out.toBytes()
}

export function decodeStateElement(kind: 'log' | 'sequence', element: Uint8Array): Uint8Array {
  const input = new DataInput(element)
  input.expectInt(kind === 'log' ? SPLIT_VERSION : SEQUENCE_SPLIT_VERSION, 'split version')
  return input.readBlob('a split')
}

/** `i4` 1, `i4` enumerator version, blob. Flink: SourceCoordinator.writeCheckpointBytes. */
function wrapEnumeratorState(version: number, state: Uint8Array): Uint8Array {
  const out = new DataOutput()
  out.writeInt(1)
  out.writeInt(version)
  out.writeBlob(state)
  return out.toBytes()
}

function unwrapEnumeratorState(version: number, bytes: Uint8Array): DataInput {
  const input = new DataInput(bytes)
  input.expectInt(1, 'coordinator version')
  input.expectInt(version, 'enumerator version')
  return new DataInput(input.readBlob('the enumerator state'))
}

const ASSIGNED = 0
const UNASSIGNED = 1
const LOG_ENUMERATOR_VERSION = 3
const SEQUENCE_ENUMERATOR_VERSION = 1

export interface LogAssignment {
  readonly split: LogSplit
  readonly assigned: boolean
}

/** `i4` count, `i4` split version, count × {blob split, `i4` status}, bool: partitions have been discovered. */
export function encodeLogEnumerator(assignments: readonly LogAssignment[]): Uint8Array {
  const out = new DataOutput()
  out.writeInt(assignments.length)
  out.writeInt(SPLIT_VERSION)
  for (const { split, assigned } of assignments) {
    out.writeBlob(encodeLogSplit(split))
    out.writeInt(assigned ? ASSIGNED : UNASSIGNED)
  }
  out.writeBoolean(true)
  return wrapEnumeratorState(LOG_ENUMERATOR_VERSION, out.toBytes())
}

export function decodeLogEnumerator(bytes: Uint8Array): readonly LogAssignment[] {
  const input = unwrapEnumeratorState(LOG_ENUMERATOR_VERSION, bytes)
  const count = input.readCount('the number of splits')
  input.expectInt(SPLIT_VERSION, 'split version')
  const assignments: LogAssignment[] = []
  for (let i = 0; i < count; i++) {
    const split = decodeLogSplit(input.readBlob('a split'))
    assignments.push({ split, assigned: input.readInt('a status') === ASSIGNED })
  }
  input.readBoolean('whether discovery is finished')
  return assignments
}

/** `i4` count × split: the splits that no reader has got. */
export function encodeSequenceEnumerator(splits: readonly SequenceSplit[]): Uint8Array {
  const out = new DataOutput()
  out.writeInt(splits.length)
  for (const split of splits) {
    out.writeUTF(split.id)
    out.writeLong(split.next)
    out.writeLong(split.to)
  }
  return wrapEnumeratorState(SEQUENCE_ENUMERATOR_VERSION, out.toBytes())
}

export function decodeSequenceEnumerator(bytes: Uint8Array): readonly SequenceSplit[] {
  const input = unwrapEnumeratorState(SEQUENCE_ENUMERATOR_VERSION, bytes)
  const count = input.readCount('the number of splits')
  const splits: SequenceSplit[] = []
  for (let i = 0; i < count; i++) splits.push({ id: input.readUTF('a split id'), next: input.readLong('a position'), to: input.readLong('a position') })
  return splits
}
