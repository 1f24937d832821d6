/**
 * Positions of sources, where the layout of their splits is known: the Kafka connector's (our own logs use it) and the number sequence of
 * flink-core. Nothing in the bytes names the source: a layout is taken when it uses up every byte. Flink: SourceOperator,
 * SourceCoordinator, KafkaPartitionSplitSerializer, KafkaSourceEnumStateSerializer, NumberSequenceSource.
 *
 *   reader state  elements: i4 split version | blob split
 *   coordinator   i4 1 | i4 enumerator version | blob
 */
import type { CoordinatorView, OffsetView } from '../model/snapshot-view.ts'
import { DataInput } from '../state/serializers/data-input.ts'
import { FormatError } from '../state/serializers/format-error.ts'
import { toHex } from './types/value-context.ts'

/** Name of the list state in which SourceOperator keeps its splits. */
export const SOURCE_READER_STATE = 'SourceReaderState'

const KAFKA_ENUMERATOR_VERSION = 3

interface Found {
  readonly kind: string
  readonly offsets: readonly OffsetView[]
}

/** The position in one element of the reader's list state; null if the layout is not known. */
export function readerOffset(element: Uint8Array): OffsetView | null {
  return firstThatFits([() => split(element, kafkaSplit), () => split(element, sequenceSplit)])
}

/** An element is a byte[] (length first) in the file; its content is what `readerOffset` takes. */
function split(element: Uint8Array, read: (input: DataInput) => OffsetView): OffsetView {
  const input = new DataInput(element)
  input.readInt('the version of a split')
  const body = new DataInput(input.readBlob('a split'))
  input.expectEnd('an element')
  const offset = read(body)
  body.expectEnd('a split')
  return offset
}

export function coordinatorView(bytes: Uint8Array): CoordinatorView {
  const found = firstThatFits<Found>([() => enumerator(bytes, kafkaEnumerator), () => enumerator(bytes, sequenceEnumerator)])
  return { size: bytes.length, hex: toHex(bytes), kind: found?.kind ?? '', offsets: found?.offsets ?? [] }
}

function enumerator(bytes: Uint8Array, read: (input: DataInput, version: number) => Found): Found {
  const input = new DataInput(bytes)
  input.expectInt(1, 'the version of coordinator state')
  const version = input.readInt('the version of an enumerator')
  const body = new DataInput(input.readBlob('the state of an enumerator'))
  input.expectEnd('coordinator state')
  const found = read(body, version)
  body.expectEnd('the state of an enumerator')
  return found
}

function kafkaSplit(input: DataInput): OffsetView {
  const topic = input.readUTF('a topic')
  const partition = input.readInt('a partition')
  const position = input.readAnyLong('an offset')
  const stop = input.readAnyLong('a stopping offset')
  if (partition < 0) throw new FormatError('a negative partition')
  return { split: `${topic}-${partition}`, position, end: typeof stop === 'bigint' || stop < 0 ? null : stop }
}

function sequenceSplit(input: DataInput): OffsetView {
  const name = input.readUTF('the id of a split')
  const position = input.readAnyLong('the next number')
  return { split: name, position, end: input.readAnyLong('the last number') }
}

function kafkaEnumerator(input: DataInput, version: number): Found {
  if (version !== KAFKA_ENUMERATOR_VERSION) throw new FormatError('another version')
  const count = input.readCount('the number of splits', 12)
  input.readInt('the version of splits')
  const offsets: OffsetView[] = []
  for (let i = 0; i < count; i++) {
    const body = new DataInput(input.readBlob('a split'))
    const one = kafkaSplit(body)
    body.expectEnd('a split')
    const isAssigned = input.readInt('the status of a split') === 0
    offsets.push({ ...one, split: isAssigned ? one.split : `${one.split} (not assigned)` })
  }
  input.readBoolean('whether all partitions have been found')
  return { kind: 'Kafka enumerator', offsets }
}

function sequenceEnumerator(input: DataInput): Found {
  const count = input.readCount('the number of splits', 18)
  return { kind: 'number sequence enumerator', offsets: Array.from({ length: count }, () => sequenceSplit(input)) }
}

function firstThatFits<T>(attempts: readonly (() => T)[]): T | null {
  for (const attempt of attempts) {
    try {
      return attempt()
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
    }
  }
  return null
}
