/** The marks of the language on a canvas: discs, barriers, buffer boxes, fill levels. */
import type { OverlayPalette } from '../model/overlay-scene.ts'
import type { RecordToken } from './channel-tokens.ts'

export type Ctx = OffscreenCanvasRenderingContext2D

export const NUM_FONT = '"Weir Num", ui-monospace, monospace'
const RADIUS = 7
const KEY_HUES = 12

export const color = (palette: OverlayPalette, name: string): string => palette[name] ?? '#888'

/** The key of a record's label: a whole row is led by it. */
export const keyOf = (label: string): string => {
  const end = label.indexOf(', ')
  return end < 0 ? label : label.slice(0, end)
}

/** The page's own choice of hue and letter (`src/widgets/key-letter.tsx`): FNV-1a of the key. */
export function hueOf(label: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < label.length; i++) h = Math.imul(h ^ label.charCodeAt(i), 0x01000193)
  h ^= h >>> 15
  return (h >>> 0) % KEY_HUES
}

export interface DiscStyle {
  readonly held: boolean
  readonly marking: boolean
  readonly scale: number
}

export function drawDisc(ctx: Ctx, palette: OverlayPalette, token: Pick<RecordToken, 'record' | 'persisted'>, x: number, y: number, style: DiscStyle): void {
  const { record } = token
  const radius = RADIUS * style.scale
  ctx.beginPath()
  ctx.arc(x, y, radius, 0, Math.PI * 2)
  if (style.marking) {
    ctx.fillStyle = color(palette, 'card')
    ctx.fill()
    hatch(ctx, palette, x, y, radius, record.checkpoint)
    ctx.strokeStyle = color(palette, 'ink')
    ctx.lineWidth = 1.2
  } else {
    ctx.fillStyle = color(palette, `key-${hueOf(keyOf(record.label))}`)
    ctx.globalAlpha = style.held ? 0.3 : 1
    ctx.fill()
    ctx.globalAlpha = 1
    ctx.strokeStyle = color(palette, style.held ? 'held-edge' : 'key-edge')
    ctx.lineWidth = style.held ? 1 : Number.parseFloat(palette['key-edge-w'] ?? '0')
  }
  if (ctx.lineWidth > 0 && (style.marking || style.held || palette['key-edge-w'] !== '0px')) ctx.stroke()
  letter(ctx, palette, style.marking ? String(record.checkpoint) : (record.label.charAt(0) || '·').toUpperCase(), x, y, style)
  if (token.persisted !== null) persistedRing(ctx, palette, x, y, radius)
  if (record.replayed) replayRing(ctx, palette, x, y, token.persisted === null ? radius : radius + 2)
}

function letter(ctx: Ctx, palette: OverlayPalette, text: string, x: number, y: number, style: DiscStyle): void {
  ctx.font = `700 ${9.1 * style.scale}px ${NUM_FONT}`
  ctx.textAlign = 'center'
  ctx.textBaseline = 'alphabetic'
  ctx.fillStyle = style.marking ? color(palette, 'text-1') : style.held ? color(palette, 'text-2') : '#0a0f12'
  if (style.marking) {
    // The number stands on its own ground, so that the hatch does not cut it.
    ctx.save()
    ctx.fillStyle = color(palette, 'card')
    ctx.fillRect(x - 2.6 * text.length, y - 4, 5.2 * text.length, 8)
    ctx.restore()
  }
  ctx.fillText(text, x, y + 3.2 * style.scale)
}

/** In flight, and part of a checkpoint. */
function persistedRing(ctx: Ctx, palette: OverlayPalette, x: number, y: number, radius: number): void {
  ctx.beginPath()
  ctx.arc(x, y, radius + 1.2, 0, Math.PI * 2)
  ctx.strokeStyle = color(palette, 'inflight-edge')
  ctx.lineWidth = 2
  ctx.stroke()
}

/** Read for the second time: a dashed ring. */
function replayRing(ctx: Ctx, palette: OverlayPalette, x: number, y: number, radius: number): void {
  ctx.beginPath()
  ctx.arc(x, y, radius + 1.6, 0, Math.PI * 2)
  ctx.setLineDash([2.2, 1.8])
  ctx.strokeStyle = color(palette, 'ink')
  ctx.lineWidth = 1.4
  ctx.stroke()
  ctx.setLineDash([])
}

