/** Flink's History tab: one row a checkpoint, newest first. Choosing a row shows it in the dock. */
import type { CheckpointId } from '../../workers/model/ids.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import { checkpointAge } from '../../workers/projections/checkpoint-view.ts'
import type { CheckpointView } from '../../workers/projections/checkpoint-view.ts'
import { bytes, clock, duration } from '../widgets/figures.ts'
import { CheckpointFlag } from './flag.tsx'
import './checkpoints.css'

interface HistoryProps {
  readonly view: CheckpointView
  readonly now: EngineTime
  readonly verdicts: ReadonlyMap<CheckpointId, { readonly text: string; readonly exact: boolean }>
  readonly pinned: CheckpointId | null
  readonly onPin: (id: CheckpointId | null) => void
}

export function HistoryTable({ view, now, verdicts, pinned, onPin }: HistoryProps) {
  if (view.history.length === 0) return <p className="history-empty">No checkpoint has been triggered yet.</p>
  return (
    <table className="history">
      <caption>Checkpoints, newest first</caption>
      <thead>
        <tr>
          {['ID', 'Status', 'Acknowledged', 'Trigger time', 'End to end duration', 'Checkpointed data size', 'Retained', 'Checked against the log'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {view.history.toReversed().map((record) => (
          <tr key={record.id} aria-selected={record.id === pinned}>
            <th scope="row">
              <button type="button" className="plain" onClick={() => onPin(record.id === pinned ? null : record.id)}>
                <CheckpointFlag id={record.id} />
                <span className="sr">Show checkpoint {record.id} in the dock</span>
              </button>
            </th>
            <td className={record.status === 'FAILED' ? 'failed' : ''}>
              {record.status}
              {record.status === 'FAILED' && <small>{record.message ?? record.reason}</small>}
            </td>
            <td className="num">
              {record.acknowledged}/{record.tasks}
              {record.status === 'IN_PROGRESS' && record.tasks > 0 && ` (${Math.floor((100 * record.acknowledged) / record.tasks)} %)`}
            </td>
            <td className="num">{clock(record.triggeredAt)}</td>
            <td className="num">{duration(checkpointAge(record, now))}</td>
            <td className="num">{bytes(record.checkpointedBytes)}</td>
            <td>{retention(record)}</td>
            <td>{verdicts.get(record.id)?.text ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function retention(record: CheckpointView['history'][number]): string {
  const restored = record.restores === 0 ? '' : record.restores === 1 ? ', restored once' : `, restored ${record.restores} times`
  if (record.status !== 'COMPLETED') return '–'
  return record.subsumedBy === null ? `kept${restored}` : `subsumed by ${record.subsumedBy}${restored}`
}
