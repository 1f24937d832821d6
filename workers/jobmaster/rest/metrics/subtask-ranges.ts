/** "1,3,5-9". Flink: AggregatingSubtasksMetricsHandler.getIntegerRangeFromString; what is no number is passed over. */

/** Those of `known` that the ranges name, once for each range. */
export function subtasksIn(ranges: readonly string[], known: Iterable<number>): number[] {
  const all = [...known]
  return ranges.flatMap((range) => {
    const [, first, last] = /^\s*(\d+)\s*(?:-\s*(\d+))?\s*$/.exec(range) ?? []
    if (first === undefined) return []
    return all.filter((subtask) => subtask >= Number(first) && subtask <= Number(last ?? first))
  })
}
