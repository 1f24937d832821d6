/** A sending partition and the receiving gates of its channels, joined by queues that a test empties when it wants. */
import type { PartitionDescription } from '../../../workers/model/deployment.ts'
import { channelId, vertexId } from '../../../workers/model/ids.ts'
import type { Ship } from '../../../workers/model/job-document.ts'
import { bare } from '../../../workers/model/schema.ts'
import type { Schema, Value } from '../../../workers/model/schema.ts'
import type { TraceEvent } from '../../../workers/model/trace.ts'
import type { ChannelFeedback, ChannelMessage, CheckpointBarrier, DataBuffer } from '../../../workers/model/wire.ts'
import { InputGates } from '../../../workers/network/input-gates.ts'
import { LINK_TIMER } from '../../../workers/network/rated-link.ts'
import { PendingOutput } from '../../../workers/network/pending-output.ts'
import { ResultPartition } from '../../../workers/network/result-partition.ts'
import { UNKNOWN_LINEAGE } from '../../../workers/network/transport-effects.ts'
import { TaskWords } from '../../../workers/network/task-words.ts'
import type { TransportEffects } from '../../../workers/network/transport-effects.ts'

export interface PairOptions {
  readonly channels?: number
  readonly ship?: Ship
  readonly schema?: Schema
  readonly segmentBytes?: number
  /** Of each channel. */
  readonly bytesPerSecond?: number
  /** Of a task with another output. */
  readonly pending?: PendingOutput
}

export class ChannelPair implements TransportEffects {
  now = 0
  traced = false
  readonly words = new TaskWords()
  readonly pending: PendingOutput
  readonly partition: ResultPartition
  readonly gates: InputGates
  /** Under way. */
  readonly messages: { readonly channel: number; readonly message: ChannelMessage }[] = []
  readonly feedbacks: { readonly output: number; readonly feedback: ChannelFeedback }[] = []
  readonly timers = new Map<string, number>()
  /** All that was ever sent. */
  readonly sent: ChannelMessage[] = []

  constructor(options: PairOptions = {}) {
    this.pending = options.pending ?? new PendingOutput(false)
    const schema = options.schema ?? bare('Int')
    const segmentBytes = options.segmentBytes ?? 30
    const vertex = vertexId('receiver')
    const channels = Array.from({ length: options.channels ?? 1 }, (_, i) => ({
      ...{ id: channelId(0, 0, i), vertex, subtask: i },
      ...(options.bytesPerSecond === undefined ? {} : { bytesPerSecond: options.bytesPerSecond }),
    }))
    const description: PartitionDescription = {
      edge: 0,
      schema,
      ship: options.ship ?? 'rebalance',
      by: options.ship === 'hash' ? [(schema.fields[0] as { name: string }).name] : [],
      maxParallelism: 128,
      subpartitions: channels,
    }
    this.partition = new ResultPartition({ description, firstOutput: 0, subtask: 0, segmentBytes, restoredCheckpoint: 0, pending: this.pending, effects: this })
    this.gates = new InputGates([{ edge: 0, input: 0, schema, ship: description.ship, channels }], segmentBytes, this)
  }

  send(output: number, message: ChannelMessage): void {
    this.messages.push({ channel: output, message })
    this.sent.push(message)
  }

  feedback(channel: number, feedback: ChannelFeedback): void {
    this.feedbacks.push({ output: channel, feedback })
  }

  trace(_event: TraceEvent): void {}

  setTimer(timer: string, at: number): void {
    this.timers.set(timer, at)
  }

  /** The time goes on, and timers of links come when they are due. */
  until(time: number): void {
    for (let next = this.nextTimer(); next !== null && next[1] <= time; next = this.nextTimer()) {
      this.timers.delete(next[0])
      this.now = next[1]
      this.partition.subpartitions[Number(next[0].slice(LINK_TIMER.length))]?.onLinkTimer()
      this.deliver()
    }
    this.now = time
  }

  private nextTimer(): [string, number] | null {
    return [...this.timers].toSorted(([, a], [, b]) => a - b)[0] ?? null
  }

  nextLineage(): typeof UNKNOWN_LINEAGE {
    return UNKNOWN_LINEAGE
  }

  /** Lets everything under way arrive, in both directions, until nothing moves. */
  deliver(): void {
    while (this.messages.length > 0 || this.feedbacks.length > 0) {
      for (const { channel, message } of this.messages.splice(0)) this.gates.receive(channel, message)
      for (const { output, feedback } of this.feedbacks.splice(0)) this.partition.subpartitions[output]?.onFeedback(feedback)
    }
  }

  /** Takes one message from the gates and reads it to its end: its records, the type of its event, or null. */
  take(): readonly Value[] | string | null {
    const channel = this.gates.pick()
    const message = channel?.poll()
    if (channel === null || channel === undefined || message === undefined) return null
    if (message.kind === 'event') return message.event.type
    channel.reader.open(message)
    const values = Array.from({ length: message.count }, (_, i) => channel.reader.value(i))
    this.gates.recycle(channel)
    return values
  }

  get buffersSent(): readonly DataBuffer[] {
    return this.sent.flatMap((message) => (message.kind === 'buffer' ? [message] : []))
  }
}

export const alignedBarrier = (checkpointId: number): CheckpointBarrier => ({
  type: 'barrier',
  checkpointId,
  timestamp: 0,
  options: { alignment: 'ALIGNED', type: 'CHECKPOINT', location: `/chk-${checkpointId}` },
})
