/** One frame: everything that moves, in world units under the viewport's transform. */
import type { OverlayOptions, OverlayPalette, OverlayScene, OverlayViewport, SceneTube } from '../model/overlay-scene.ts'
import type { EngineTime } from '../model/time.ts'
import { drawBarrier } from './draw-barrier.ts'
import type { BarrierMark } from './draw-barrier.ts'
import { color, drawBox, drawChamber, drawDisc, drawLevel, keyOf, NUM_FONT } from './draw-marks.ts'
import type { Ctx } from './draw-marks.ts'
import { countRecords, placeInput, placeOutput, placeWire, pointAt, scaleOf } from './place-tokens.ts'
import type { BufferBox, ChannelPath, Placed, PlacedQueue } from './place-tokens.ts'
import type { BarrierToken, Token } from './channel-tokens.ts'
import type { TokenWorld } from './token-world.ts'

/** Beyond this many tokens queues are drawn as levels; back below the second figure they are drawn one by one again. */
const TOKENS_MAX = 44
const TOKENS_AGAIN = 32
/** World units per second of wall time at which a token closes up to its place, and the part of its way that it covers besides. */
const SPEED = 180
const CLOSE_UP = 7
const LANDED = 1
const LEAP_MAX = 24
/** A record in work is shown at least so long, in wall milliseconds. */
const CHAMBER_MIN = 260

export interface Frame {
  readonly world: TokenWorld
  readonly scene: OverlayScene
  readonly paths: readonly ChannelPath[]
  readonly viewport: OverlayViewport
  readonly palette: OverlayPalette
  readonly options: OverlayOptions
  readonly time: EngineTime
  readonly wall: number
  readonly elapsed: number
}

export class Painter {
  private aggregated = false
  /** Tokens under way to their places in the last frame. */
  moving = 0
  tokens = 0

  paint(ctx: Ctx, frame: Frame): void {
    const { viewport, scene, world } = frame
    const { x, y, zoom, pixelRatio } = viewport
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height)
    ctx.setTransform(zoom * pixelRatio, 0, 0, zoom * pixelRatio, x * pixelRatio, y * pixelRatio)
    this.tokens = countRecords(scene, world.channels)
    this.aggregated = this.aggregated ? this.tokens > TOKENS_AGAIN : this.tokens > TOKENS_MAX
    this.moving = 0
    const barriers: BarrierMark[] = []
    for (const path of frame.paths) this.paintChannel(ctx, frame, path, barriers)
    for (const barrier of barriers) drawBarrier(ctx, frame.palette, barrier)
    this.paintChambers(ctx, frame)
  }

  private paintChannel(ctx: Ctx, frame: Frame, path: ChannelPath, barriers: BarrierMark[]): void {
    const { channel } = path
    const tokens = frame.world.channels.get(channel.channel)
    if (tokens === undefined) return
    // Not traced, or not any more: the report's figures are all there is.
    const untraced = tokens.reported !== null && tokens.tracedAt < tokens.reported.at - 2_000_000
    const draw: Drawing = { ctx, frame, path, barriers, held: false, level: null }
    const output = placeOutput(path, tokens)
    const input = placeInput(path, tokens)
    const level = (reported: number, queue: PlacedQueue): number | null => (untraced ? reported : this.aggregated ? queue.records : null)
    this.paintQueue({ ...draw, held: tokens.blocked, level: level(tokens.reported?.output ?? 0, output) }, output, channel.output)
    this.paintQueue({ ...draw, level: level(tokens.reported?.input ?? 0, input) }, input, channel.input)
    for (const placed of placeWire(path, tokens, frame.time, frame.scene.linkLatencyMicros)) {
      this.follow(placed, frame)
      this.moving++
      this.paintToken({ ...draw, level: this.aggregated ? 1 : null }, placed.token, true)
    }
  }

  private paintQueue(draw: Drawing, queue: PlacedQueue, tube: SceneTube): void {
    const { ctx, frame, path, level, held } = draw
    for (const placed of queue.placed) {
      this.leap(placed, frame)
      this.follow(placed, frame)
    }
    // Of a held queue the page says the number already.
    if (level !== null) drawLevel(ctx, frame.palette, tube, path.channel.bore, level, !held)
    else for (const box of queue.boxes) if (arrived(box)) drawBox(ctx, frame.palette, box.x1, box.x2, tube.y, path.channel.bore)
    for (const { token } of queue.placed) this.paintToken(draw, token, false)
    if (level === null && queue.hidden > 0 && !held) drawHidden(ctx, frame.palette, tube, queue.hidden)
  }

  private paintToken({ ctx, frame, path, barriers, held, level }: Drawing, token: Token, onWire: boolean): void {
    const [x, y] = pointAt(path, token.s)
    if (token.kind === 'barrier') barriers.push(this.markOf(token, frame, path, x, y))
    else if (level === null) drawDisc(ctx, frame.palette, token, x, y, { held, marking: frame.options.marking, scale: scaleOf(path.channel) })
    else if (onWire) dot(ctx, frame, x, y)
  }

  /** In a queue a barrier that overtakes goes over what stands there; with reduced motion it is beyond at once. */
  private leap({ token, s }: Placed, frame: Frame): void {
    if (token.kind !== 'barrier' || !token.overtakes) return
    if (frame.options.reducedMotion) token.leapFrom = null
    else if (Number.isNaN(token.s)) token.leapFrom = Math.min(s, 0)
    else if (Math.abs(s - token.s) <= LANDED) token.leapFrom = null
    else token.leapFrom ??= token.s
    token.leapTo = s
  }

  private markOf(token: BarrierToken, frame: Frame, { channel }: ChannelPath, x: number, y: number): BarrierMark {
    const { checkpointId: id, overtakes, timeOut } = token
    const lift = leapHeight(token) * (channel.flagUp ? -1 : 1)
    // A ring runs down although nothing else moves.
    if (timeOut !== null && frame.time < timeOut.until) this.moving++
    const timeLeft = timeOut === null ? null : Math.max(0, Math.min(1, (timeOut.until - frame.time) / Math.max(1, timeOut.until - timeOut.from)))
    return { id, x, y: y + lift, bore: channel.bore, flagUp: channel.flagUp, savepoint: frame.world.savepoints.includes(id), overtakes, timeLeft }
  }

  /** A token closes up along its path to where it belongs; with reduced motion it is there at once. */
  private follow({ token, s }: Placed, frame: Frame): void {
    if (frame.options.reducedMotion) token.s = s
    // It comes out of the sender's port.
    else if (Number.isNaN(token.s)) token.s = Math.min(s, 0)
    const distance = s - token.s
    const step = (SPEED + Math.abs(distance) * CLOSE_UP) * frame.elapsed
    if (Math.abs(distance) <= Math.max(step, 0.2)) {
      token.s = s
      return
    }
    this.moving++
    token.s += Math.sign(distance) * step
  }

  private paintChambers(ctx: Ctx, frame: Frame): void {
    for (const subtask of frame.scene.subtasks) {
      const key = `${subtask.vertex}_${subtask.subtask}`
      const chamber = frame.world.chambers.get(key)
      if (chamber === undefined || subtask.chamber === null) continue
      chamber.shownAt ??= frame.wall
      const length = chamber.until - chamber.since
      const share = length <= 0 ? 1 : (frame.time - chamber.since) / length
      if (share >= 1 && frame.wall - chamber.shownAt > CHAMBER_MIN) {
        frame.world.chambers.delete(key)
        continue
      }
      this.moving++
      const words: [string, string] = [chamber.outcome === null ? keyOf(chamber.token.record.label) : `${keyOf(chamber.token.record.label)} ${chamber.outcome}`, chamber.token.record.replayed ? 'again' : subtask.deed]
      drawChamber(ctx, frame.palette, chamber.token, subtask.chamber, share, words, frame.options.marking)
    }
  }
}

