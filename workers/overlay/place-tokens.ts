/** From queues to places in the world: packed to the head of a tube, boxed by buffer; along the wire by engine time. */
import type { OverlayScene, SceneChannel, SceneTube } from '../model/overlay-scene.ts'
import type { EngineTime } from '../model/time.ts'
import type { ChannelTokens, Token } from './channel-tokens.ts'

export const PITCH = 14.6
const HALF = 8.8
const BOX_GAP = 2
const BARRIER_HALF = 8
/** Room for a padlock at the mouth, for the wire's end at the other. */
const MOUTH = 9
const LOCKED_MOUTH = 15
const OUTPUT_END = 3

/** A token and where it belongs on its channel's path: output tube, wire, input tube, measured from the sender's edge. */
export interface Placed {
  readonly token: Token
  readonly s: number
}

export interface BufferBox {
  readonly x1: number
  readonly x2: number
  /** Of the records inside. */
  readonly tokens: readonly Placed[]
}

export interface PlacedQueue {
  readonly placed: readonly Placed[]
  readonly boxes: readonly BufferBox[]
  /** Records for which there is no room. */
  readonly hidden: number
  readonly records: number
}

/** Head at the right end, as the stream flows. Records of one buffer share a box. */
export function placeQueue(queue: readonly Token[], tube: SceneTube, origin: number, margin: number, scale: number): PlacedQueue {
  const packer = new Packer(tube, origin, margin, scale)
  for (const token of queue) packer.add(token)
  return packer.end()
}

class Packer {
  private readonly placed: Placed[] = []
  private readonly boxes: BufferBox[] = []
  /** Path coordinate of x = 0. */
  private readonly shift: number
  private readonly left: number
  private readonly scale: number
  /** The next token's right edge. */
  private right: number
  /** The box being filled: first and last centre. */
  private run: { readonly buffer: number; readonly from: number; to: number; readonly tokens: Placed[] } | null = null
  private hidden = 0
  private records = 0

  constructor(tube: SceneTube, origin: number, margin: number, scale: number) {
    this.shift = origin - tube.x1
    this.left = tube.x1 + 4
    this.right = tube.x2 - margin
    this.scale = scale
  }

  add(token: Token): void {
    if (token.kind === 'barrier') {
      this.close()
      const x = Math.max(this.left + 4, this.right - BARRIER_HALF * this.scale)
      this.placed.push({ token, s: x + this.shift })
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
    const placed = { token, s: x + this.shift }
    if (this.run === null) this.run = { buffer: token.buffer, from: x, to: x, tokens: [placed] }
    else {
      this.run.to = x
      this.run.tokens.push(placed)
    }
    this.placed.push(placed)
  }

  end(): PlacedQueue {
    this.close()
    return { placed: this.placed, boxes: this.boxes, hidden: this.hidden, records: this.records }
  }

  private close(): void {
    if (this.run === null) return
    this.boxes.push({ x1: this.run.to - HALF * this.scale, x2: this.run.from + HALF * this.scale, tokens: this.run.tokens })
    this.right = this.run.to - (HALF + BOX_GAP) * this.scale
    this.run = null
  }
}

export function placeOutput(path: ChannelPath, tokens: ChannelTokens): PlacedQueue {
  return placeQueue(tokens.output, path.channel.output, 0, OUTPUT_END, scaleOf(path.channel))
}

export function placeInput(path: ChannelPath, tokens: ChannelTokens): PlacedQueue {
  const locked = tokens.input.some((token) => token.kind === 'barrier' && token.taken && !token.overtakes) || tokens.blocked
  return placeQueue(tokens.input, path.channel.input, path.wireEnd, locked ? LOCKED_MOUTH : MOUTH, scaleOf(path.channel))
}

export const scaleOf = (channel: SceneChannel): number => Math.min(1, channel.bore / 22)

/** On the wire by time: sent at its beginning, there when the link's latency and the channel's delay have gone by. The records of a buffer go in file. */
export function placeWire(path: ChannelPath, tokens: ChannelTokens, time: EngineTime, latency: EngineTime): Placed[] {
  const placed: Placed[] = []
  const length = path.wireEnd - path.wireStart
  for (const travelling of tokens.wire) {
    const way = latency + travelling.delayMicros
    const share = way <= 0 ? 1 : Math.min(1, Math.max(0, (time - travelling.sentAt) / way))
    travelling.tokens.forEach((token, index) => placed.push({ token, s: Math.max(path.wireStart - 6, path.wireStart + share * length - index * PITCH) }))
  }
  return placed
}

export interface ChannelPath {
  readonly channel: SceneChannel
  readonly wireStart: number
  readonly wireEnd: number
  readonly length: number
  /** Path coordinate of each sample of the wire. */
  readonly marks: readonly number[]
}

export function pathOf(channel: SceneChannel): ChannelPath {
  const wireStart = channel.output.x2 - channel.output.x1
  const marks = [wireStart]
  for (let i = 2; i < channel.wire.length; i += 2) {
    marks.push((marks.at(-1) ?? 0) + Math.hypot(wireAt(channel, i) - wireAt(channel, i - 2), wireAt(channel, i + 1) - wireAt(channel, i - 1)))
  }
  const wireEnd = marks.at(-1) ?? wireStart
  return { channel, wireStart, wireEnd, length: wireEnd + channel.input.x2 - channel.input.x1, marks }
}

const wireAt = (channel: SceneChannel, index: number): number => channel.wire[index] ?? 0

/** The point of the path at `s`. */
export function pointAt(path: ChannelPath, s: number): readonly [number, number] {
  const { channel, marks, wireStart, wireEnd } = path
  if (s <= wireStart) return [channel.output.x1 + s, channel.output.y]
  if (s >= wireEnd) return [channel.input.x1 + s - wireEnd, channel.input.y]
  let index = 0
  while (index < marks.length - 2 && (marks[index + 1] ?? 0) <= s) index++
  const from = marks[index] ?? 0
  const part = (s - from) / Math.max(0.001, (marks[index + 1] ?? from) - from)
  const at = index * 2
  const [x1, y1, x2, y2] = [wireAt(channel, at), wireAt(channel, at + 1), wireAt(channel, at + 2), wireAt(channel, at + 3)]
  return [x1 + (x2 - x1) * part, y1 + (y2 - y1) * part]
}

export const countRecords = (scene: OverlayScene, world: ReadonlyMap<string, ChannelTokens>): number =>
  scene.channels.reduce((sum, channel) => {
    const tokens = world.get(channel.channel)
    return tokens === undefined ? sum : sum + tokens.output.length + tokens.input.length + tokens.wire.reduce((inWire, travelling) => inWire + travelling.tokens.length, 0)
  }, 0)
