/**
 * A task with two input channels and nothing else: real gates, real barrier handler, one record a buffer. What may happen next is a choice (a message
 * arrives, the next one is taken from a channel, a priority event is handled, the clock reaches the time-out, the timer fires), so that every
 * order can be tried. A plain object graph, so that it can be copied at every choice.
 */
import type { AlignmentMetrics, BarrierHandler, BarrierHandlerFactory, BarrierHandlerOwner } from '../../../workers/checkpointing/barrier-handler.ts'
import { createBarrierHandler } from '../../../workers/checkpointing/create-barrier-handler.ts'
import { needsAlignment } from '../../../workers/model/alignment.ts'
import type { CheckpointOptions } from '../../../workers/model/checkpoint.ts'
import { channelId, vertexId } from '../../../workers/model/ids.ts'
import { bare } from '../../../workers/model/schema.ts'
import type { ChannelFeedback, ChannelMessage, CheckpointBarrier } from '../../../workers/model/wire.ts'
import { BatchBuilder } from '../../../workers/network/batch-builder.ts'
import { readChannelState } from '../../../workers/network/channel-state-codec.ts'
import { InputGates } from '../../../workers/network/input-gates.ts'
import { batchLayout } from '../../../workers/network/record-batch.ts'
import { TaskWords } from '../../../workers/network/task-words.ts'
import { UNKNOWN_LINEAGE } from '../../../workers/network/transport-effects.ts'
import type { TransportEffects } from '../../../workers/network/transport-effects.ts'
import type { InFlightBuffer } from '../../../workers/network/in-flight-buffer.ts'
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'

export type Mode = 'aligned' | 'unaligned' | 'timeout' | 'at-least-once'
export type Choice = `arrive ${number}` | `take ${number}` | 'priority' | 'clock' | 'timer'

const TIMEOUT = 100
const TEXT = bare('String')
const SEGMENT = 64
const MODES: Readonly<Record<Mode, Pick<CheckpointOptions, 'alignment' | 'alignedTimeoutMicros'>>> = {
  aligned: { alignment: 'ALIGNED' },
  unaligned: { alignment: 'UNALIGNED' },
  timeout: { alignment: 'ALIGNED', alignedTimeoutMicros: TIMEOUT },
  'at-least-once': { alignment: 'AT_LEAST_ONCE' },
}

export interface TakenSnapshot {
  /** Records in the state, by channel, in order. */
  readonly state: readonly (readonly string[])[]
  /** Null: the alignment goes on. */
  inFlight: readonly (readonly string[])[] | null
}

export class TwoChannels implements BarrierHandlerOwner, TransportEffects {
  now = 0
  readonly traced = false
  readonly words = new TaskWords()
  readonly gates: InputGates
  readonly processed: string[][] = [[], []]
  readonly snapshots = new Map<number, TakenSnapshot>()
  readonly aborted = new Set<number>()
  readonly stopped = [false, false]
  readonly mode: Mode
  handler: BarrierHandler | null = null
  private readonly left: string[][]
  private readonly builders = [0, 1].map(() => new BatchBuilder(batchLayout(TEXT, SEGMENT), 0))
  private readonly sequences = [0, 0]
  private timer: number | null = null
  private isUnaligned = false

  constructor(lanes: readonly [string, string], mode: Mode) {
    this.mode = mode
    this.left = lanes.map((lane) => lane.split(' '))
    const channels = [0, 1].map((subtask) => ({ id: channelId(0, subtask, 0), vertex: vertexId('sender'), subtask }))
    this.gates = new InputGates([{ edge: 0, input: 0, schema: TEXT, ship: 'rebalance', channels }], SEGMENT, this)
    this.gates.grantInitialCredits()
  }

  /** `owner`: what stands between handler and task; a broken one is a mutant. */
  connect(owner: BarrierHandlerOwner = this, create: BarrierHandlerFactory = createBarrierHandler): this {
    const kind = this.mode === 'aligned' || this.mode === 'at-least-once' ? this.mode : 'alternating'
    this.handler = create({ kind, channels: 2, afterTasksFinish: true, owner })
    return this
  }

  choices(): Choice[] {
    const choices: Choice[] = []
    this.gates.channels.forEach((channel, i) => {
      if (this.left[i]?.length !== 0 && this.stopped[i] === false && (channel.credits > 0 || /\d|\|/.test(this.left[i]?.[0] ?? ''))) choices.push(`arrive ${i}`)
    })
    if (this.timer !== null && this.now < TIMEOUT) choices.push('clock')
    if (this.timer !== null && this.now >= TIMEOUT) choices.push('timer')
    if (this.gates.hasPriority) choices.push('priority')
    else this.gates.channels.forEach((channel, i) => channel.hasData && choices.push(`take ${i}`))
    return choices
  }

