/** What stands over the cards: ports, locks, hourglasses, the ribbon between them with its sentence, and words on the tubes. */
import { Fragment, memo } from 'react'
import type { JobGraph } from '../../workers/model/job-graph.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import type { ChannelState } from '../../workers/projections/channel-view.ts'
import { waitsAt } from '../../workers/projections/channel-view.ts'
import { subtaskName } from '../../workers/projections/plan.ts'
import { useRun } from '../stores/run-store.ts'
import { count, duration } from '../widgets/figures.ts'
import { IconDrawing } from '../widgets/icon.tsx'
import { heldLabel } from './held-label.ts'
import type { ChannelBox, WorldLayout } from './world-types.ts'

interface OverProps {
  readonly world: WorldLayout
  readonly graph: JobGraph
}

export const OverDrawing = memo(function OverDrawing({ world, graph }: OverProps) {
  const channels = useRun((state) => state.run.channels)
  const now = useRun((state) => state.now)
  return (
    <svg className="over" width={world.width} height={world.height} aria-hidden="true">
      {world.cards.flatMap((card) =>
        card.lanes.map((lane) => <Ribbons key={`${card.vertex}_${lane.subtask}`} world={world} graph={graph} vertex={card.vertex} subtask={lane.subtask} channels={channels} now={now} />),
      )}
      {world.channels.map((box) => (
        <Fragment key={box.channel}>
          <Port x={box.output.x1} y={box.output.y} bore={box.bore} />
          <Mouth box={box} state={channels[box.channel]} />
          <TubeWords box={box} state={channels[box.channel]} />
        </Fragment>
      ))}
      {world.labels.map((label) => (
        <EdgeWords key={label.edge} graph={graph} edge={label.edge} x={label.x} y={label.y} />
      ))}
    </svg>
  )
})

const Port = ({ x, y, bore }: { readonly x: number; readonly y: number; readonly bore: number }) => (
  <g transform={`translate(${x} ${y})`}>
    <rect x="-4" y={-bore / 2} width="8" height={bore} fill="var(--card)" />
    <path d={`M-4 ${-bore / 2}h8M-4 ${bore / 2}h8`} stroke="var(--tube)" strokeWidth="1.2" />
  </g>
)

/** Where a channel enters its receiver: a plate, a padlock, or an hourglass. */
function Mouth({ box, state }: { readonly box: ChannelBox; readonly state: ChannelState | undefined }) {
  if (state === undefined || state.state === 'open' || box.bore < 12) return <Port x={box.input.x2} y={box.input.y} bore={box.bore} />
  const half = box.bore / 2
  const blocked = state.state === 'blocked'
  const edge = blocked ? { fill: 'var(--ink)', stroke: 'var(--ink)' } : { fill: 'var(--card)', stroke: 'var(--alignment-edge)', strokeDasharray: '1.6 2.2', strokeLinecap: 'round' as const }
  const scale = box.bore / 25
  return (
    <g transform={`translate(${box.input.x2} ${box.input.y})`} style={{ color: blocked ? 'var(--on-ink)' : 'var(--ink)' }}>
      <rect x="-10" y={-half} width="20" height={2 * half} rx="2" strokeWidth="1.5" {...edge} />
      <g transform={`translate(${-8 * scale} ${-8 * scale}) scale(${scale})`} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round">
        <IconDrawing name={blocked ? 'padlock' : 'hourglass'} />
      </g>
    </g>
  )
}

/** "5 ahead" at the receiver, "6 held" at the sender. */
function TubeWords({ box, state }: { readonly box: ChannelBox; readonly state: ChannelState | undefined }) {
  if (state === undefined || box.bore < 16) return null
  const ahead = state.state === 'awaited' && state.barrier !== null && state.barrier.recordsAhead > 0 ? state.barrier.recordsAhead : null
  const top = box.input.y - box.bore / 2
  const held = heldLabel(box)
  return (
    <>
      {ahead !== null && (
        <>
          <path d={`M${box.input.x2 - 14 - Math.min(88, ahead * 16)} ${top - 4}v-4H${box.input.x2 - 13}v4`} fill="none" stroke="var(--text-2)" />
          <text className="strong" x={box.input.x2 - 14} y={top - 12} textAnchor="end">
            {count(ahead)} ahead
          </text>
        </>
      )}
      {state.state === 'blocked' && state.held !== null && state.held.records > 0 && (
        <text className="strong" x={held.x} y={held.y} textAnchor="end">
          {count(state.held.records)} held
        </text>
      )}
    </>
  )
}

