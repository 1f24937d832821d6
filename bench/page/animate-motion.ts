/** The same moving tokens as SVG `animateMotion`: what the drawing worker is compared with. */
import { sceneOf } from '../../src/canvas/overlay-scene-of.ts'
import type { WorldLayout } from '../../src/canvas/world-types.ts'
import type { SceneChannel } from '../../workers/model/overlay-scene.ts'

const SVG = 'http://www.w3.org/2000/svg'
/** As the drawing worker's dot. */
const RADIUS = 2.4

export interface MotionView {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

/** Lays an SVG over `root` with so many circles, spread evenly over the channels and along them. Returns the way to remove it. */
export function animateTokens(root: HTMLElement, world: WorldLayout, { x, y, zoom }: MotionView, tokens: number, seconds: number): () => void {
  const { channels } = sceneOf(world, {}, 0)
  const svg = element('svg', { style: 'position:fixed;inset:0;width:100%;height:100%;pointer-events:none' })
  const group = element('g', { transform: `translate(${x} ${y}) scale(${zoom})`, fill: 'currentColor' })
  for (let i = 0; i < tokens; i++) {
    const circle = element('circle', { r: String(RADIUS) })
    const round = Math.floor(i / channels.length)
    const begin = (-seconds * round * channels.length) / tokens
    circle.append(element('animateMotion', { path: pathOf(channels[i % channels.length] as SceneChannel), dur: `${seconds}s`, begin: `${begin}s`, repeatCount: 'indefinite' }))
    group.append(circle)
  }
  svg.append(group)
  root.after(svg)
  return () => svg.remove()
}

function element(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

function pathOf({ wire }: SceneChannel): string {
  const points: string[] = []
  for (let i = 0; i < wire.length; i += 2) points.push(`${wire[i]} ${wire[i + 1]}`)
  return `M${points.join('L')}`
}