  act(choice: Choice): void {
    const handler = this.handler as BarrierHandler
    if (choice === 'clock') this.now = TIMEOUT
    else if (choice === 'timer') {
      const id = this.timer as number
      this.timer = null
      handler.processAlignmentTimeout(id, this.now)
    } else if (choice === 'priority') {
      const { channel, barrier, isAnnouncement } = this.gates.takePriority()
      if (isAnnouncement) handler.processAnnouncement(channel.number, barrier, this.now)
      else handler.processBarrier(channel.number, barrier, this.now, false)
    } else if (choice.startsWith('arrive')) this.arrive(Number(choice.slice(-1)))
    else this.take(Number(choice.slice(-1)))
  }

  private arrive(i: number): void {
    const symbol = (this.left[i] as string[]).shift() as string
    this.gates.receive(i, this.messageOf(i, symbol))
    if (/^\d+$/.test(symbol) && needsAlignment({ ...MODES[this.mode], type: 'CHECKPOINT', location: '' })) this.stopped[i] = true
  }

  private messageOf(i: number, symbol: string): ChannelMessage {
    if (symbol === '|') return { kind: 'event', sequence: 0, sentAt: 0, event: { type: 'end-of-partition' } }
    if (symbol.startsWith('!')) return { kind: 'event', sequence: 0, sentAt: 0, event: { type: 'cancel-checkpoint', checkpointId: Number(symbol.slice(1)) } }
    if (/^\d+$/.test(symbol)) {
      const options: CheckpointOptions = { ...MODES[this.mode], type: 'CHECKPOINT', location: '' }
      return { kind: 'event', sequence: 0, sentAt: 0, event: { type: 'barrier', checkpointId: Number(symbol), timestamp: 0, options } }
    }
    const builder = this.builders[i] as BatchBuilder
    builder.open()
    builder.append(symbol, NaN, -1, -1)
    this.sequences[i] = (this.sequences[i] ?? 0) + 1
    return builder.seal(this.sequences[i] as number, 0, UNKNOWN_LINEAGE)
  }

  private take(i: number): void {
    const channel = this.gates.channels[i] as InputGates['channels'][number]
    const message = channel.poll()
    if (message?.kind === 'buffer') {
      channel.reader.open(message)
      ;(this.processed[i] as string[]).push(channel.reader.value(0) as string)
      channel.reader.index = 1
      this.gates.recycle(channel)
    } else if (message?.event.type === 'barrier') this.handler?.processBarrier(i, message.event, this.now, false)
    else if (message?.event.type === 'cancel-checkpoint') this.handler?.processCancellation(i, message.event.checkpointId, this.now)
    else if (message?.event.type === 'end-of-partition') {
      this.gates.finish(channel)
      this.handler?.processEndOfPartition(i, this.now)
    }
  }

  // ── as the task does it

  triggerCheckpointOnBarrier(barrier: CheckpointBarrier, _alignment: AlignmentMetrics): void {
    const state = this.processed.map((records) => [...records])
    this.snapshots.set(barrier.checkpointId, { state, inFlight: this.isUnaligned ? null : [[], []] })
  }

  abortCheckpointOnBarrier(checkpointId: number): void {
    this.aborted.add(checkpointId)
    this.isUnaligned = false
  }

  blockChannel(_checkpointId: number, i: number): void {
    ;(this.gates.channels[i] as InputGates['channels'][number]).isBlocked = true
  }

  resumeChannel(_checkpointId: number, i: number): void {
    ;(this.gates.channels[i] as InputGates['channels'][number]).isBlocked = false
    this.stopped[i] = false
  }

  barrierArrived(): void {}

  inputsStarted({ checkpointId }: CheckpointBarrier): void {
    this.isUnaligned = true
    for (const channel of this.gates.channels) channel.startPersisting(checkpointId)
  }

  inputsStopped(checkpointId: number, alignmentMicros: number | null): void {
    this.isUnaligned = false
    const kept = this.gates.stopPersisting().map(({ buffers }) => buffers.flatMap(recordsOf))
    const snapshot = this.snapshots.get(checkpointId)
    if (alignmentMicros !== null && snapshot !== undefined) snapshot.inFlight = kept
  }

  convertToPriority(checkpointId: number, i: number): void {
    this.gates.convertToPriority(i, checkpointId)
  }

  setAlignmentTimer(checkpointId: number, at: number | null): void {
    this.timer = at === null ? null : checkpointId
  }

  // ── as the transport does it

  send(): void {}
  feedback(_channel: number, _feedback: ChannelFeedback): void {}
  setTimer(): void {}

  trace(): void {}
  nextLineage(): typeof UNKNOWN_LINEAGE {
    return UNKNOWN_LINEAGE
  }
}

/** A buffer alone, as a file of in-flight data holds it. */
function recordsOf(buffer: InFlightBuffer): string[] {
  const out = new DataOutput()
  out.writeInt(0)
  buffer.encode()
  out.writeBlob(buffer.bytes)
  return readChannelState({ offsets: [4] }, out.toBytes(), TEXT).flatMap((element) => (element.kind === 'record' ? [element.value as string] : []))
}
