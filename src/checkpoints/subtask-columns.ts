/** The columns of Flink's subtask tables, and how they sort (behaviour 20.6). */
import { isCompletedSubtask } from './checkpoint-answers.ts'
import type { CompletedSubtaskAnswer, SubtaskAnswer, SubtasksAnswer, SummaryFigures } from './checkpoint-answers.ts'
import { clock } from '../widgets/figures.ts'
import { flinkBytes, flinkDuration, processedPersisted } from './flink-format.ts'

export interface SubtaskColumn {
  readonly title: string
  readonly show: (subtask: CompletedSubtaskAnswer) => string
  readonly sortBy: (subtask: CompletedSubtaskAnswer) => number
}

export const SUBTASK_COLUMNS: readonly SubtaskColumn[] = [
  { title: 'Acknowledged', show: (subtask) => clock(subtask.ack_timestamp * 1000), sortBy: (subtask) => subtask.ack_timestamp },
  { title: 'End to End Duration', show: (subtask) => `${flinkDuration(subtask.end_to_end_duration)}${subtask.aborted ? ' (aborted)' : ''}`, sortBy: (subtask) => subtask.end_to_end_duration },
  { title: 'Checkpointed Data Size', show: (subtask) => flinkBytes(subtask.checkpointed_size), sortBy: (subtask) => subtask.checkpointed_size },
  { title: 'Full Checkpoint Data Size', show: (subtask) => flinkBytes(subtask.state_size), sortBy: (subtask) => subtask.state_size },
  { title: 'Sync Duration', show: (subtask) => flinkDuration(subtask.checkpoint.sync), sortBy: (subtask) => subtask.checkpoint.sync },
  { title: 'Async Duration', show: (subtask) => flinkDuration(subtask.checkpoint.async), sortBy: (subtask) => subtask.checkpoint.async },
  { title: 'Processed (persisted) Data', show: ({ alignment }) => processedPersisted(alignment.processed, alignment.persisted), sortBy: ({ alignment }) => alignment.processed },
  { title: 'Alignment Duration', show: ({ alignment }) => flinkDuration(alignment.duration), sortBy: ({ alignment }) => alignment.duration },
  { title: 'Start Delay', show: (subtask) => flinkDuration(subtask.start_delay), sortBy: (subtask) => subtask.start_delay },
  { title: 'Unaligned Checkpoint', show: (subtask) => String(subtask.unaligned_checkpoint), sortBy: (subtask) => Number(subtask.unaligned_checkpoint) },
]

export interface SubtaskOrder {
  readonly column: string
  readonly descending: boolean
}

/** Without an order as Flink sends them: by index. Those that are pending or failed stand last, and equal ones by index. */
export function sortSubtasks(subtasks: readonly SubtaskAnswer[], order: SubtaskOrder | null): SubtaskAnswer[] {
  const column = SUBTASK_COLUMNS.find(({ title }) => title === order?.column)
  if (column === undefined || order === null) return [...subtasks]
  const sign = order.descending ? -1 : 1
  return subtasks.toSorted((a, b) => {
    const [first, second] = [isCompletedSubtask(a) ? column.sortBy(a) : null, isCompletedSubtask(b) ? column.sortBy(b) : null]
    if (first === null || second === null) return Number(first === null) - Number(second === null) || a.index - b.index
    return sign * (first - second) || a.index - b.index
  })
}

export const SUMMARY_HEADS = ['End to End Duration', 'Checkpointed Data Size', 'Full Checkpoint Data Size', 'Sync Duration', 'Async Duration', 'Processed (persisted) Data', 'Alignment Duration', 'Start Delay'] as const

/** One row of the table of minima, averages and maxima, in the order of `SUMMARY_HEADS`. */
export function summaryCells({ summary }: SubtasksAnswer, which: 'min' | 'avg' | 'max'): string[] {
  const of = (figures: SummaryFigures): number => figures[which]
  return [
    flinkDuration(of(summary.end_to_end_duration)),
    flinkBytes(of(summary.checkpointed_size)),
    flinkBytes(of(summary.state_size)),
    flinkDuration(of(summary.checkpoint_duration.sync)),
    flinkDuration(of(summary.checkpoint_duration.async)),
    processedPersisted(of(summary.alignment.processed), of(summary.alignment.persisted)),
    flinkDuration(of(summary.alignment.duration)),
    flinkDuration(of(summary.start_delay)),
  ]
}