function hatch(ctx: Ctx, palette: OverlayPalette, x: number, y: number, radius: number, id: number): void {
  ctx.save()
  ctx.clip()
  ctx.globalAlpha = 0.55
  hatchLines(ctx, color(palette, 'ink'), x - radius, y - radius, 2 * radius, 2 * radius, id)
  ctx.restore()
}

/** Lines at 45° × (id mod 4), counter-clockwise from level, over a rectangle that is clipped already. */
export function hatchLines(ctx: Ctx, ink: string, x: number, y: number, width: number, height: number, id: number): void {
  const reach = width + height
  ctx.save()
  ctx.translate(x + width / 2, y + height / 2)
  ctx.rotate((-Math.PI / 4) * (id % 4))
  ctx.fillStyle = ink
  for (let at = -reach; at < reach; at += 3.6) ctx.fillRect(-reach, at, 2 * reach, 1.7)
  ctx.restore()
}

export function drawBox(ctx: Ctx, palette: OverlayPalette, x1: number, x2: number, y: number, bore: number): void {
  ctx.beginPath()
  ctx.roundRect(x1, y - bore / 2 + 1.5, x2 - x1, bore - 3, 2)
  ctx.fillStyle = color(palette, 'buffer')
  ctx.fill()
  ctx.strokeStyle = color(palette, 'buffer-edge')
  ctx.lineWidth = 1
  ctx.stroke()
}

/** Too many to be told apart: how full, and (`told`) how many. Filled from the head. */
export function drawLevel(ctx: Ctx, palette: OverlayPalette, tube: { readonly x1: number; readonly x2: number; readonly y: number }, bore: number, records: number, told: boolean): void {
  if (records <= 0) return
  const room = tube.x2 - tube.x1 - 8
  const width = Math.max(3, Math.min(1, records / 40) * room)
  ctx.fillStyle = color(palette, 'text-3')
  ctx.globalAlpha = 0.55
  ctx.fillRect(tube.x2 - 4 - width, tube.y - bore / 2 + 4, width, bore - 8)
  ctx.globalAlpha = 1
  if (!told) return
  ctx.font = `600 10.5px ${NUM_FONT}`
  ctx.textBaseline = 'alphabetic'
  ctx.textAlign = 'right'
  ctx.fillStyle = color(palette, 'text-1')
  ctx.fillText(grouped(records), tube.x2 - 4, tube.y - bore / 2 - 4)
}

const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ' ')

/** The record in work: a ring that closes while the work lasts, and two lines of words. */
export function drawChamber(ctx: Ctx, palette: OverlayPalette, token: RecordToken, at: { readonly x: number; readonly y: number }, share: number, words: readonly [string, string], marking: boolean): void {
  ctx.lineWidth = 2
  ctx.beginPath()
  ctx.arc(at.x, at.y, 13, 0, Math.PI * 2)
  ctx.strokeStyle = color(palette, 'line-2')
  ctx.stroke()
  ctx.beginPath()
  ctx.arc(at.x, at.y, 13, -Math.PI / 2, -Math.PI / 2 + Math.PI * 2 * Math.min(1, Math.max(0, share)))
  ctx.strokeStyle = color(palette, 'ink')
  ctx.stroke()
  drawDisc(ctx, palette, token, at.x, at.y, { held: false, marking, scale: 8.5 / 7 })
  ctx.textAlign = 'left'
  ctx.textBaseline = 'alphabetic'
  ctx.font = `400 11.5px ${UI_FONT}`
  ctx.fillStyle = color(palette, 'text-1')
  ctx.fillText(words[0], at.x + 20, at.y - 2)
  ctx.font = `400 11px ${UI_FONT}`
  ctx.fillStyle = color(palette, 'text-2')
  ctx.fillText(words[1], at.x + 20, at.y + 12)
}

export const UI_FONT = '"Weir UI", system-ui, sans-serif'
