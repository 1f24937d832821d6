/**
 * The product's world of 54 operators in React Flow and its drawing worker over it, fed with a record trace. The benchmarks "tokens" and
 * "in-front" show it.
 */
import { ReactFlow, ReactFlowProvider, type Viewport } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { createRoot } from 'react-dom/client'
import { CardNode } from '../../src/canvas/card-node.tsx'
import { ChannelEdge } from '../../src/canvas/channel-edge.tsx'
import { startOverlay } from '../../src/canvas/overlay-link.ts'
import { layWorld } from '../../src/canvas/world-layout.ts'
import type { WorldLayout } from '../../src/canvas/world-types.ts'
import { startOverlayWorker } from '../../src/cluster/worker-urls.ts'
import '../../src/look/tokens.css'
import '../../src/look/base.css'
import '../../src/canvas/stage.css'
import type { JobGraph } from '../../workers/model/job-graph.ts'
import type { TaskReport } from '../../workers/model/report.ts'
import type { TraceSummary } from '../../workers/model/overlay-scene.ts'
import { animateTokens } from './animate-motion.ts'
import { LATENCY_MICROS, type ToFeeder } from './token-feeder.worker.ts'
import { tokenJob } from './token-job.ts'

export interface TokenWorld {
  /** What the drawing worker said last: frames per second, milliseconds per frame, tokens. */
  drawing: TraceSummary['drawing'] | null
  readonly nodes: number
  stop(): void
}

/** Says what the tasks of the job behind the picture report, as the observer does; returns the way to stop. */
export type OnReports = (listener: (reports: readonly TaskReport[]) => void) => () => void

export type TokensBy = 'drawing worker' | 'animateMotion'

/** Fills `root`. Without tokens nothing moves, and nothing is drawn over the cards. */
export function showTokenWorld(root: HTMLElement, tokens: number, by: TokensBy = 'drawing worker', onReports: OnReports = () => () => undefined): TokenWorld {
  const graph = tokenJob()
  const world = layWorld(graph)
  const viewport = { x: 0, y: 0, zoom: Math.min(innerWidth / world.width, innerHeight / world.height) }
  root.style.cssText = 'position:fixed;inset:0'
  const react = createRoot(root)
  react.render(<Cards graph={graph} world={world} viewport={viewport} />)
  const shown: TokenWorld = { drawing: null, nodes: world.cards.length, stop: () => react.unmount() }
  if (tokens > 0) {
    const stop =
      by === 'animateMotion'
        ? animateTokens(root, world, viewport, tokens, LATENCY_MICROS / 1_000_000)
        : drawTokens(root, world, viewport, tokens, onReports, (drawing) => (shown.drawing = drawing))
    shown.stop = both(shown.stop, stop)
  }
  return shown
}

const both = (first: () => void, second: () => void): (() => void) => () => {
  first()
  second()
}

interface CardsProps {
  readonly graph: JobGraph
  readonly world: WorldLayout
  readonly viewport: Viewport
}

function Cards({ graph, world, viewport }: CardsProps) {
  const nodes = world.cards.map((box) => ({
    id: box.vertex,
    type: 'card' as const,
    position: { x: box.x, y: box.y },
    width: box.width,
    height: box.height,
    data: { vertex: graph.vertices.find((vertex) => vertex.id === box.vertex)!, box, measures: world.lane, first: false },
  }))
  const edges = world.channels.map((box) => ({ id: box.channel, type: 'channel' as const, source: box.from.vertex, target: box.to.vertex, data: { box } }))
  return (
    <ReactFlowProvider>
      <ReactFlow nodes={nodes} edges={edges} nodeTypes={{ card: CardNode }} edgeTypes={{ channel: ChannelEdge }} defaultViewport={viewport} minZoom={0.05} proOptions={{ hideAttribution: true }} />
    </ReactFlowProvider>
  )
}

/** Returns the way to stop it. */
function drawTokens(root: HTMLElement, world: WorldLayout, viewport: Viewport, tokens: number, onReports: OnReports, onDrawing: (drawing: TraceSummary['drawing']) => void): () => void {
  const canvas = document.createElement('canvas')
  canvas.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;pointer-events:none'
  root.after(canvas)
  const { port1, port2 } = new MessageChannel()
  const drawer = startOverlayWorker()
  const link = startOverlay(drawer, canvas, port1, (summary) => onDrawing(summary.drawing))
  const wallZero = performance.timeOrigin + performance.now()
  link.scene(world, {}, LATENCY_MICROS)
  link.viewport({ ...viewport, width: innerWidth, height: innerHeight, pixelRatio: devicePixelRatio })
  link.options({ frozen: false, marking: false, reducedMotion: false, stopped: false })
  link.palette()
  link.clock({ wall: wallZero, engine: 0, pace: 1 })
  const channels = world.channels.map(({ channel, to }) => ({ channel, to: `${to.vertex}_${to.subtask}` }))
  const feeder = new Worker(new URL('./token-feeder.worker.ts', import.meta.url), { type: 'module' })
  feeder.postMessage({ type: 'feed', order: { port: port2, tokens, channels, wallZero } } satisfies ToFeeder, [port2])
  const noReports = onReports((reports) => feeder.postMessage({ type: 'reports', reports } satisfies ToFeeder))
  return () => {
    noReports()
    feeder.terminate()
    drawer.terminate()
    canvas.remove()
  }
}
