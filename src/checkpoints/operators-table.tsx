/** Flink's Operators table of one checkpoint: a row per job vertex, in job order; a row opens the table of its subtasks. */
import { Fragment, useState } from 'react'
import { useRun } from '../stores/run-store.ts'
import { clock } from '../widgets/figures.ts'
import type { CheckpointAnswer } from './checkpoint-answers.ts'
import { Expander } from './expander.tsx'
import { acknowledgedOf, flinkBytes, flinkDuration, orNa, processedPersisted } from './flink-format.ts'
import { SubtaskBlock } from './subtask-block.tsx'

const HEADS = ['Acknowledged', 'Latest Acknowledgment', 'End to End Duration', 'Checkpointed Data Size', 'Full Checkpoint Data Size', 'Processed (persisted) in-flight data'] as const

export function OperatorsTable({ detail }: { readonly detail: CheckpointAnswer }) {
  const vertices = useRun((state) => state.run.graph?.vertices)
  const [open, setOpen] = useState<readonly string[]>([])
  const known = (vertices ?? []).filter(({ id }) => detail.tasks[id] !== undefined).map(({ id, name }) => ({ id: id as string, name }))
  const rows = known.length > 0 ? known : Object.keys(detail.tasks).map((id) => ({ id, name: id.slice(0, 8) }))
  return (
    <table className="ck-table operators">
      <caption>Operators</caption>
      <thead>
        <tr>
          <th scope="col" className="x">
            <span className="sr">Subtasks</span>
          </th>
          <th scope="col">Name</th>
          {HEADS.map((head) => (
            <th key={head} scope="col" className="n">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name }) => {
          const task = detail.tasks[id]
          if (task === undefined) return null
          const isOpen = open.includes(id)
          return (
            <Fragment key={id}>
              <tr className={isOpen ? 'open' : ''}>
                <td className="x">
                  <Expander open={isOpen} label={`Subtasks of ${name}`} onToggle={() => setOpen(isOpen ? open.filter((one) => one !== id) : [...open, id])} />
                </td>
                <th scope="row">{name}</th>
                <td className="n">{acknowledgedOf(task.num_acknowledged_subtasks, task.num_subtasks, true)}</td>
                <td className="n">{orNa(task.latest_ack_timestamp, (at) => clock(at * 1000))}</td>
                <td className="n">{orNa(task.end_to_end_duration, flinkDuration)}</td>
                <td className="n">{flinkBytes(task.checkpointed_size)}</td>
                <td className="n">{flinkBytes(task.state_size)}</td>
                <td className="n">{processedPersisted(task.processed_data, task.persisted_data)}</td>
              </tr>
              {isOpen && (
                <tr className="inner">
                  <td colSpan={8}>
                    <SubtaskBlock checkpoint={detail.id} vertex={id} name={name} />
                  </td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}
