/** Per checkpoint what it cost, one side beside the other. */
import type { CheckpointRecord } from '../../workers/projections/checkpoint-view.ts'
import { checkpointCosts, persistedInFlight } from '../../workers/projections/compared-run.ts'
import type { CheckpointCosts, ComparedMode, ComparedRun } from '../../workers/projections/compared-run.ts'
import { bytes, duration } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import { inFlightWords } from './compare-words.ts'

interface Row {
  readonly title: string
  readonly note: string
  readonly of: (record: CheckpointRecord, mode: ComparedMode) => string
}

/** A figure that only a completed checkpoint has. */
const ofCosts =
  (words: (costs: CheckpointCosts) => string): Row['of'] =>
  (record) => {
    const costs = checkpointCosts(record)
    return costs === null ? '–' : words(costs)
  }

const ROWS: readonly Row[] = [
  { title: 'End to end', note: 'trigger to completion', of: ofCosts((costs) => duration(costs.durationMicros)) },
  { title: 'Start delay', note: 'the longest of all subtasks', of: ofCosts((costs) => duration(costs.startDelayMicros)) },
  { title: 'Alignment', note: 'the longest of all subtasks', of: ofCosts((costs) => duration(costs.alignmentMicros)) },
  { title: 'In flight, persisted', note: 'of all subtasks', of: (record, mode) => inFlightWords(persistedInFlight(mode, record)) },
  { title: 'Written', note: 'the whole checkpoint', of: ofCosts((costs) => bytes(costs.checkpointedBytes)) },
]

interface TableProps {
  readonly runs: readonly ComparedRun[]
  readonly shown: number
  readonly onShow: (id: number) => void
}

export function ComparedTable({ runs, shown, onShow }: TableProps) {
  const ids = [...new Set(runs.flatMap((run) => run.checkpoints.map((record) => record.id)))].sort((a, b) => a - b)
  const find = (run: ComparedRun, id: number): CheckpointRecord | undefined => run.checkpoints.find((record) => record.id === id)
  if (ids.length === 0) return <p className="compare-said t2">No checkpoint was triggered before the run ended.</p>
  return (
    <table className="table compared">
      <thead>
        <tr>
          <th scope="col" rowSpan={2}>
            what it cost
          </th>
          {ids.map((id) => (
            <th key={id} scope="colgroup" colSpan={runs.length} className={id === shown ? 'shown' : ''}>
              <button type="button" className="btn small" aria-pressed={id === shown} onClick={() => onShow(id)}>
                Checkpoint {id}
              </button>
            </th>
          ))}
        </tr>
        <tr>
          {ids.flatMap((id) => runs.map((run) => <th key={`${id} ${run.mode}`} scope="col" className="figure">{run.mode}</th>))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Status</th>
          {ids.flatMap((id) => runs.map((run) => <td key={`${id} ${run.mode}`} className="figure"><Status record={find(run, id)} /></td>))}
        </tr>
        {ROWS.map((row) => (
          <tr key={row.title}>
            <th scope="row">
              {row.title} <small>{row.note}</small>
            </th>
            {ids.flatMap((id) =>
              runs.map((run) => {
                const record = find(run, id)
                return (
                  <td key={`${id} ${run.mode}`} className="figure">
                    {record === undefined ? '–' : row.of(record, run.mode)}
                  </td>
                )
              }),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Status({ record }: { readonly record: CheckpointRecord | undefined }) {
  if (record === undefined) return <span className="t3">not reached</span>
  if (record.status === 'COMPLETED') {
    return (
      <>
        <Icon name="check" size={12} /> completed
      </>
    )
  }
  return record.status === 'FAILED' ? (
    <span className="failure">
      <Icon name="failed" size={12} /> {record.reason}
    </span>
  ) : (
    <span>still under way</span>
  )
}
