/** From queues to places in the world: packed to the head of a tube, boxed by buffer; along the wire by engine time. */
import type { OverlayScene, SceneChannel } from '../model/overlay-scene.ts'
import type { EngineTime } from '../model/time.ts'
import type { ChannelTokens, Token } from './token-world.ts'

export const PITCH = 14.6
const HALF = 8.8
const BOX_GAP = 2
const BARRIER_HALF = 8
/** Room for a padlock at the mouth, for the wire's end at the other. */
const MOUTH = 9
const LOCKED_MOUTH = 15
const OUTPUT_END = 3

export interface Placed {
  readonly token: Token
  readonly x: number
  readonly y: number
}

export interface BufferBox {
  readonly x1: number
  readonly x2: number
  readonly y: number
}

export interface PlacedQueue {
  readonly placed: readonly Placed[]
  readonly boxes: readonly BufferBox[]
  /** Records for which there is no room. */
  readonly hidden: number
  readonly records: number
}

/** Head at the right end, as the stream flows. Records of one buffer share a box. */
export function placeQueue(queue: readonly Token[], tube: { readonly x1: number; readonly x2: number; readonly y: number }, margin: number, scale: number): PlacedQueue {
  const packer = new Packer(tube, margin, scale)
  for (const token of queue) packer.add(token)
  return packer.end()
}

class Packer {
  private readonly placed: Placed[] = []
  private readonly boxes: BufferBox[] = []
  private readonly y: number
  private readonly left: number
  private readonly scale: number
  /** The next token's right edge. */
  private right: number
  /** The box being filled: first and last centre. */
  private run: { readonly buffer: number; readonly from: number; to: number } | null = null
  private hidden = 0
  private records = 0

  constructor(tube: { readonly x1: number; readonly x2: number; readonly y: number }, margin: number, scale: number) {
    this.y = tube.y
    this.left = tube.x1 + 4
    this.right = tube.x2 - margin
    this.scale = scale
  }

  add(token: Token): void {
    if (token.kind === 'barrier') {
      this.close()
      const x = Math.max(this.left + 4, this.right - BARRIER_HALF * this.scale)
      this.placed.push({ token, x, y: this.y })
      this.right = x - BARRIER_HALF * this.scale
      return
    }
    this.records++
    if (this.run !== null && this.run.buffer !== token.buffer) this.close()
    const x = this.run === null ? this.right - HALF * this.scale : this.run.to - PITCH * this.scale
    if (x - HALF * this.scale < this.left) {
      this.hidden++
      return
    }
    if (this.run === null) this.run = { buffer: token.buffer, from: x, to: x }
    else this.run.to = x
    this.placed.push({ token, x, y: this.y })
  }

  end(): PlacedQueue {
    this.close()
    return { placed: this.placed, boxes: this.boxes, hidden: this.hidden, records: this.records }
  }

  private close(): void {
    if (this.run === null) return
    this.boxes.push({ x1: this.run.to - HALF * this.scale, x2: this.run.from + HALF * this.scale, y: this.y })
    this.right = this.run.to - (HALF + BOX_GAP) * this.scale
    this.run = null
  }
}

export function placeOutput(channel: SceneChannel, tokens: ChannelTokens): PlacedQueue {
  return placeQueue(tokens.output, channel.output, OUTPUT_END, scaleOf(channel))
}

export function placeInput(channel: SceneChannel, tokens: ChannelTokens): PlacedQueue {
  const locked = tokens.input.some((token) => token.kind === 'barrier' && token.taken) || tokens.blocked
  return placeQueue(tokens.input, channel.input, locked ? LOCKED_MOUTH : MOUTH, scaleOf(channel))
}

export const scaleOf = (channel: SceneChannel): number => Math.min(1, channel.bore / 22)

/** On the wire by time: sent at its beginning, there when the link's latency has gone by. The records of a buffer go in file. */
export function placeWire(channel: SceneChannel, tokens: ChannelTokens, time: EngineTime, latency: EngineTime): Placed[] {
  const placed: Placed[] = []
  for (const travelling of tokens.wire) {
    const share = latency <= 0 ? 1 : Math.min(1, Math.max(0, (time - travelling.sentAt) / latency))
    travelling.tokens.forEach((token, index) => {
      const [x, y] = along(channel.wire, Math.max(0, share - index * 0.14 * (1 - share)))
      placed.push({ token, x, y })
    })
  }
  return placed
}

/** A point of the sampled path, `share` of its length from the beginning. */
export function along(wire: readonly number[], share: number): [number, number] {
  const segments = wire.length / 2 - 1
  const position = Math.min(1, Math.max(0, share)) * segments
  const index = Math.min(segments - 1, Math.floor(position))
  const part = position - index
  const x1 = wire[index * 2] ?? 0
  const y1 = wire[index * 2 + 1] ?? 0
  const x2 = wire[index * 2 + 2] ?? x1
  const y2 = wire[index * 2 + 3] ?? y1
  return [x1 + (x2 - x1) * part, y1 + (y2 - y1) * part]
}

export const countRecords = (scene: OverlayScene, world: ReadonlyMap<string, ChannelTokens>): number =>
  scene.channels.reduce((sum, channel) => {
    const tokens = world.get(channel.channel)
    return tokens === undefined ? sum : sum + tokens.output.length + tokens.input.length + tokens.wire.reduce((inWire, travelling) => inWire + travelling.tokens.length, 0)
  }, 0)
