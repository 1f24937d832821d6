/** Metrics as REST answers with them, one row for each name: of a vertex the subtask stands before the name ("0.numRecordsIn"). */
import { count } from '../widgets/figures.ts'

export interface Metric {
  readonly id: string
  readonly value?: string
}

export interface MetricRow {
  readonly name: string
  /** `subtask` is null where the metric is the job's. */
  readonly values: readonly { readonly subtask: number | null; readonly value: string }[]
}

export function metricRows(metrics: readonly Metric[], search: string): MetricRow[] {
  const rows = new Map<string, { subtask: number | null; value: string }[]>()
  const wanted = search.trim().toLowerCase()
  for (const { id, value } of metrics) {
    const [, subtask, inSubtask] = /^(\d+)\.(.+)$/.exec(id) ?? []
    const name = inSubtask ?? id
    if (value === undefined || !name.toLowerCase().includes(wanted)) continue
    rows.set(name, [...(rows.get(name) ?? []), { subtask: subtask === undefined ? null : Number(subtask), value }])
  }
  return [...rows].map(([name, values]) => ({ name, values }))
}

/** "1234.56789" → "1 234.568". What is no number stays as it is. */
export function metricValue(value: string): string {
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return value
  const [, fraction = ''] = /\.(\d*?)0*$/.exec(Math.abs(number).toFixed(3)) ?? []
  const whole = count(Math.trunc(Number(number.toFixed(3))))
  return `${number < 0 && !whole.startsWith('−') ? '−' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

interface EmptyList {
  readonly search: string
  readonly problem: string | null
  /** Null: the JobManager has not said yet which there are. */
  readonly names: readonly Metric[] | null
  /** The names are known, their values are not yet. */
  readonly isLoading: boolean
}

/** Why no metric is shown. */
export function emptySentence({ search, problem, names, isLoading }: EmptyList): string {
  if (problem !== null) return problem
  if (names?.length === 0) return 'Nothing has been measured yet.'
  if (names === null || isLoading) return 'The JobManager has not answered yet.'
  return search.trim() === '' ? 'None of them has a value yet.' : `No metric is called “${search.trim()}”.`
}
