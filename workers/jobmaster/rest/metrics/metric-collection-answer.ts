/** Flink: MetricCollectionResponseBody, AbstractMetricsHandler. */
import type { MetricValues } from './task-metric-values.ts'

export interface Metric {
  readonly id: string
  /** Numbers too are text. */
  readonly value?: string
}

/** Without names all that there are, without values; with names their values, those that are not known left out. */
export function metricCollectionAnswer(values: MetricValues, names: readonly string[]): readonly Metric[] {
  if (names.length === 0) return [...values.keys()].map((id) => ({ id }))
  return [...new Set(names)].flatMap((id) => {
    const value = values.get(id)
    return value === undefined ? [] : [{ id, value }]
  })
}
