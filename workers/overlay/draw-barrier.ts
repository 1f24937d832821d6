/** The barrier: a ranging pole with a flag, and what it may do to the data before it. */
import type { OverlayPalette } from '../model/overlay-scene.ts'
import { color, hatchLines, NUM_FONT } from './draw-marks.ts'
import type { Ctx } from './draw-marks.ts'

export interface BarrierMark {
  readonly id: number
  readonly x: number
  readonly y: number
  readonly bore: number
  /** Above the upper tube, below the lower. */
  readonly flagUp: boolean
  readonly savepoint: boolean
  readonly overtakes: boolean
  /** Part of its time that is left before it turns unaligned; null: it does not. */
  readonly timeLeft: number | null
}

/** Full height, hatched, flying its number; at the other end an arc where it overtakes, a ring that runs down where it will. */
export function drawBarrier(ctx: Ctx, palette: OverlayPalette, mark: BarrierMark): void {
  const { id, x, y, bore, flagUp, savepoint } = mark
  const half = bore / 2 + 4
  const ink = color(palette, savepoint ? 'savepoint-edge' : 'ink')
  ctx.save()
  ctx.beginPath()
  ctx.rect(x - 4.5, y - half, 9, 2 * half)
  ctx.fillStyle = color(palette, 'card')
  ctx.fill()
  ctx.save()
  ctx.clip()
  hatchLines(ctx, ink, x - 4.5, y - half, 9, 2 * half, id)
  ctx.restore()
  ctx.strokeStyle = ink
  ctx.lineWidth = 1.5
  ctx.stroke()
  const direction = flagUp ? -1 : 1
  drawFlag(ctx, palette, mark, ink, half, direction)
  const other = y - direction * (half + 2)
  if (mark.overtakes) drawArc(ctx, ink, x, other, direction)
  else if (mark.timeLeft !== null) drawTimeLeft(ctx, palette, x, other - direction * 7, mark.timeLeft)
  ctx.restore()
}

/** Swallow-tailed for a checkpoint, square for a savepoint. */
function drawFlag(ctx: Ctx, palette: OverlayPalette, { id, x, y, savepoint }: BarrierMark, ink: string, half: number, direction: number): void {
  const text = savepoint ? `S${id}` : String(id)
  const width = 10 + 6 * text.length
  const near = y + direction * (half + 4)
  const far = y + direction * (half + 17)
  ctx.beginPath()
  ctx.moveTo(x + 4.5, y + direction * half)
  ctx.lineTo(x + 4.5, far)
  ctx.stroke()
  ctx.beginPath()
  ctx.moveTo(x + 4.5, far)
  ctx.lineTo(x + 4.5 - width, far)
  if (!savepoint) ctx.lineTo(x + 8 - width, (near + far) / 2)
  ctx.lineTo(x + 4.5 - width, near)
  ctx.lineTo(x + 4.5, near)
  ctx.closePath()
  ctx.fillStyle = ink
  ctx.fill()
  ctx.font = `700 10.5px ${NUM_FONT}`
  ctx.textAlign = 'center'
  ctx.textBaseline = 'alphabetic'
  ctx.fillStyle = color(palette, 'on-ink')
  ctx.fillText(text, x + (savepoint ? 4.5 : 6.2) - width / 2, (near + far) / 2 + 3.7)
}

/** An arrow that leaps, as the stream flows. */
function drawArc(ctx: Ctx, ink: string, x: number, y: number, direction: number): void {
  ctx.strokeStyle = ink
  ctx.lineWidth = 1.6
  ctx.beginPath()
  ctx.ellipse(x, y, 9, 8, 0, Math.PI, direction < 0 ? 0 : 2 * Math.PI, direction < 0)
  ctx.stroke()
  ctx.beginPath()
  ctx.moveTo(x + 5.5, y + direction * -4.5)
  ctx.lineTo(x + 9, y)
  ctx.lineTo(x + 12.5, y + direction * -4.5)
  ctx.stroke()
}

function drawTimeLeft(ctx: Ctx, palette: OverlayPalette, x: number, y: number, share: number): void {
  ctx.lineWidth = 2
  ctx.strokeStyle = color(palette, 'line-2')
  ctx.beginPath()
  ctx.arc(x, y, 5, 0, Math.PI * 2)
  ctx.stroke()
  if (share <= 0) return
  ctx.strokeStyle = color(palette, 'alignment-edge')
  ctx.beginPath()
  ctx.arc(x, y, 5, -Math.PI / 2, -Math.PI / 2 + Math.PI * 2 * share)
  ctx.stroke()
}
