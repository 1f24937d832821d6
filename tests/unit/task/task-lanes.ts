/**
 * One whole task driven by text: a line for each input channel, columns are the order of arrival and the engine time in microseconds. The log has one
 * entry for each thing that the task did or one of its operators heard.
 *
 *   0: a 1 .    letter  a record      1  aligned barrier   u1  unaligned   f1  forced to align   t1  may time out at 5   ft1  both   !1  cancel marker
 *                                     -  end of data   ~  the same, suspended   |   end of partition
 *               x,y  both are there before the task works again
 *   jm: . t1    t1  trigger 1         T1 the same, unaligned   c1  checkpoint 1 is complete   a1  it is aborted
 *   fs: ok      ok  storage answers the oldest request   no  it refuses it   (without such a line it answers at once)
 *   tx: ok      the outside world answers the oldest request
 *   out: done   done  downstream has processed everything   +  a credit   (without such a line there are credits for all)
 *
 * What a sender holds behind an aligned barrier arrives when it has been resumed. Receivers resume at once.
 */
import { expect } from 'vitest'
import type { BarrierHandlerFactory } from '../../../workers/checkpointing/barrier-handler.ts'
import { needsAlignment } from '../../../workers/model/alignment.ts'
import type { TaskMessage } from '../../../workers/model/control.ts'
import type { TaskDeployment, TaskRestore, TaskSettings } from '../../../workers/model/deployment.ts'
import type { EventBody } from '../../../workers/model/events.ts'

import type { FailureInfo } from '../../../workers/model/execution.ts'
import type { Ship } from '../../../workers/model/job-document.ts'
import type { OutsideOp } from '../../../workers/model/outside.ts'
import type { StorageOp, StorageReply } from '../../../workers/model/storage.ts'
import type { ChannelEvent, ChannelFeedback, ChannelMessage, CheckpointBarrier } from '../../../workers/model/wire.ts'
import { BatchBuilder } from '../../../workers/network/batch-builder.ts'
import { batchLayout } from '../../../workers/network/record-batch.ts'
import { UNKNOWN_LINEAGE } from '../../../workers/network/transport-effects.ts'
import { StreamTask } from '../../../workers/task/stream-task.ts'
import type { TaskInput, TaskOut } from '../../../workers/task/task-io.ts'
import { LoggingOperator } from './logging-operator.ts'
import type { Hooks } from './logging-operator.ts'
import { ENVIRONMENT } from './test-host.ts'
import { deployments, operator, TEXT } from './test-job.ts'

export interface LaneTaskOptions {
  /** Uids of the operators, head first. */
  readonly chain?: readonly string[]
  /** What operators do beside writing the log, by uid. */
  readonly hooks?: Readonly<Record<string, Hooks>>
  /** By input channel, the input of the head that it belongs to; each input is a gate of its own. Nothing: a source. */
  readonly inputs?: readonly number[]
  /** Of a source: its records; it ends after them. */
  readonly bounded?: string
  readonly outputs?: number
  readonly ship?: Ship
  readonly costMicros?: number
  readonly settings?: Partial<TaskSettings>
  readonly restore?: TaskRestore
  readonly createBarrierHandler?: BarrierHandlerFactory
}

type Line = 'jm' | 'fs' | 'tx' | 'out'

export function runTask(lanes: string, options: LaneTaskOptions = {}): TaskLanes {
  const task = new TaskLanes(options)
  const rows = lanes.trim().split('\n').map((line) => line.trim().split(/\s+/))
  task.answersStorage = !rows.some(([name]) => name === 'fs:')
  task.start(rows.some(([name]) => name === 'out:') ? 0 : 1000)
  const columns = Math.max(...rows.map((row) => row.length))
  for (let column = 1; column <= columns; column++) {
    task.passTo(column - 1)
    for (const row of rows) {
      const symbol = row[column] ?? '.'
      if (symbol !== '.') task.arrive((row[0] as string).slice(0, -1), symbol)
    }
  }
  return task
}

/** Entries that begin with one of the words in `skip` are left out. */
export function checkTask(lanes: string, expected: string, options: LaneTaskOptions & { readonly skip?: readonly string[] } = {}): TaskLanes {
  const task = runTask(lanes, options)
  const skip = new Set(options.skip ?? [])
  const log = task.log.filter((entry) => !skip.has(entry.split(' ')[0] as string))
  expect(log.join(', ')).toBe(expected.trim().split(/\s*\n\s*/).join(' '))
  return task
}

