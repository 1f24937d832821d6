/** Flink: AggregatedMetricsResponseBody, AbstractAggregatingMetricsHandler, DoubleAccumulator. */
import type { MetricValues } from './task-metric-values.ts'

export const AGGREGATIONS = ['min', 'max', 'avg', 'sum', 'skew'] as const
export type Aggregation = (typeof AGGREGATIONS)[number]
export type AggregatedMetric = { readonly id: string } & { readonly [aggregation in Aggregation]?: number }

const SKEW_MAX = 100

/**
 * Without names all that any of the components has. With names, over the components that have them: what is no number is left out; a name that none
 * has makes the answer empty. `aggregations` none: all of them.
 */
export function aggregatedMetricsAnswer(
  components: readonly MetricValues[], names: readonly string[], aggregations: readonly Aggregation[],
): readonly AggregatedMetric[] {
  if (names.length === 0) return [...new Set(components.flatMap((values) => [...values.keys()]))].map((id) => ({ id }))
  const wanted = AGGREGATIONS.filter((aggregation) => aggregations.length === 0 || aggregations.includes(aggregation))
  const metrics: AggregatedMetric[] = []
  for (const id of names) {
    const texts = components.flatMap((values) => values.get(id) ?? [])
    if (texts.length === 0) return []
    const numbers = texts.map(Number)
    if (numbers.some(Number.isNaN)) continue
    metrics.push({ id, ...Object.fromEntries(wanted.map((aggregation) => [aggregation, aggregate(numbers, aggregation)])) })
  }
  return metrics
}

function aggregate(numbers: readonly number[], aggregation: Aggregation): number {
  const sum = numbers.reduce((total, number) => total + number, 0)
  switch (aggregation) {
    case 'min':
      return Math.min(...numbers)
    case 'max':
      return Math.max(...numbers)
    case 'avg':
      return sum / numbers.length
    case 'sum':
      return sum
    case 'skew':
      return skewOf(numbers, sum / numbers.length)
  }
}

/** The mean deviation from the mean in percent of it, at most 100; a mean of 0 has none. */
function skewOf(numbers: readonly number[], mean: number): number {
  if (mean === 0) return 0
  const deviation = numbers.reduce((total, number) => total + Math.abs(mean - number), 0) / numbers.length
  return Math.min((deviation / mean) * 100, SKEW_MAX)
}
