/** 1.5 times the parallelism, rounded up to a power of two, between 128 and 32768. Flink: KeyGroupRangeAssignment.computeDefaultMaxParallelism. */
export function defaultMaxParallelism(parallelism: number): number {
  let power = 128
  while (power < parallelism + Math.floor(parallelism / 2) && power < 32768) power *= 2
  return power
}
