/** Flink's block of one operator's subtasks: minima, averages and maxima, then a row each; every column but the first sorts. */
import { useState } from 'react'
import { taskManagerName } from '../../workers/projections/sentence.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import type { VertexId } from '../../workers/model/ids.ts'
import { isCompletedSubtask } from './checkpoint-answers.ts'
import type { SubtasksAnswer } from './checkpoint-answers.ts'
import { sortSubtasks, SUBTASK_COLUMNS, SUMMARY_HEADS, summaryCells } from './subtask-columns.ts'
import type { SubtaskOrder } from './subtask-columns.ts'
import { useRest } from './use-rest.ts'

export function SubtaskBlock({ checkpoint, vertex, name }: { readonly checkpoint: number; readonly vertex: string; readonly name: string }) {
  const answer = useRest<SubtasksAnswer>(`/checkpoints/details/${checkpoint}/subtasks/${vertex}`)
  const [order, setOrder] = useState<SubtaskOrder | null>(null)
  const { body, isOwn } = answer
  if (body === null) return <p className="detail-note">{answer.problem ?? 'Asking the JobManager …'}</p>
  const { subtasks } = body
  // Those of another checkpoint hold the place until these have come.
  return (
    <div className={isOwn ? 'subtask-block' : 'subtask-block awaited'} aria-busy={!isOwn}>
      <h4>SubTasks:</h4>
      <table className="ck-table">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr">Of all subtasks</span>
            </th>
            {SUMMARY_HEADS.map((head) => (
              <th key={head} scope="col" className="n">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.num_acknowledged_subtasks > 0 &&
            (['min', 'avg', 'max'] as const).map((which) => (
              <tr key={which}>
                <th scope="row">{{ min: 'Minimum', avg: 'Average', max: 'Maximum' }[which]}</th>
                {summaryCells(body, which).map((cell, index) => (
                  <td key={SUMMARY_HEADS[index]} className="n">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
      <table className="ck-table">
        <thead>
          <tr>
            <th scope="col">ID</th>
            {SUBTASK_COLUMNS.map(({ title }) => (
              <SortHead key={title} title={title} order={order} onOrder={setOrder} />
            ))}
            {subtasks[0]?.status === 'pending_or_failed' && <th scope="col">TaskManager</th>}
          </tr>
        </thead>
        <tbody>
          {sortSubtasks(subtasks, order).map((subtask) => (
            <tr key={subtask.index}>
              <th scope="row">{subtask.index}</th>
              {isCompletedSubtask(subtask) ? (
                SUBTASK_COLUMNS.map(({ title, show }) => (
                  <td key={title} className="n">
                    {show(subtask)}
                  </td>
                ))
              ) : (
                <>
                  <td colSpan={SUBTASK_COLUMNS.length} className="na">
                    n/a
                  </td>
                  <td>
                    <ShowTask vertex={vertex as VertexId} subtask={subtask.index} name={name} />
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface HeadProps {
  readonly title: string
  readonly order: SubtaskOrder | null
  readonly onOrder: (order: SubtaskOrder | null) => void
}

/** First press up, second down, third as they come. */
function SortHead({ title, order, onOrder }: HeadProps) {
  const mine = order?.column === title ? order : null
  const next = mine === null ? { column: title, descending: false } : mine.descending ? null : { column: title, descending: true }
  return (
    <th scope="col" className="n" aria-sort={mine === null ? 'none' : mine.descending ? 'descending' : 'ascending'}>
      <button type="button" className="sort" onClick={() => onOrder(next)}>
        {title}
        <span aria-hidden="true">{mine === null ? '' : mine.descending ? ' ↓' : ' ↑'}</span>
      </button>
    </th>
  )
}

/** Flink links to the logs of the TaskManager; here it shows the subtask in the picture. */
function ShowTask({ vertex, subtask, name }: { readonly vertex: VertexId; readonly subtask: number; readonly name: string }) {
  const set = useView((state) => state.set)
  const taskManager = useRun((state) => state.run.job.tasks[`${vertex}_${subtask}`]?.taskManager ?? null)
  return (
    <button type="button" className="first-link" onClick={() => set({ view: 'job', selection: { kind: 'subtask', vertex, subtask } })}>
      Show {name} {subtask}
      {taskManager !== null && ` on ${taskManagerName(taskManager)}`}
    </button>
  )
}
