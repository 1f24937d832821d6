/** Barriers that go past data, and the data that becomes part of a checkpoint for it (behaviour 6: unaligned barriers). */
import { findBarrier } from './channel-tokens.ts'
import type { BarrierToken, ChannelTokens, Token } from './channel-tokens.ts'

/** Before every record, behind the barriers that stand there already. */
export function putAhead(queue: Token[], token: BarrierToken): void {
  const index = queue.findIndex(({ kind }) => kind === 'record')
  queue.splice(index < 0 ? queue.length : index, 0, token)
}

/** The barrier goes to the head of its queue, and what it passes is kept. On the wire it has passed the output queue: all that stands there. */
export function leapAhead(channel: ChannelTokens, checkpointId: number): void {
  const token = findBarrier(channel, checkpointId)
  if (token === undefined || token.overtakes) return
  token.overtakes = true
  token.timeOut = null
  if (channel.input.includes(token)) {
    if (!token.taken) leap(channel.input, token)
  } else if (channel.output.includes(token)) leap(channel.output, token)
  else keep(channel.output, checkpointId)
}

function leap(queue: Token[], token: BarrierToken): void {
  const index = queue.indexOf(token)
  keep(queue.slice(0, index), token.checkpointId)
  queue.splice(index, 1)
  putAhead(queue, token)
}

/**
 * The receiver has taken its snapshot: what stands before this channel's barrier is in-flight data, and what comes until the barrier is
 * there. Behind a barrier that was aligned with there is nothing to keep.
 */
export function startPersisting(channel: ChannelTokens, checkpointId: number): void {
  const at = channel.input.findIndex((token) => token.kind === 'barrier' && token.checkpointId === checkpointId)
  const token = channel.input[at]
  const isThere = token?.kind === 'barrier'
  if (isThere && token.taken && !token.overtakes) return
  keep(isThere && !token.overtakes ? channel.input.slice(0, at) : channel.input, checkpointId)
  if (!isThere || !token.taken) channel.persisting = checkpointId
}

/** The checkpoint has failed, and with it what it held. */
export function dropPersisted(channel: ChannelTokens, checkpointId: number): void {
  if (channel.persisting === checkpointId) channel.persisting = null
  for (const token of [...channel.output, ...channel.input, ...channel.wire.flatMap(({ tokens }) => tokens)]) {
    if (token.kind === 'record' && token.persisted === checkpointId) token.persisted = null
  }
}

function keep(tokens: readonly Token[], checkpointId: number): void {
  for (const token of tokens) if (token.kind === 'record') token.persisted = checkpointId
}