function deploymentOf({ chain = ['a'], inputs = [0], bounded, outputs = 1, ship = 'rebalance', costMicros = 0, settings, restore }: LaneTaskOptions): TaskDeployment {
  const isSource = bounded !== undefined || inputs.length === 0
  const ports = isSource ? [] : [...new Set(inputs)]
  const described = chain.map((uid, i) =>
    operator(uid, 'log', { inputs: i === 0 ? ports.map(() => TEXT) : [TEXT], keyFields: i === 0 ? ports.map(() => null) : [null], costMicros: i === 0 ? costMicros : 0 }),
  )
  const senders = ports.map((port) => ({ name: `in${port}`, parallelism: inputs.filter((one) => one === port).length, chain: [operator(`in${port}`, 'list')] }))
  const task = { name: 'task', parallelism: 1, chain: described }
  const receiver = { name: 'out', parallelism: Math.max(1, outputs), chain: [operator('out', 'log')] }
  const edges = [
    ...ports.map((port) => ({ from: `in${port}`, to: 'task', ship: 'rebalance' as const, input: port })),
    ...(outputs === 0 ? [] : [{ from: 'task', to: 'out', ship }]),
  ]
  const all = deployments([...senders, task, receiver], edges, { inlineThresholdBytes: 1000, segmentBytes: 64, unalignedEnabled: true, ...settings })
  const found = all.find(({ name }) => name === 'task') as TaskDeployment
  return { ...found, restore: restore ?? null }
}

export class TaskLanes implements TaskOut {
  readonly log: string[] = []
  readonly events: EventBody[] = []
  readonly acknowledged: Extract<TaskMessage, { readonly type: 'acknowledge' }>[] = []
  readonly feedbacks: { readonly channel: number; readonly feedback: ChannelFeedback }[] = []
  readonly machine: StreamTask
  failure: FailureInfo | null = null
  now = 0
  answersStorage = true
  private readonly timers = new Map<string, number>()
  private readonly storageRequests: { readonly requestId: number; readonly op: StorageOp }[] = []
  private readonly outsideRequests: number[] = []
  /** Of storage, and of receivers that resume at once. */
  private readonly answers: TaskInput[] = []
  private readonly senders: { readonly builder: BatchBuilder; readonly held: string[]; stopped: boolean; sequence: number }[]

  constructor(options: LaneTaskOptions) {
    const deployment = deploymentOf(options)
    this.machine = new StreamTask(deployment, {
      ...ENVIRONMENT,
      ...(options.createBarrierHandler === undefined ? {} : { createBarrierHandler: options.createBarrierHandler }),
      createOperator: ({ uid }) => new LoggingOperator(uid, this.log, options.hooks?.[uid] ?? {}, options.bounded ?? null),
    })
    const channels = deployment.gates.flatMap((gate) => gate.channels)
    const { segmentBytes } = deployment.settings
    this.senders = channels.map(() => ({ builder: new BatchBuilder(batchLayout(TEXT, segmentBytes), 0), held: [], stopped: false, sequence: 0 }))
  }

  start(credits: number): void {
    this.handle({ type: 'start' })
    const outputs = this.machine.deployment.partitions.flatMap(({ subpartitions }) => subpartitions)
    if (credits > 0) outputs.forEach((_, output) => this.handle({ type: 'feedback', output, feedback: { kind: 'credit', credits, recycled: [] } }))
    this.log.length = 0
  }

  /** Timers that are due fire on the way. */
  passTo(now: number): void {
    this.rest()
    for (;;) {
      const due = [...this.timers].filter(([, at]) => at <= now).sort(([, a], [, b]) => a - b)[0]
      if (due === undefined) break
      this.now = Math.max(this.now, due[1])
      this.timers.delete(due[0])
      this.handle({ type: 'timer', timer: due[0] })
      this.rest()
    }
    this.now = now
  }

  arrive(line: string, symbol: string): void {
    if (/^\d+$/.test(line)) this.arriveAt(Number(line), symbol.split(','))
    else this.control(line as Line, symbol)
    this.rest()
  }

  private arriveAt(channel: number, symbols: readonly string[]): void {
    this.senders[channel]?.held.push(...symbols)
    if (symbols.length > 1) symbols.forEach(() => this.deliver(channel))
  }

  private control(line: Line, symbol: string): void {
    if (line === 'fs') this.answerStorage(symbol === 'ok')
    else if (line === 'tx') this.handle({ type: 'outside-reply', reply: { requestId: this.outsideRequests.shift() as number, result: { ok: true } } })
    else if (line === 'out') this.handle({ type: 'feedback', output: 0, feedback: symbol === 'done' ? { kind: 'all-data-processed' } : { kind: 'credit', credits: 1, recycled: [] } })
    else this.command(symbol[0] as string, Number(symbol.slice(1)))
  }

  private command(what: string, checkpointId: number): void {
    if (what === 'c') this.handle({ type: 'command', command: { type: 'notify-checkpoint-complete', checkpointId } })
    else if (what === 'a') this.handle({ type: 'command', command: { type: 'notify-checkpoint-aborted', checkpointId, latestCompleted: null } })
    else {
      const { options } = barrierOf(checkpointId, what === 'T' ? 'u' : '')
      this.handle({ type: 'command', command: { type: 'trigger-checkpoint', checkpointId, timestamp: 0, options } })
    }
  }

  /** Until nothing happens any more at this time. */
  private rest(): void {
    for (let i = 0; i < 1000; i++) {
      const answer = this.answers.shift()
      const sender = this.senders.findIndex(({ held, stopped }) => held.length > 0 && !stopped)
      if (answer !== undefined) this.handle(answer)
      else if (this.machine.hasBackgroundWork) this.machine.background(100, this.now, this)
      else if (this.machine.waiting(this.now).kind === 'ready') this.machine.run(100, this.now, this)
      else if (sender >= 0 && this.machine.state !== 'FAILED') this.deliver(sender)
      else return
    }
    throw new Error('did not come to rest')
  }

