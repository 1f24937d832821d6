/**
 * Barrier handlers driven by text: one line per input channel, columns are the order of arrival.
 *   letter  a record            1  barrier of checkpoint 1      !1  cancel marker of 1      |  end of partition      .  nothing
 *   u1      unaligned barrier   t1 aligned, may time out at 5   n1  announcement of t1      >1 the alignment timer of 1 fires
 * A sender stops behind its barrier until it is resumed, as a real one does; what it holds arrives as soon as it may.
 */
import { expect } from 'vitest'
import type { BarrierHandler, BarrierHandlerFactory, BarrierHandlerKind, BarrierHandlerOwner } from '../../../workers/checkpointing/barrier-handler.ts'
import { createBarrierHandler } from '../../../workers/checkpointing/create-barrier-handler.ts'
import type { AlignmentType } from '../../../workers/model/checkpoint.ts'
import type { CheckpointBarrier } from '../../../workers/model/wire.ts'

export interface LaneOptions {
  readonly kind?: BarrierHandlerKind
  readonly afterTasksFinish?: boolean
  readonly create?: BarrierHandlerFactory
}

export function barrier(checkpointId: number, alignment: AlignmentType = 'ALIGNED'): CheckpointBarrier {
  return { type: 'barrier', checkpointId, timestamp: 0, options: { alignment, type: 'CHECKPOINT', location: `/chk-${checkpointId}` } }
}

/** Runs the lanes; the log has one entry per thing that happened. Engine time is the column. */
export function runLanes(lanes: string, options: LaneOptions = {}): string[] {
  const rows = lanes.trim().split('\n').map((line) => line.trim().split(/\s+/))
  const kind = options.kind ?? 'aligned'
  const driver = new LaneDriver(rows.length, kind)
  driver.handler = (options.create ?? createBarrierHandler)({
    kind,
    channels: rows.length,
    afterTasksFinish: options.afterTasksFinish ?? true,
    owner: driver,
  })
  const columns = Math.max(...rows.map((row) => row.length))
  for (let column = 0; column < columns; column++) {
    driver.now = column
    rows.forEach((row, channel) => {
      const symbol = row[column] ?? '.'
      if (symbol !== '.') driver.arrive(channel, symbol)
    })
  }
  return driver.log
}

export function check(lanes: string, expected: string, options: LaneOptions = {}): void {
  expect(runLanes(lanes, options).join(', ')).toBe(expected.trim().split(/\s*\n\s*/).join(' '))
}

class LaneDriver implements BarrierHandlerOwner {
  readonly log: string[] = []
  now = 0
  handler: BarrierHandler | null = null
  private readonly kind: BarrierHandlerKind
  private readonly stopped: boolean[]
  private readonly held: string[][]

  constructor(channels: number, kind: BarrierHandlerKind) {
    this.kind = kind
    this.stopped = new Array<boolean>(channels).fill(false)
    this.held = Array.from({ length: channels }, () => [])
  }

  arrive(channel: number, symbol: string): void {
    // A timer, and an announcement, do not queue.
    if (/^[n>]/.test(symbol)) return this.take(channel, symbol)
    ;(this.held[channel] as string[]).push(symbol)
    this.deliver()
  }

  triggerCheckpointOnBarrier(taken: CheckpointBarrier, alignment: { startDelayMicros: number; alignmentMicros: number }): void {
    this.log.push(`trigger ${taken.checkpointId} (${alignment.startDelayMicros}+${alignment.alignmentMicros})`)
  }

  abortCheckpointOnBarrier(checkpointId: number, reason: string): void {
    this.log.push(`abort ${checkpointId} ${reason}`)
  }

  blockChannel(_checkpointId: number, channel: number): void {
    this.log.push(`block ${channel}`)
  }

  resumeChannel(_checkpointId: number, channel: number): void {
    this.log.push(`resume ${channel}`)
    this.stopped[channel] = false
  }

  barrierArrived(): void {}

  inputsStarted(taken: CheckpointBarrier): void {
    this.log.push(`keep ${taken.checkpointId}`)
  }

  inputsStopped(checkpointId: number, alignmentMicros: number | null): void {
    this.log.push(alignmentMicros === null ? `drop ${checkpointId}` : `kept ${checkpointId} (${alignmentMicros})`)
  }

  convertToPriority(_checkpointId: number, channel: number): void {
    this.log.push(`pull ${channel}`)
  }

  setAlignmentTimer(_checkpointId: number, at: number | null): void {
    this.log.push(at === null ? 'no timer' : `timer ${at}`)
  }

  private deliver(): void {
    for (;;) {
      const channel = this.held.findIndex((symbols, at) => symbols.length > 0 && this.stopped[at] === false)
      if (channel < 0) return
      this.take(channel, (this.held[channel] as string[]).shift() as string)
    }
  }

  private take(channel: number, symbol: string): void {
    const handler = this.handler as BarrierHandler
    const special = /^([utn>])(\d+)$/.exec(symbol)
    if (special !== null) this.takeSpecial(handler, channel, special[1] as string, Number(special[2]))
    else if (symbol === '|') handler.processEndOfPartition(channel, this.now)
    else if (symbol.startsWith('!')) handler.processCancellation(channel, Number(symbol.slice(1)), this.now)
    else if (/^\d+$/.test(symbol)) {
      this.stopped[channel] = this.kind !== 'at-least-once'
      handler.processBarrier(channel, barrier(Number(symbol), this.kind === 'at-least-once' ? 'AT_LEAST_ONCE' : 'ALIGNED'), this.now, false)
    } else this.log.push(symbol)
  }

  private takeSpecial(handler: BarrierHandler, channel: number, what: string, id: number): void {
    const timeoutable: CheckpointBarrier = { ...barrier(id), options: { ...barrier(id).options, alignedTimeoutMicros: 5 } }
    if (what === 'n') handler.processAnnouncement(channel, timeoutable, this.now)
    else if (what === '>') handler.processAlignmentTimeout(id, this.now)
    else if (what === 'u') handler.processBarrier(channel, barrier(id, 'UNALIGNED'), this.now, false)
    else {
      this.stopped[channel] = true
      handler.processBarrier(channel, timeoutable, this.now, false)
    }
  }
}
