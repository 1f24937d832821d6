/** What stands in one channel for the eye: records and barriers in the output queue, on the wire, in the input queue. */
import type { EngineTime } from '../model/time.ts'
import type { TracedRecord } from '../model/trace.ts'

export interface RecordToken {
  readonly kind: 'record'
  readonly record: TracedRecord
  /** Where it is drawn, along its channel's path; NaN before it was drawn first. */
  s: number
  buffer: number
  /** The checkpoint that holds it as in-flight data; null: none. */
  persisted: number | null
}

export interface BarrierToken {
  readonly kind: 'barrier'
  readonly checkpointId: number
  s: number
  /** It stands at the receiver's mouth until the others have come. */
  taken: boolean
  /** It goes past the data before it. */
  overtakes: boolean
  /** Aligned until then; null: for good, or not any more. */
  timeOut: { readonly from: EngineTime; readonly until: EngineTime } | null
  /** Where its leap began, while it is in the air. */
  leapFrom: number | null
  leapTo: number
}

export type Token = RecordToken | BarrierToken

export interface Travelling {
  readonly tokens: Token[]
  readonly sequence: number
  readonly sentAt: EngineTime
  /** Of the channel when it was sent, and from its first byte to its last where the channel has a rate. */
  readonly delayMicros: EngineTime
}

export interface ChannelTokens {
  /** Head first: the next to leave. */
  output: Token[]
  wire: Travelling[]
  /** Head first: the next to be taken. */
  input: Token[]
  blocked: boolean
  /** Beyond the link's own latency: by the document, or by hand. */
  delayMicros: EngineTime
  /** What comes in is in-flight data of this checkpoint until its barrier is there. */
  persisting: number | null
  /** Figures of the last report, for stretches that are not traced. */
  reported: { output: number; input: number; at: EngineTime } | null
  tracedAt: EngineTime
}

const QUEUE_MAX = 2_000

export const emptyChannel = (delayMicros: EngineTime = 0): ChannelTokens => ({ output: [], wire: [], input: [], blocked: false, delayMicros, persisting: null, reported: null, tracedAt: -1 })
export const barrier = (checkpointId: number): BarrierToken => ({ kind: 'barrier', checkpointId, s: NaN, taken: false, overtakes: false, timeOut: null, leapFrom: null, leapTo: NaN })

export function push(queue: Token[], token: Token): void {
  queue.push(token)
  if (queue.length > QUEUE_MAX) queue.shift()
}

/** The oldest `count` records; barriers keep their place. */
export function takeRecords(queue: Token[], count: number): Token[] {
  const taken: Token[] = []
  for (let i = 0; i < queue.length && taken.length < count; ) {
    if (queue[i]?.kind === 'record') taken.push(...queue.splice(i, 1))
    else i++
  }
  return taken
}

const isBarrier = (token: Token, id: number): token is BarrierToken => token.kind === 'barrier' && token.checkpointId === id

export function findBarrier(channel: ChannelTokens, id: number): BarrierToken | undefined {
  const wire = channel.wire.flatMap((travelling) => travelling.tokens)
  return [...channel.output, ...channel.input, ...wire].find((token) => isBarrier(token, id)) as BarrierToken | undefined
}

export const hasBarrier = (channel: ChannelTokens, id: number): boolean =>
  channel.output.some((token) => isBarrier(token, id)) || channel.input.some((token) => isBarrier(token, id)) || channel.wire.some((travelling) => travelling.tokens.some((token) => isBarrier(token, id)))

export function removeBarrier(channel: ChannelTokens, id: number): BarrierToken | null {
  for (const queue of [channel.output, channel.input]) {
    const index = queue.findIndex((token) => isBarrier(token, id))
    if (index >= 0) return queue.splice(index, 1)[0] as BarrierToken
  }
  const index = channel.wire.findIndex((travelling) => travelling.tokens.some((token) => isBarrier(token, id)))
  return index < 0 ? null : (channel.wire.splice(index, 1)[0]?.tokens[0] as BarrierToken)
}

export function trim(queue: Token[], records: number): void {
  const surplus = queue.filter((token) => token.kind === 'record').length - records
  if (surplus > 0) takeRecords(queue, surplus)
}