interface Drawing {
  readonly ctx: Ctx
  readonly frame: Frame
  readonly path: ChannelPath
  readonly barriers: BarrierMark[]
  /** Behind a lock: tinted. */
  readonly held: boolean
  /** How many there are, where they are not drawn one by one. */
  readonly level: number | null
}

/** A buffer's box is drawn once its records stand in it. */
const arrived = (box: BufferBox): boolean => box.tokens.every(({ token, s }) => Math.abs(token.s - s) < 1.5)

/** How far a barrier is above its way: a parabola between the ends of its leap. */
export function leapHeight({ s, leapFrom, leapTo }: Pick<BarrierToken, 's' | 'leapFrom' | 'leapTo'>): number {
  if (leapFrom === null || leapFrom === leapTo) return 0
  const share = Math.max(0, Math.min(1, (s - leapFrom) / (leapTo - leapFrom)))
  return 4 * share * (1 - share) * Math.min(LEAP_MAX, Math.abs(leapTo - leapFrom) / 3)
}

const DOT_RADIUS = 2.4
/** Of a smaller dot, in pixels, nobody sees that it is a square, which costs a fraction to draw. */
const ROUND_FROM = 1.5

function dot(ctx: Ctx, { palette, viewport }: Frame, x: number, y: number): void {
  ctx.fillStyle = color(palette, 'text-2')
  if (DOT_RADIUS * viewport.zoom * viewport.pixelRatio < ROUND_FROM) {
    // As much ink as the dot has.
    const side = DOT_RADIUS * Math.sqrt(Math.PI)
    ctx.fillRect(x - side / 2, y - side / 2, side, side)
    return
  }
  ctx.beginPath()
  ctx.arc(x, y, DOT_RADIUS, 0, Math.PI * 2)
  ctx.fill()
}

function drawHidden(ctx: Ctx, palette: OverlayPalette, tube: SceneTube, hidden: number): void {
  ctx.font = `600 10px ${NUM_FONT}`
  ctx.textAlign = 'right'
  ctx.textBaseline = 'alphabetic'
  ctx.fillStyle = color(palette, 'text-1')
  ctx.fillText(`+${hidden}`, tube.x1 + 21, tube.y - 13)
}
