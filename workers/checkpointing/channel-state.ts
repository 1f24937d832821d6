/**
 * The in-flight data of one snapshot while it is being collected: of the inputs until every barrier has come, of the outputs until the barrier
 * has left or has been pulled forward. Flink: ChannelStateWriter with its futures (behaviour 6.3, 6.4, 7.1).
 */
import type { CheckpointId } from '../model/ids.ts'
import type { InFlightBuffer, InFlightChannel } from '../network/in-flight-buffer.ts'
import type { ChannelStateHandle } from '../model/state-handles.ts'
import type { EngineTime } from '../model/time.ts'
import { DataOutput } from '../state/serializers/data-output.ts'
import type { CheckpointStreams } from './checkpoint-streams.ts'

/** Of the inputs when the last barrier has come: how long that took since the first, and what was worked on meanwhile. */
export interface InputsEnd {
  readonly alignmentMicros: EngineTime
  readonly processedBytes: number
}

export class ChannelState {
  readonly checkpointId: CheckpointId
  inputs: readonly InFlightChannel[] = []
  outputs: readonly InFlightChannel[] = []
  /** Null: nothing was kept of the inputs, the alignment was over before the snapshot. */
  inputsEnd: InputsEnd | null = null
  areInputsDone: boolean
  areOutputsDone = false
  /** Not encoded yet, the next one last. */
  private toEncode: InFlightBuffer[] = []

  constructor(checkpointId: CheckpointId, areInputsDone: boolean) {
    this.checkpointId = checkpointId
    this.areInputsDone = areInputsDone
  }

  keepInputs(inputs: readonly InFlightChannel[], end: InputsEnd): void {
    this.inputs = inputs
    this.inputsEnd = end
    this.areInputsDone = true
    this.addToEncode(inputs)
  }

  keepOutputs(outputs: readonly InFlightChannel[]): void {
    this.outputs = outputs
    this.addToEncode(outputs)
  }

  private addToEncode(channels: readonly InFlightChannel[]): void {
    for (const { buffers } of channels) this.toEncode.push(...buffers)
  }

  /** Nothing of what has been kept so far is left to encode. */
  get isEncoded(): boolean {
    return this.toEncode.length === 0
  }

  /** Whole buffers, until `budget` records are done; true while there are more. */
  encode(budget: number): boolean {
    let left = budget
    for (let next = this.toEncode.at(-1); next !== undefined && left > 0; next = this.toEncode.at(-1)) {
      left -= next.encode()
      this.toEncode.pop()
    }
    return !this.isEncoded
  }

  get isComplete(): boolean {
    return this.areInputsDone && this.areOutputsDone
  }

  /** Of all buffers that were kept, without the frame of the file; once they are encoded. */
  get bytes(): number {
    return this.inputBytes + this.outputBytes
  }

  get inputBytes(): number {
    return bytesOf(this.inputs)
  }

  get outputBytes(): number {
    return bytesOf(this.outputs)
  }
}

function bytesOf(channels: readonly InFlightChannel[]): number {
  let bytes = 0
  for (const { buffers } of channels) for (const buffer of buffers) bytes += buffer.bytes.length
  return bytes
}

const VERSION = 0
const HEADER_BYTES = 4

export interface WrittenChannelState {
  readonly inputs: readonly ChannelStateHandle[]
  readonly outputs: readonly ChannelStateHandle[]
  /** Sum of the handles' sizes: what counts as persisted in-flight data. */
  readonly bytes: number
}

const NOTHING: WrittenChannelState = { inputs: [], outputs: [], bytes: 0 }

/**
 * Writes the file: i4 version 0, then i4 length and bytes of each buffer. If it is small enough to stand in the handles, each channel gets
 * a file of its own, with all of its buffers as one. Flink: ChannelStateCheckpointWriter, ChannelStateSerializerImpl.extractAndMerge.
 *
 * Simplified: one file for each subtask; Flink puts up to five subtasks into one.
 */
export function writeChannelState(
  state: ChannelState,
  subtask: number,
  streams: CheckpointStreams,
): WrittenChannelState {
  if (state.bytes === 0) return NOTHING
  const out = new DataOutput(state.bytes + HEADER_BYTES)
  out.writeInt(VERSION)
  const place = ({ major, minor, buffers }: InFlightChannel): Omit<ChannelStateHandle, 'stream'> => {
    const start = out.position
    const offsets = buffers.map(({ bytes }) => {
      const offset = out.position
      out.writeBlob(bytes)
      return offset
    })
    return { subtask, major, minor, offsets, size: out.position - start }
  }
  const inputs = state.inputs.filter(({ buffers }) => buffers.length > 0)
  const outputs = state.outputs.filter(({ buffers }) => buffers.length > 0)
  const placed = { inputs: inputs.map(place), outputs: outputs.map(place) }
  streams.checkSize(out.position)
  if (streams.isInline(out.position)) {
    const inline = (all: readonly InFlightChannel[]): ChannelStateHandle[] => all.map((each) => ownFile(each, subtask, streams))
    return withBytes(inline(inputs), inline(outputs))
  }
  const stream = streams.store(out.toBytes())
  return withBytes(
    placed.inputs.map((handle) => ({ ...handle, stream })),
    placed.outputs.map((handle) => ({ ...handle, stream })),
  )
}

function ownFile({ major, minor, buffers }: InFlightChannel, subtask: number, streams: CheckpointStreams): ChannelStateHandle {
  const out = new DataOutput()
  out.writeInt(VERSION)
  out.writeInt(buffers.reduce((sum, { bytes }) => sum + bytes.length, 0))
  for (const { bytes } of buffers) out.writeBytes(bytes)
  return { subtask, major, minor, offsets: [HEADER_BYTES], size: out.position, stream: streams.store(out.toBytes()) }
}

function withBytes(inputs: readonly ChannelStateHandle[], outputs: readonly ChannelStateHandle[]): WrittenChannelState {
  return { inputs, outputs, bytes: [...inputs, ...outputs].reduce((sum, { size }) => sum + size, 0) }
}
