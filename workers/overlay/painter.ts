/** One frame: everything that moves, in world units under the viewport's transform. */
import type { OverlayOptions, OverlayPalette, OverlayScene, OverlayViewport, SceneChannel } from '../model/overlay-scene.ts'
import type { EngineTime } from '../model/time.ts'
import { color, drawBarrier, drawBox, drawChamber, drawDisc, drawLevel } from './draw-marks.ts'
import type { Ctx } from './draw-marks.ts'
import { countRecords, placeInput, placeOutput, placeWire, scaleOf } from './place-tokens.ts'
import type { Placed, PlacedQueue } from './place-tokens.ts'
import type { Token, TokenWorld } from './token-world.ts'

/** Beyond this many tokens queues are drawn as levels; back below the second figure they are drawn one by one again. */
const TOKENS_MAX = 44
const TOKENS_AGAIN = 32
/** World units per second of wall time at which a token closes up to its place, and the part of its way that it covers besides. */
const SPEED = 180
const CLOSE_UP = 7
/** A record in work is shown at least so long, in wall milliseconds. */
const CHAMBER_MIN = 260

export interface Frame {
  readonly world: TokenWorld
  readonly scene: OverlayScene
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
    const barriers: [SceneChannel, Placed][] = []
    for (const channel of scene.channels) this.paintChannel(ctx, frame, channel, barriers)
    for (const [channel, { token, x: bx, y: by }] of barriers) {
      if (token.kind === 'barrier') drawBarrier(ctx, frame.palette, token.checkpointId, bx, by, channel.bore, channel.flagUp)
    }
    this.paintChambers(ctx, frame)
  }

  private paintChannel(ctx: Ctx, frame: Frame, channel: SceneChannel, barriers: [SceneChannel, Placed][]): void {
    const tokens = frame.world.channels.get(channel.channel)
    if (tokens === undefined) return
    // Not traced, or not any more: the report's figures are all there is.
    const untraced = tokens.reported !== null && tokens.tracedAt < tokens.reported.at - 2_000_000
    const output = placeOutput(channel, tokens)
    const input = placeInput(channel, tokens)
    this.paintQueue(ctx, frame, channel, output, channel.output, untraced ? (tokens.reported?.output ?? 0) : null, tokens.blocked, barriers)
    this.paintQueue(ctx, frame, channel, input, channel.input, untraced ? (tokens.reported?.input ?? 0) : null, false, barriers)
    for (const placed of placeWire(channel, tokens, frame.time, frame.scene.linkLatencyMicros)) {
      const at = this.follow(placed, frame, true)
      if (placed.token.kind === 'barrier') barriers.push([channel, at])
      else if (this.aggregated) dot(ctx, frame.palette, at)
      else drawDisc(ctx, frame.palette, placed.token, at.x, at.y, { held: false, marking: frame.options.marking, scale: scaleOf(channel) })
      this.moving++
    }
  }

  private paintQueue(
    ctx: Ctx,
    frame: Frame,
    channel: SceneChannel,
    queue: PlacedQueue,
    tube: SceneChannel['output'],
    reported: number | null,
    held: boolean,
    barriers: [SceneChannel, Placed][],
  ): void {
    const { palette, options } = frame
    const level = reported ?? (this.aggregated ? queue.records : null)
    if (level !== null) drawLevel(ctx, palette, tube, channel.bore, level)
    else for (const box of queue.boxes) drawBox(ctx, palette, box.x1, box.x2, box.y, channel.bore)
    for (const placed of queue.placed) {
      const at = this.follow(placed, frame, false)
      if (placed.token.kind === 'barrier') barriers.push([channel, at])
      else if (level === null) drawDisc(ctx, palette, placed.token, at.x, at.y, { held, marking: options.marking, scale: scaleOf(channel) })
    }
    if (level === null && queue.hidden > 0) drawHidden(ctx, palette, tube, queue.hidden)
  }

  /** A token closes up linearly to where it belongs; with reduced motion it is there at once. */
  private follow(placed: Placed, frame: Frame, quick: boolean): Placed {
    const { token, x, y } = placed
    if (frame.options.reducedMotion || Number.isNaN(token.x)) {
      place(token, x, y)
      return placed
    }
    const dx = x - token.x
    const dy = y - token.y
    const distance = Math.hypot(dx, dy)
    const step = (SPEED * (quick ? 3 : 1) + distance * CLOSE_UP) * frame.elapsed
    if (distance <= Math.max(step, 0.2) || distance > 400) {
      place(token, x, y)
      return placed
    }
    this.moving++
    place(token, token.x + (dx / distance) * step, token.y + (dy / distance) * step)
    return { token, x: token.x, y: token.y }
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
      const words: [string, string] = [chamber.outcome === null ? chamber.token.record.label : `${chamber.token.record.label} ${chamber.outcome}`, chamber.token.record.replayed ? 'again' : subtask.deed]
      drawChamber(ctx, frame.palette, chamber.token, subtask.chamber, share, words, frame.options.marking)
    }
  }
}

function place(token: Token, x: number, y: number): void {
  token.x = x
  token.y = y
}

function dot(ctx: Ctx, palette: OverlayPalette, at: Placed): void {
  ctx.fillStyle = color(palette, 'text-2')
  ctx.beginPath()
  ctx.arc(at.x, at.y, 2.4, 0, Math.PI * 2)
  ctx.fill()
}

function drawHidden(ctx: Ctx, palette: OverlayPalette, tube: SceneChannel['output'], hidden: number): void {
  ctx.font = '600 10px "Weir Num", ui-monospace, monospace'
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  ctx.fillStyle = color(palette, 'text-1')
  ctx.fillText(`+${hidden}`, tube.x1 + 5, tube.y + 3.4)
}
