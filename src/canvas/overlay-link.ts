/** The worker that draws everything that moves: started once per canvas, told where things stand and what counts as now. */
import type { OverlayFont, OverlayOptions, OverlayPalette, OverlayViewport, ToOverlay, TraceSummary } from '../../workers/model/overlay-scene.ts'
import uiFont from '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-standard-normal.woff2?url'
import numFont from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url'
import { sceneOf } from './overlay-scene-of.ts'
import type { WorldLayout } from './world-types.ts'

const FONTS: readonly OverlayFont[] = [
  { family: 'Weir Num', url: new URL(numFont, location.href).href, weight: '100 800' },
  { family: 'Weir UI', url: new URL(uiFont, location.href).href, weight: '100 700' },
]

const PALETTE_NAMES = [
  'ink', 'on-ink', 'card', 'bore', 'buffer', 'buffer-edge', 'text-1', 'text-2', 'text-3', 'line-2', 'line-3', 'held-edge', 'key-edge', 'key-edge-w', 'ground',
  'inflight-edge', 'savepoint-edge', 'failure-edge', 'alignment-edge', ...Array.from({ length: 12 }, (_, index) => `key-${index}`),
]

export interface OverlayLink {
  scene(world: WorldLayout, deeds: Readonly<Record<string, string>>, linkLatencyMicros: number): void
  viewport(viewport: OverlayViewport): void
  options(options: OverlayOptions): void
  clock(reading: { readonly wall: number; readonly engine: number; readonly pace: number }): void
  palette(): void
  stop(): void
}

type Sent = ToOverlay<OffscreenCanvas, MessagePort>

export function startOverlay(worker: Worker, canvas: HTMLCanvasElement, port: MessagePort, onSummary: (summary: TraceSummary) => void): OverlayLink {
  const offscreen = canvas.transferControlToOffscreen()
  const post = (message: Sent, transfer: Transferable[] = []): void => worker.postMessage(message, transfer)
  worker.onmessage = (event: MessageEvent<TraceSummary>) => onSummary(event.data)
  post({ type: 'start', canvas: offscreen, port, fonts: FONTS }, [offscreen, port])
  return {
    scene: (world, deeds, linkLatencyMicros) => post({ type: 'scene', scene: sceneOf(world, deeds, linkLatencyMicros) }),
    viewport: (viewport) => post({ type: 'viewport', viewport }),
    options: (options) => post({ type: 'options', options }),
    clock: ({ wall, engine, pace }) => post({ type: 'clock', wall, engine, pace }),
    palette: () => post({ type: 'palette', palette: readPalette() }),
    stop: () => worker.terminate(),
  }
}

function readPalette(): OverlayPalette {
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(PALETTE_NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]))
}
