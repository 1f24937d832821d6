/**
 * The page of the benchmark "tokens": the product's world of 54 operators in React Flow and its drawing worker over it. `?tokens=0` draws
 * the same without anything that moves.
 */
import { ReactFlow, ReactFlowProvider } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { createRoot } from 'react-dom/client'
import { CardNode } from '../../src/canvas/card-node.tsx'
import { ChannelEdge } from '../../src/canvas/channel-edge.tsx'
import { startOverlay } from '../../src/canvas/overlay-link.ts'
import { layWorld } from '../../src/canvas/world-layout.ts'
import { startOverlayWorker } from '../../src/cluster/worker-urls.ts'
import '../../src/look/tokens.css'
import '../../src/look/base.css'
import '../../src/canvas/stage.css'
import type { TraceSummary } from '../../workers/model/overlay-scene.ts'
import { LATENCY_MICROS, type FeedOrder } from './token-feeder.worker.ts'
import { tokenJob } from './token-job.ts'

export interface TokensPage {
  /** What the drawing worker said last: frames per second, milliseconds per frame, tokens. */
  drawing: TraceSummary['drawing'] | null
  nodes: number
}

const page: TokensPage = { drawing: null, nodes: 0 }
Object.assign(window, { bench: page })

const tokens = Number(new URLSearchParams(location.search).get('tokens') ?? '1000')
const graph = tokenJob()
const world = layWorld(graph)
const zoom = Math.min(innerWidth / world.width, innerHeight / world.height)
const viewport = { x: 0, y: 0, zoom }
page.nodes = world.cards.length

const nodes = world.cards.map((box) => ({
  id: box.vertex,
  type: 'card' as const,
  position: { x: box.x, y: box.y },
  width: box.width,
  height: box.height,
  data: { vertex: graph.vertices.find((vertex) => vertex.id === box.vertex)!, box, measures: world.lane, first: false },
}))
const edges = world.channels.map((box) => ({ id: box.channel, type: 'channel' as const, source: box.from.vertex, target: box.to.vertex, data: { box } }))

const root = document.getElementById('root') as HTMLElement
root.style.cssText = 'position:fixed;inset:0'
createRoot(root).render(
  <ReactFlowProvider>
    <ReactFlow nodes={nodes} edges={edges} nodeTypes={{ card: CardNode }} edgeTypes={{ channel: ChannelEdge }} defaultViewport={viewport} minZoom={0.05} proOptions={{ hideAttribution: true }} />
  </ReactFlowProvider>,
)

if (tokens > 0) {
  const canvas = document.createElement('canvas')
  canvas.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;pointer-events:none'
  document.body.append(canvas)
  const { port1, port2 } = new MessageChannel()
  const link = startOverlay(startOverlayWorker(), canvas, port1, (summary) => (page.drawing = summary.drawing))
  const wallZero = performance.timeOrigin + performance.now()
  link.scene(world, {}, LATENCY_MICROS)
  link.viewport({ ...viewport, width: innerWidth, height: innerHeight, pixelRatio: devicePixelRatio })
  link.options({ frozen: false, marking: false, reducedMotion: false, stopped: false })
  link.palette()
  link.clock({ wall: wallZero, engine: 0, pace: 1 })
  const channels = world.channels.map(({ channel, to }) => ({ channel, to: `${to.vertex}_${to.subtask}` }))
  const feeder = new Worker(new URL('./token-feeder.worker.ts', import.meta.url), { type: 'module' })
  feeder.postMessage({ port: port2, tokens, channels, wallZero } satisfies FeedOrder, [port2])
}
