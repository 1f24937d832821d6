/** The job as a picture that can be drawn: operators are moved, joined and removed here; each change is an edit of the document. */
import { Background, BackgroundVariant, Handle, MarkerType, Position, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import type { Connection, Edge, EdgeChange, Node, NodeChange, NodeProps } from '@xyflow/react'
import '@xyflow/react/dist/style.css'
import { CircleX, TriangleAlert } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { findOperatorType } from '../../workers/model/catalogue/catalogue.ts'
import type { EdgeDocument, JobDocument, OperatorDocument } from '../../workers/model/job-document.ts'
import type { Problem } from '../../workers/model/job-graph.ts'
import { NODE_HEIGHT, NODE_WIDTH, placeOperators } from './auto-layout.ts'
import { connect, disconnect, edgeKey, moveOperator, removeOperator } from './edit-job.ts'
import type { Point } from './edit-job.ts'
import { DRAG_TYPE, OperatorMark } from './palette.tsx'
import { problemOfEdge, problemOfOperator } from './problem-places.ts'
import type { Selection } from './selection.ts'

interface CanvasProps {
  readonly job: JobDocument
  readonly problems: readonly Problem[]
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
  readonly onEdit: (next: JobDocument, tag?: string) => void
  readonly onDropType: (type: string, at: Point) => void
}

type OperatorNode = Node<{ readonly operator: OperatorDocument; readonly problem: Problem | null }, 'operator'>
/** Below that a card cannot be read: a wide job is panned instead. */
const MIN_FITTED_ZOOM = 0.75
const NODE_TYPES = { operator: OperatorCard }

export function BuildCanvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  )
}

function Canvas({ job, problems, selection, onSelect, onEdit, onDropType }: CanvasProps) {
  const flow = useReactFlow()
  const nodes = useMemo(() => toNodes(job, problems, selection), [job, problems, selection])
  const edges = useMemo(() => toEdges(job, problems, selection), [job, problems, selection])

  useReveal(selection)

  const onNodesChange = (changes: NodeChange<OperatorNode>[]): void => {
    let next = job
    for (const change of changes) {
      if (change.type === 'position' && change.position !== undefined) next = moveOperator(next, change.id, change.position)
      if (change.type === 'remove') next = removeOperator(next, change.id)
      if (change.type === 'select' && change.selected) onSelect({ kind: 'operator', uid: change.id })
    }
    const moved = changes.every((change) => change.type === 'position')
    if (next !== job) onEdit(next, moved ? `move ${changes.map((change) => ('id' in change ? change.id : '')).join()}` : undefined)
  }
  const onEdgesChange = (changes: EdgeChange[]): void => {
    for (const change of changes) {
      const edge = job.edges[Number('id' in change ? change.id : -1)]
      if (edge === undefined) continue
      if (change.type === 'remove') onEdit(disconnect(job, edgeKey(edge)))
      if (change.type === 'select' && change.selected) onSelect({ kind: 'edge', key: edgeKey(edge) })
    }
  }
  const onConnect = (connection: Connection): void => {
    const input = Number(connection.targetHandle?.slice('input-'.length) ?? '1')
    const key = { from: connection.source, to: connection.target, input }
    onEdit(connect(job, key))
    onSelect({ kind: 'edge', key })
  }

  return (
    <div
      className="build-canvas"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const type = event.dataTransfer.getData(DRAG_TYPE)
        if (type !== '') onDropType(type, flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }))
      }}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onConnect={onConnect}
        onPaneClick={() => onSelect(null)}
        deleteKeyCode={['Delete', 'Backspace']}
        snapToGrid
        snapGrid={[4, 4]}
        fitView
        fitViewOptions={{ maxZoom: 1, minZoom: MIN_FITTED_ZOOM, padding: '24px' }}
        ariaLabelConfig={{ 'node.a11yDescription.default': 'Enter selects, arrows move, E connects, Delete removes.' }}
      >
        <Background variant={BackgroundVariant.Cross} gap={24} size={3} />
      </ReactFlow>
    </div>
  )
}

