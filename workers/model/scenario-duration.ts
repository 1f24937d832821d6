/** Durations of scenario documents, in Flink's syntax: a whole or broken number and a unit. */
import type { EngineTime } from './time.ts'

export const DURATION_PATTERN = /^\s*\d+(\.\d+)?\s*(us|ms|s|min|h|d)\s*$/

const MICROS: Readonly<Record<string, number>> = { us: 1, ms: 1000, s: 1e6, min: 60e6, h: 3600e6, d: 86_400e6 }

/** Engine time of "10 s". Throws `RangeError` on anything that `DURATION_PATTERN` does not match: parse the document first. */
export function scenarioDuration(text: string): EngineTime {
  const unit = DURATION_PATTERN.exec(text)?.[2]
  if (unit === undefined) throw new RangeError(`not a duration: ${text}`)
  return Math.round(Number.parseFloat(text) * (MICROS[unit] ?? 0))
}