  private deliver(channel: number): void {
    const sender = this.senders[channel] as (typeof this.senders)[number]
    const symbol = sender.held.shift() as string
    if (/^[a-z]$/.test(symbol)) {
      sender.builder.open()
      sender.builder.append(symbol, NaN, -1, -1)
      sender.sequence++
      this.handle({ type: 'channel', channel, message: sender.builder.seal(sender.sequence, this.now, UNKNOWN_LINEAGE) })
      return
    }
    const event = eventOf(symbol)
    sender.stopped = event.type === 'barrier' && needsAlignment(event.options)
    this.handle({ type: 'channel', channel, message: { kind: 'event', sequence: 0, sentAt: this.now, event } })
  }

  private handle(input: TaskInput): void {
    this.machine.handle(input, this.now, this)
  }

  // ── what the task does

  send(output: number, message: ChannelMessage): void {
    const to = this.machine.deployment.partitions.flatMap(({ subpartitions }) => subpartitions).length > 1 ? ` to ${output}` : ''
    if (message.kind === 'buffer') this.log.push(`send ${message.count}${to}`)
    else this.log.push(`${nameOf(message.event)}${to}`)
    if (message.kind === 'event' && message.event.type === 'barrier') this.answers.push({ type: 'feedback', output, feedback: { kind: 'resume' } })
  }

  feedback(channel: number, feedback: ChannelFeedback): void {
    this.feedbacks.push({ channel, feedback })
    if (feedback.kind !== 'resume') return
    this.log.push(`resume ${channel}`)
    ;(this.senders[channel] as (typeof this.senders)[number]).stopped = false
  }

  toJobManager(message: TaskMessage): void {
    if (message.type === 'acknowledge') {
      this.acknowledged.push(message)
      this.log.push(`ack ${message.checkpointId}`)
    } else if (message.type === 'decline') this.log.push(`decline ${message.checkpointId} ${message.reason}`)
    else if (message.type === 'state') {
      this.failure = message.failure ?? null
      this.log.push(message.state)
    } else this.log.push(message.type === 'end-of-data' ? 'report end' : message.type)
  }

  storage(requestId: number, op: StorageOp): void {
    this.log.push(op.type === 'transact' ? (op.writes.length > 0 ? `store ${op.writes.length}` : `delete ${op.deletes.length}`) : op.type)
    this.storageRequests.push({ requestId, op })
    if (this.answersStorage) this.answerStorage(true)
  }

  outside(requestId: number, op: OutsideOp): void {
    this.log.push(op.type)
    this.outsideRequests.push(requestId)
  }

  setTimer(timer: string, at: number): void {
    this.timers.set(timer, at)
  }

  clearTimer(timer: string): void {
    this.timers.delete(timer)
  }

  event(body: EventBody): void {
    this.events.push(body)
  }

  trace(): void {}

  private answerStorage(ok: boolean): void {
    const request = this.storageRequests.shift()
    if (request === undefined) throw new Error('storage was not asked')
    const result: StorageReply['result'] = ok ? { ok: true } : { ok: false, reason: 'QUOTA_EXCEEDED', message: 'no room' }
    this.answers.push({ type: 'storage-reply', reply: { requestId: request.requestId, result } })
  }
}

const ALIGNMENTS = { '': 'ALIGNED', u: 'UNALIGNED', f: 'FORCED_ALIGNED', t: 'ALIGNED', ft: 'FORCED_ALIGNED' } as const

function barrierOf(checkpointId: number, prefix: keyof typeof ALIGNMENTS): CheckpointBarrier {
  const timeout = prefix.endsWith('t') ? { alignedTimeoutMicros: 5 } : {}
  return { type: 'barrier', checkpointId, timestamp: 0, options: { alignment: ALIGNMENTS[prefix], type: 'CHECKPOINT', location: `/chk-${checkpointId}`, ...timeout } }
}

function eventOf(symbol: string): ChannelEvent['event'] {
  if (symbol === '-' || symbol === '~') return { type: 'end-of-data', drain: symbol === '-' }
  if (symbol === '|') return { type: 'end-of-partition' }
  if (symbol.startsWith('!')) return { type: 'cancel-checkpoint', checkpointId: Number(symbol.slice(1)) }
  const parts = /^(u|f?t?)(\d+)$/.exec(symbol)
  if (parts === null) throw new Error(`no symbol: ${symbol}`)
  return barrierOf(Number(parts[2]), parts[1] as keyof typeof ALIGNMENTS)
}

function nameOf(event: ChannelEvent['event']): string {
  if (event.type === 'cancel-checkpoint') return `!${event.checkpointId}`
  if (event.type !== 'barrier') return event.type
  const { checkpointId, options } = event
  return options.alignment === 'ALIGNED' ? `barrier ${checkpointId}` : `${options.alignment} barrier ${checkpointId}`
}