/** Brings what has just been selected into view, where it is out of it. The zoom stays. */
function useReveal(selection: Selection): void {
  const flow = useReactFlow()
  const uid = selection?.kind === 'operator' ? selection.uid : null
  useEffect(() => {
    if (uid === null) return
    const card = document.querySelector(`.react-flow__node[data-id="${CSS.escape(uid)}"]`)?.getBoundingClientRect()
    const canvas = document.querySelector('.build-canvas')?.getBoundingClientRect()
    const node = flow.getNode(uid)
    if (card === undefined || canvas === undefined || node === undefined) return
    const inside = card.left >= canvas.left && card.right <= canvas.right && card.top >= canvas.top && card.bottom <= canvas.bottom
    if (!inside) void flow.setCenter(node.position.x + NODE_WIDTH / 2, node.position.y + NODE_HEIGHT / 2, { zoom: flow.getZoom() })
  }, [uid, flow])
}

function toNodes(job: JobDocument, problems: readonly Problem[], selection: Selection): OperatorNode[] {
  const places = placeOperators(job)
  return job.operators.map((operator) => ({
    id: operator.uid,
    type: 'operator',
    position: places.get(operator.uid) ?? { x: 0, y: 0 },
    width: NODE_WIDTH,
    height: NODE_HEIGHT,
    selected: selection?.kind === 'operator' && selection.uid === operator.uid,
    data: { operator, problem: problemOfOperator(problems, job, operator.uid) },
  }))
}

function toEdges(job: JobDocument, problems: readonly Problem[], selection: Selection): Edge[] {
  return job.edges.map((edge, index) => {
    const problem = problemOfEdge(problems, job, index)
    const key = edgeKey(edge)
    const selected = selection?.kind === 'edge' && selection.key.from === key.from && selection.key.to === key.to && selection.key.input === key.input
    const colour = problem?.severity === 'error' ? 'var(--failure-edge)' : selected ? 'var(--ink)' : 'var(--tube)'
    return {
      id: String(index),
      source: edge.from,
      target: edge.to,
      targetHandle: `input-${key.input}`,
      label: shipLabel(edge),
      ariaLabel: `${nameOf(job, edge.from)} to ${nameOf(job, edge.to)}, ${shipLabel(edge) || 'shipped by default'}`,
      selected,
      markerEnd: { type: MarkerType.Arrow, width: 18, height: 18, color: colour },
      style: { stroke: colour, strokeWidth: selected ? 2 : 1.3, ...(problem === null ? {} : { strokeDasharray: '4 3' }) },
      labelBgStyle: { fill: 'var(--ground)' },
    }
  })
}

const nameOf = (job: JobDocument, uid: string): string => job.operators.find((operator) => operator.uid === uid)?.name ?? uid

function shipLabel(edge: EdgeDocument): string {
  if (edge.ship === undefined) return ''
  return edge.ship === 'hash' ? `hash by ${(edge.by ?? []).join(', ') || '…'}` : edge.ship
}

function OperatorCard({ data, selected }: NodeProps<OperatorNode>) {
  const { operator, problem } = data
  const type = findOperatorType(operator.type)
  const inputs = type?.inputs ?? 1
  const mark = problem === null ? '' : problem.severity === 'error' ? ' wrong' : ' warned'
  // Ports are dragged; by keyboard E connects. The name is whole in the form.
  return (
    <div className={`op-card${selected ? ' selected' : ''}${mark}`}>
      {Array.from({ length: inputs }, (_, i) => (
        <Handle key={i} id={`input-${i + 1}`} type="target" position={Position.Left} style={{ top: `${((i + 1) / (inputs + 1)) * 100}%` }} aria-label={`input ${i + 1}`} />
      ))}
      <div className="op-card-head">
        {type !== undefined && <OperatorMark type={type} />}
        <strong>{operator.name ?? operator.uid}</strong>
        <span className="num">×{operator.parallelism ?? 1}</span>
      </div>
      <div className="op-card-note">{problem?.severity === 'error' ? problem.message : (type?.title ?? `unknown type ${operator.type}`)}</div>
      {problem !== null &&
        (problem.severity === 'error' ? <CircleX className="op-card-mark" size={15} aria-label={problem.message} /> : <TriangleAlert className="op-card-mark" size={15} aria-label={problem.message} />)}
      {type?.isSink !== true && <Handle type="source" position={Position.Right} aria-label="output" />}
    </div>
  )
}
