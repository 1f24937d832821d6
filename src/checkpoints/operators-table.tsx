/** Flink's Operators table of one checkpoint: a row per job vertex, in job order; a row opens the table of its subtasks. */
import { Fragment, useState } from 'react'
import { useRun } from '../stores/run-store.ts'
import { clock } from '../widgets/figures.ts'
import type { TaskAnswer } from './checkpoint-answers.ts'
import { Expander } from './expander.tsx'
import { acknowledgedOf, flinkBytes, flinkDuration, orNa, processedPersisted } from './flink-format.ts'
import { SubtaskBlock } from './subtask-block.tsx'

const HEADS = ['Acknowledged', 'Latest Acknowledgment', 'End to End Duration', 'Checkpointed Data Size', 'Full Checkpoint Data Size', 'Processed (persisted) in-flight data'] as const

interface OperatorsProps {
  readonly checkpoint: number
  /** Null: not answered yet. The rows stand there, without figures. */
  readonly tasks: Readonly<Record<string, TaskAnswer>> | null
}

export function OperatorsTable({ checkpoint, tasks }: OperatorsProps) {
  const vertices = useRun((state) => state.run.graph?.vertices)
  const [open, setOpen] = useState<readonly string[]>([])
  const known = (vertices ?? []).filter(({ id }) => tasks === null || tasks[id] !== undefined).map(({ id, name }) => ({ id: id as string, name }))
  const rows = known.length > 0 ? known : Object.keys(tasks ?? {}).map((id) => ({ id, name: id.slice(0, 8) }))
  return (
    <table className="ck-table operators" aria-busy={tasks === null}>
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
          const task = tasks?.[id]
          const isOpen = open.includes(id)
          return (
            <Fragment key={id}>
              <tr className={isOpen ? 'open' : ''}>
                <td className="x">
                  <Expander open={isOpen} label={`Subtasks of ${name}`} onToggle={() => setOpen(isOpen ? open.filter((one) => one !== id) : [...open, id])} />
                </td>
                <th scope="row">{name}</th>
                {cellsOf(task).map((cell, index) => (
                  <td key={HEADS[index]} className="n">
                    {cell}
                  </td>
                ))}
              </tr>
              {isOpen && (
                <tr className="inner">
                  <td colSpan={8}>
                    <SubtaskBlock checkpoint={checkpoint} vertex={id} name={name} />
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

function cellsOf(task: TaskAnswer | undefined): readonly string[] {
  if (task === undefined) return HEADS.map(() => '')
  return [
    acknowledgedOf(task.num_acknowledged_subtasks, task.num_subtasks, true),
    orNa(task.latest_ack_timestamp, (at) => clock(at * 1000)),
    orNa(task.end_to_end_duration, flinkDuration),
    flinkBytes(task.checkpointed_size),
    flinkBytes(task.state_size),
    processedPersisted(task.processed_data, task.persisted_data),
  ]
}
