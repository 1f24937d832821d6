/** Flink's Summary (behaviour 20.3): minimum, average and maximum over completed checkpoints, and percentiles below. */
import { useState } from 'react'
import type { StatisticsAnswer, SummaryFigures } from './checkpoint-answers.ts'
import { Expander } from './expander.tsx'
import { flinkBytes, flinkDuration, processedPersisted } from './flink-format.ts'
import { SizeNote } from './size-note.tsx'

type Summary = StatisticsAnswer['summary']

const ROWS = [
  ['Minimum', 'min'],
  ['Average', 'avg'],
  ['Maximum', 'max'],
] as const
const PERCENTILES = [
  ['50% percentile', 'p50'],
  ['90% percentile', 'p90'],
  ['99% percentile', 'p99'],
  ['99.9% percentile', 'p999'],
] as const

export function SummaryTab({ summary, completed }: { readonly summary: Summary; readonly completed: number }) {
  const [open, setOpen] = useState(true)
  return (
    <div className="summary">
      <SummaryTable summary={summary} rows={ROWS} caption={`Over ${completed === 1 ? 'the one completed checkpoint' : `${completed} completed checkpoints`}, savepoints included`} />
      <h3>
        <Expander open={open} label="Percentiles" onToggle={() => setOpen(!open)} /> Percentiles
      </h3>
      {open && <SummaryTable summary={summary} rows={PERCENTILES} caption="Percentiles" />}
    </div>
  )
}

interface TableProps {
  readonly summary: Summary
  readonly rows: readonly (readonly [string, keyof SummaryFigures])[]
  readonly caption: string
}

function SummaryTable({ summary, rows, caption }: TableProps) {
  const of = (figures: SummaryFigures, which: keyof SummaryFigures): number => Number(figures[which])
  return (
    <table className="ck-table">
      <caption className={caption === 'Percentiles' ? 'sr' : ''}>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr">Of all checkpoints</span>
          </th>
          <th scope="col" className="n">End to End Duration</th>
          <th scope="col" className="n">Checkpointed Data Size <SizeNote /></th>
          <th scope="col" className="n">Full Checkpoint Data Size</th>
          <th scope="col" className="n">Processed (persisted) in-flight data</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([title, which]) => (
          <tr key={which}>
            <th scope="row">{title}</th>
            <td className="n">{flinkDuration(of(summary.end_to_end_duration, which))}</td>
            <td className="n">{flinkBytes(of(summary.checkpointed_size, which))}</td>
            <td className="n">{flinkBytes(of(summary.state_size, which))}</td>
            <td className="n">{processedPersisted(of(summary.processed_data, which), of(summary.persisted_data, which))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
