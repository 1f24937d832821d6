/** Who is busy, held back or idle, subtask by subtask; who holds the others; how full the pools are. */
import { backpressureOf } from '../../workers/projections/backpressure.ts'
import type { SubtaskPressure } from '../../workers/projections/backpressure.ts'
import type { ChannelView } from '../../workers/projections/channel-view.ts'
import type { FlowView } from '../../workers/projections/flow-view.ts'
import type { SubtaskRef } from '../../workers/projections/plan.ts'
import { subtaskName } from '../../workers/projections/plan.ts'
import type { JobGraph } from '../../workers/model/job-graph.ts'
import { percent } from '../widgets/figures.ts'
import { shareWords } from '../widgets/gauge.tsx'
import { Icon } from '../widgets/icon.tsx'

const KINDS = 'Soft: no output buffer is free, and the task waits between two records. Hard: it is blocked inside a record, whose output has used up the overdraft too.'

export function BackpressureSection({ graph, flows, channels }: { readonly graph: JobGraph; readonly flows: FlowView; readonly channels: ChannelView }) {
  const vertices = backpressureOf(graph, flows, channels)
  const all = vertices.flatMap(({ subtasks }) => subtasks)
  return (
    <table className="ck-table pressure-table">
      <caption>
        Backpressure <PressureVerdict all={all} graph={graph} />
      </caption>
      <thead>
        <tr>
          <th scope="col">Subtask</th>
          <th scope="col">
            <span className="pressure-key busy" /> busy <span className="pressure-key held" /> <span title={KINDS}>backpressured, soft or hard</span> <span className="pressure-key" /> idle
          </th>
          <th scope="col" className="n">
            busy
          </th>
          <th scope="col" className="n">
            held
          </th>
          <th scope="col" className="n">
            idle
          </th>
          <th scope="col" className="n">
            in pool
          </th>
          <th scope="col" className="n">
            out pool
          </th>
        </tr>
      </thead>
      {vertices.map((vertex) => (
        <tbody key={vertex.vertex}>
          <tr className="group">
            <th scope="rowgroup" colSpan={7}>
              {vertex.name} {vertex.level !== null && <span className={`level ${vertex.level}`}>{vertex.level} ({percent(vertex.worst ?? 0)})</span>}
            </th>
          </tr>
          {vertex.subtasks.map((subtask) => (
            <PressureRow key={subtask.subtask} at={subtask} graph={graph} />
          ))}
        </tbody>
      ))}
    </table>
  )
}

function PressureVerdict({ all, graph }: { readonly all: readonly SubtaskPressure[]; readonly graph: JobGraph }) {
  const culprits = all.filter(({ role }) => role === 'culprit')
  const victims = all.filter(({ role }) => role === 'victim')
  const held = victims.filter((at) => at.culprits.length > 0).length
  const aligned = victims.filter((at) => at.culprits.length === 0 && at.alignedAt.length > 0).length
  if (victims.length === 0) return <span>nobody is held back</span>
  return (
    <span>
      {culprits.length > 0 && (
        <>
          <b>{namesOf(graph, culprits)}</b> {culprits.length === 1 ? 'holds' : 'hold'} {subtasksOf(held)} back
        </>
      )}
      {aligned > 0 && `${culprits.length > 0 ? '; ' : ''}${subtasksOf(aligned)} held by an alignment`}
      {culprits.length === 0 && aligned === 0 && `${subtasksOf(victims.length)} held, and nobody below is busy: a slow link, or a moment ago`}
    </span>
  )
}

const subtasksOf = (count: number): string => (count === 1 ? 'one subtask' : `${count} subtasks`)

function heldWords(at: SubtaskPressure, graph: JobGraph): string {
  if (at.culprits.length > 0) return `by ${namesOf(graph, at.culprits)}`
  return at.alignedAt.length > 0 ? `until ${namesOf(graph, at.alignedAt)} has aligned` : 'held'
}

/** "Delay 0, 1, 2, Results 0". */
function namesOf(graph: JobGraph, subtasks: readonly SubtaskRef[]): string {
  const vertices = new Set(subtasks.map(({ vertex }) => vertex))
  return [...vertices]
    .map((vertex) => {
      const [first, ...others] = subtasks.filter((one) => one.vertex === vertex)
      return [subtaskName(graph, vertex, first?.subtask ?? 0), ...others.map(({ subtask }) => String(subtask))].join(', ')
    })
    .join(', ')
}

const whole = (share: number): number => Math.round(share * 100)

function PressureRow({ at, graph }: { readonly at: SubtaskPressure; readonly graph: JobGraph }) {
  const { shares } = at
  const busy = shares === null ? 0 : whole(shares.busy)
  const held = shares === null ? 0 : Math.min(100 - busy, whole(shares.backpressured))
  const said = shares === null ? 'not measured yet' : shareWords(busy, held, whole(shares.hard))
  return (
    <tr>
      <th scope="row">
        {at.subtask}
        {at.role === 'culprit' && (
          <span className="flagmark">
            <Icon name="bottleneck" size={12} /> bottleneck
          </span>
        )}
        {at.role === 'victim' && (
          <span className="victim">
            <Icon name="victim" size={12} /> {heldWords(at, graph)}
          </span>
        )}
      </th>
      <td className="pressure-bar">
        <span role="img" aria-label={said} title={said}>
          <i className="busy" style={{ width: `${busy}%` }} />
          <i className="held" style={{ width: `${held}%` }} />
        </span>
      </td>
      <td className="n">{shares === null ? '–' : `${busy} %`}</td>
      <td className="n">{shares === null ? '–' : `${held} %`}</td>
      <td className="n">{shares === null ? '–' : `${100 - busy - held} %`}</td>
      <td className="n">{at.inPoolUsage === null ? '–' : percent(at.inPoolUsage)}</td>
      <td className="n">{at.outPoolUsage === null ? '–' : percent(at.outPoolUsage)}</td>
    </tr>
  )
}