function EdgeWords({ graph, edge, x, y }: { readonly graph: JobGraph; readonly edge: number; readonly x: number; readonly y: number }) {
  const rate = useRun((state) => {
    let sum = 0
    let known = false
    for (const [id, channel] of Object.entries(state.run.channels)) {
      if (!id.startsWith(`${edge}:`) || channel.rate === null) continue
      sum += channel.rate
      known = true
    }
    return known ? sum : null
  })
  const description = graph.edges[edge]
  if (description === undefined) return null
  return (
    <>
      <text x={x} y={y} textAnchor="middle">
        {description.ship === 'hash' ? `hash by ${description.by.join(', ')}` : description.ship}
      </text>
      <text className="num small t3" x={x} y={y + 15} textAnchor="middle">
        {rate === null ? '–' : rate >= 1000 ? count(rate) : rate.toFixed(1)}/s
      </text>
    </>
  )
}

interface RibbonProps {
  readonly world: WorldLayout
  readonly graph: JobGraph
  readonly vertex: string
  readonly subtask: number
  readonly channels: Readonly<Record<string, ChannelState>>
  readonly now: EngineTime
}

const RIBBON_NEAR = 60

/** A line from each padlock to the hourglass that it waits for; one sentence for all of them. */
function Ribbons({ world, graph, vertex, subtask, channels, now }: RibbonProps) {
  const waits = waitsAt(channels, graph, vertex, subtask)
  const first = waits[0]
  if (first === undefined) return null
  const boxOf = (state: ChannelState): ChannelBox | undefined => world.channels.find((box) => box.channel === state.channel)
  const target = boxOf(first.awaited)
  if (target === undefined) return null
  const sender = subtaskName(graph, target.from.vertex, target.from.subtask)
  const since = Math.min(...waits.map((wait) => wait.blocked.since))
  const middle = (target.input.y + (boxOf(first.blocked)?.input.y ?? target.input.y)) / 2
  const x = target.input.x2
  const card = world.cards.find((one) => one.vertex === vertex)
  const edge = card === undefined ? x : card.x + card.width
  const near = Math.abs((boxOf(first.blocked)?.input.y ?? 0) - target.input.y) <= RIBBON_NEAR
  return (
    <g>
      {waits.map((wait) => {
        const from = boxOf(wait.blocked)
        if (from === undefined) return null
        const apart = Math.abs(from.input.y - target.input.y) > RIBBON_NEAR
        // Far apart the line keeps to the card's edge, where nothing else is written.
        if (apart) return <path key={wait.blocked.channel} d={`M${x} ${from.input.y}V${target.input.y}`} fill="none" stroke="var(--alignment-edge)" strokeWidth="2.4" />
        return <path key={wait.blocked.channel} d={`M${x + 10} ${from.input.y}C${x + 25} ${from.input.y} ${x + 25} ${target.input.y} ${x + 12} ${target.input.y}`} fill="none" stroke="var(--alignment-edge)" strokeWidth="2.4" />
      })}
      {near && (
        <>
          <path d={`M${x + 17} ${target.input.y - 4.2}L${x + 10.6} ${target.input.y}l6.6 4`} fill="none" stroke="var(--alignment-edge)" strokeWidth="1.8" />
          <foreignObject x={x + 28} y={middle - 16} width={Math.max(0, edge - x - 32)} height="34">
            <p className="ribbon-words">
              <span>locked until barrier {first.blocked.checkpointId}</span>
              <span>
                of <b title={sender}>{sender}</b> · {duration(Math.max(0, now - since))}
              </span>
            </p>
          </foreignObject>
        </>
      )}
    </g>
  )
}
