/** A channel as a segmented tube: output queue, wire, input queue. Only its state is drawn here; what is in it moves on the overlay. */
import type { Edge, EdgeProps } from '@xyflow/react'
import { memo } from 'react'
import type { SceneTube } from '../../workers/model/overlay-scene.ts'
import { useRun } from '../stores/run-store.ts'
import { wirePath } from './lay-channels.ts'
import type { ChannelBox } from './world-types.ts'

export type ChannelEdgeType = Edge<{ readonly box: ChannelBox }, 'channel'>

type TubeState = 'open' | 'blocked' | 'awaited'

export const ChannelEdge = memo(function ChannelEdge({ data }: EdgeProps<ChannelEdgeType>) {
  const id = data?.box.channel ?? ''
  const state: TubeState = useRun((run) => run.run.channels[id]?.state ?? 'open')
  if (data === undefined) return null
  const { box } = data
  const stroke = state === 'open' ? 'var(--tube)' : 'var(--alignment-edge)'
  return (
    <g>
      <path d={wirePath(box)} fill="none" stroke="var(--ground)" strokeWidth="5" />
      <path d={wirePath(box)} fill="none" stroke={stroke} strokeWidth="1.4" {...(state === 'awaited' ? { strokeDasharray: '1.6 3', strokeLinecap: 'round' as const } : {})} />
      <WireMark box={box} state={state} stroke={stroke} />
      <Tube tube={box.output} bore={box.bore} state={state} />
      <Tube tube={box.input} bore={box.bore} state={state} />
    </g>
  )
})

/** An arrow in the middle of the wire; two strokes across it where nothing may pass. */
function WireMark({ box, state, stroke }: { readonly box: ChannelBox; readonly state: TubeState; readonly stroke: string }) {
  const x = (box.output.x2 + box.input.x1) / 2
  const y = (box.output.y + box.input.y) / 2
  const angle = (Math.atan2((box.input.y - box.output.y) * 1.5, (box.input.x1 - box.output.x2) * 0.75) * 180) / Math.PI
  return (
    <g transform={`translate(${x} ${y}) rotate(${angle})`}>
      {state === 'blocked' ? <path d="M-2 -6v12M2 -6v12" stroke={stroke} strokeWidth="1.6" /> : <path d="M-2.5 -3.5L2 0l-4.5 3.5" stroke={stroke} strokeWidth="1.2" fill="none" />}
    </g>
  )
}

function Tube({ tube, bore, state }: { readonly tube: SceneTube; readonly bore: number; readonly state: TubeState }) {
  const width = tube.x2 - tube.x1
  const top = tube.y - bore / 2
  const low = tube.y + bore / 2
  const wall = {
    open: { stroke: 'var(--tube)', strokeWidth: 1.2 },
    blocked: { stroke: 'var(--alignment-edge)', strokeWidth: 1.4 },
    awaited: { stroke: 'var(--alignment-edge)', strokeWidth: 1.6, strokeDasharray: '1.6 2.6', strokeLinecap: 'round' as const },
  }[state]
  const ticks = Array.from({ length: Math.floor(width / 12) + 1 }, (_, index) => `M${tube.x1 + index * 12} ${low}v2.5`).join('')
  return (
    <>
      <rect x={tube.x1} y={top} width={width} height={bore} fill="var(--bore)" />
      {state === 'blocked' && <rect x={tube.x1} y={top} width={width} height={bore} fill="url(#blocked-bore)" />}
      <path d={`M${tube.x1} ${top}h${width}M${tube.x1} ${low}h${width}`} fill="none" {...wall} />
      {bore >= 14 && <path d={ticks} stroke="var(--line-2)" fill="none" />}
    </>
  )
}
