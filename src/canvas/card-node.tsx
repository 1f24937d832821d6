/** An operator as a card of lanes, a node of React Flow. */
import { Handle, Position } from '@xyflow/react'
import type { Node, NodeProps } from '@xyflow/react'
import { memo } from 'react'
import type { JobVertex } from '../../workers/model/job-graph.ts'
import { useRun } from '../stores/run-store.ts'
import { Lane } from './lane.tsx'
import type { CardBox, LaneMeasures } from './world-types.ts'

export type CardNodeType = Node<{ readonly vertex: JobVertex; readonly box: CardBox; readonly measures: LaneMeasures; readonly first: boolean }, 'card'>

const KIND_WORD = { source: 'source', sink: 'sink', plain: '' } as const

export const CardNode = memo(function CardNode({ data }: NodeProps<CardNodeType>) {
  const { vertex, box, measures, first } = data
  const broken = useRun((state) => box.lanes.some((lane) => state.run.job.tasks[`${vertex.id}_${lane.subtask}`]?.state === 'FAILED'))
  const kind = box.kind === 'keyed' ? `keyed · ${vertex.maxParallelism} groups` : KIND_WORD[box.kind]
  return (
    <article className={`card ${box.kind}${broken ? ' broken' : ''}`} style={{ width: box.width, height: box.height }} aria-label={vertex.name}>
      <Handle type="target" position={Position.Left} isConnectable={false} className="no-handle" />
      <Handle type="source" position={Position.Right} isConnectable={false} className="no-handle" />
      <header>
        <span className="name" title={`${vertex.name}, ×${vertex.parallelism}${kind === '' ? '' : `, ${kind}`}`}>
          <b>{vertex.name}</b>
          <span className="num t3">×{vertex.parallelism}</span>
        </span>
        <span className="kind">{kind}</span>
      </header>
      {box.lanes.map((lane) => (
        <Lane key={lane.subtask} vertex={vertex} kind={box.kind} box={lane} measures={measures} first={first && lane.subtask === 0} />
      ))}
    </article>
  )
})
