/**
 * The snapshot being filled: rows are subtasks in topological order, columns the kinds of state. A cell goes waiting → aligning → sync →
 * async → acknowledged, and a dash says that the kind does not apply, so that emptiness is not ambiguous.
 */
import { CircleCheck, CircleX, Hourglass, Upload, ChevronsRight, Camera } from 'lucide-react'
import type { JobGraph } from '../../workers/model/job-graph.ts'
import { PART_KINDS } from '../../workers/projections/checkpoint-view.ts'
import type { CheckpointRecord, PartKind, SnapshotCell, SubtaskCheckpoint, SubtaskPhase } from '../../workers/projections/checkpoint-view.ts'
import { subtaskName } from '../../workers/projections/plan.ts'
import { bytes, count } from '../widgets/figures.ts'

export const MATRIX_COLUMNS: Readonly<Record<PartKind, string>> = {
  offsets: 'offsets',
  keyed: 'keyed',
  operator: 'operator',
  timers: 'timers',
  'in-flight': 'in-flight',
  transactions: 'transactions',
}

interface RowProps {
  readonly record: CheckpointRecord
  readonly subtask: SubtaskCheckpoint
  readonly graph: JobGraph | null
}

/** One row of the matrix: name, a cell per kind, and when it acknowledged. */
export function MatrixRow({ record, subtask, graph }: RowProps) {
  const name = subtaskName(graph, subtask.vertex, subtask.subtask)
  // The number stays where the name is cut: it tells the rows apart.
  const number = ` ${subtask.subtask}`
  return (
    <tr className="mx-row">
      <th scope="row">
        <PhaseIcon phase={subtask.phase} />
        <span className="mx-name" title={name}>
          {name.slice(0, -number.length)}
        </span>
        {number}
      </th>
      {PART_KINDS.map((kind) => (
        <td key={kind}>
          <Cell cell={subtask.cells[kind]} />
        </td>
      ))}
      <td className="mx-ack num">
        {subtask.acknowledgedAt === null ? '–' : `+${count((subtask.acknowledgedAt - record.triggeredAt) / 1000)}`}
      </td>
    </tr>
  )
}

const PHASE_WORD: Readonly<Record<SubtaskPhase, string>> = {
  waiting: 'no barrier yet',
  aligning: 'aligning',
  sync: 'taking its view',
  async: 'uploading',
  acknowledged: 'acknowledged',
  declined: 'declined',
  aborted: 'aborted',
}

function PhaseIcon({ phase }: { readonly phase: SubtaskPhase }) {
  const Icon = { waiting: ChevronsRight, aligning: Hourglass, sync: Camera, async: Upload, acknowledged: CircleCheck, declined: CircleX, aborted: CircleX }[phase]
  return <Icon size={13} strokeWidth={1.6} role="img" aria-label={PHASE_WORD[phase]} />
}

function Cell({ cell }: { readonly cell: SnapshotCell }) {
  switch (cell.kind) {
    case 'none':
      return <div className="cell na">–</div>
    case 'waiting':
      return <div className="cell wait" aria-label="waiting" />
    case 'aligning':
      return <div className="cell align" aria-label="aligning" />
    case 'sync':
      return <div className="cell sync" aria-label="synchronous part" />
    case 'async': {
      const share = cell.total > 0 ? cell.written / cell.total : 0
      return (
        <div className="cell async" style={{ '--p': `${share * 100}%` } as React.CSSProperties}>
          <span>{Math.round(share * 100)} %</span>
        </div>
      )
    }
    case 'acknowledged':
      return <div className="cell ack">{cell.bytes === null ? `${count(cell.entries)} entr.` : bytes(cell.bytes)}</div>
    case 'declined':
      return (
        <div className="cell declined" title={cell.reason}>
          torn
        </div>
      )
  }
}
