/** The world of the job: structure in React Flow, words over it, everything that moves on the overlay. It never re-lays while a job runs. */
import { ReactFlow, ReactFlowProvider, useReactFlow, useStore, ViewportPortal } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { JobGraph } from '../../workers/model/job-graph.ts'
import type { TraceSummary } from '../../workers/model/overlay-scene.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { CardNode } from './card-node.tsx'
import type { CardNodeType } from './card-node.tsx'
import { ChannelEdge } from './channel-edge.tsx'
import type { ChannelEdgeType } from './channel-edge.tsx'
import { FirstKill } from './first-kill.tsx'
import { OverDrawing } from './over-drawing.tsx'
import { OverlayCanvas } from './overlay-canvas.tsx'
import { Plates } from './plates.tsx'
import { SelectionCorners } from './selection-corners.tsx'
import { useLaneInput } from './use-lane-input.ts'
import { layWorld } from './world-layout.ts'
import type { WorldLayout } from './world-types.ts'
import './stage.css'

const NODE_TYPES = { card: CardNode }
const EDGE_TYPES = { channel: ChannelEdge }

interface StageProps {
  readonly onSummary: (summary: TraceSummary) => void
}

export function Stage({ onSummary }: StageProps) {
  const graph = useRun((state) => state.run.graph)
  const dead = useRun((state) => state.status?.dead != null)
  // The banner says what has become of it.
  if (graph === null) return <p className="stage-empty">{dead ? 'Nothing runs.' : 'The engine is starting.'}</p>
  return (
    <ReactFlowProvider>
      <World graph={graph} onSummary={onSummary} />
    </ReactFlowProvider>
  )
}

function World({ graph, onSummary }: { readonly graph: JobGraph; readonly onSummary: (summary: TraceSummary) => void }) {
  const world = useMemo(() => layWorld(graph), [graph])
  const { nodes, edges } = useMemo(() => structure(graph, world), [graph, world])
  const first = useView((state) => state.firstMinute)
  const container = useRef<HTMLDivElement>(null)
  useLaneInput(container, world)
  return (
    <div ref={container} className="world">
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        zoomOnDoubleClick={false}
        zoomOnScroll={false}
        preventScrolling={false}
        panOnDrag={!first}
        zoomOnPinch={!first}
        minZoom={0.15}
        maxZoom={2.5}
        deleteKeyCode={null}
      >
        <ViewportPortal>
          <OverDrawing world={world} graph={graph} />
          <SelectionCorners world={world} />
          {first ? (
            <FirstKill world={world} />
          ) : (
            <div className="plates-place" style={{ top: world.height - 48 }}>
              <Plates width={world.width}>
                <Zoom world={world} />
              </Plates>
            </div>
          )}
        </ViewportPortal>
        <OverlayCanvas world={world} graph={graph} onSummary={onSummary} />
      </ReactFlow>
      <Fit world={world} first={first} />
    </div>
  )
}

function structure(graph: JobGraph, world: WorldLayout): { nodes: CardNodeType[]; edges: ChannelEdgeType[] } {
  const nodes = graph.vertices.flatMap((vertex, index) => world.cards.filter((box) => box.vertex === vertex.id).map((box): CardNodeType => ({
    id: box.vertex,
    type: 'card',
    position: { x: box.x, y: box.y },
    width: box.width,
    height: box.height,
    data: { vertex, box, measures: world.lane, first: index === 0 },
  })))
  const edges = world.channels.map((box): ChannelEdgeType => ({
    id: box.channel,
    type: 'channel',
    source: box.from.vertex,
    target: box.to.vertex,
    data: { box },
  }))
  return { nodes, edges }
}

const FIRST_TOP = 100
const FIRST_BELOW = 100

/** The viewport in which the whole world stands in its place, top-aligned, at most at the size that text keeps its weight. */
function useFit(world: WorldLayout, first: boolean): (place: HTMLElement) => void {
  const flow = useReactFlow()
  return useCallback(
    (place) => {
      const top = first ? FIRST_TOP : 0
      const width = place.clientWidth
      const height = place.clientHeight - top - (first ? FIRST_BELOW : 0)
      const zoom = Math.min(width / world.width, height / (first ? world.bottom + 60 : world.height), first ? 1.3 : 1.6)
      const x = (width - world.width * zoom) / 2
      void flow.setViewport({ x, y: top, zoom })
      // Words and the button of the first minute stand level with the world's left edge.
      place.closest<HTMLElement>('.stage')?.style.setProperty('--world-left', `${Math.max(24, x + 18 * zoom)}px`)
    },
    [flow, world, first],
  )
}

function Fit({ world, first }: { readonly world: WorldLayout; readonly first: boolean }) {
  const fit = useFit(world, first)
  const marker = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const place = marker.current?.parentElement
    if (place == null) return undefined
    fit(place)
    const observer = new ResizeObserver(() => fit(place))
    observer.observe(place)
    return () => observer.disconnect()
  }, [fit])
  return <span ref={marker} hidden />
}

function Zoom({ world }: { readonly world: WorldLayout }) {
  const flow = useReactFlow()
  const fit = useFit(world, false)
  const zoom = useStore((state) => state.transform[2])
  const fitAgain = (): void => {
    const place = document.querySelector<HTMLElement>('.world')
    if (place !== null) fit(place)
  }
  return (
    <div className="zoom">
      <Button kind="ghost" label="Zoom out" onClick={() => void flow.zoomOut()}>
        −
      </Button>
      <span className="num">{Math.round(zoom * 100)} %</span>
      <Button kind="ghost" label="Zoom in" onClick={() => void flow.zoomIn()}>
        +
      </Button>
      <Button kind="ghost" icon="fit" label="Fit the picture" onClick={fitAgain} />
    </div>
  )
}
