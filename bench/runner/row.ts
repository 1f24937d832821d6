/** One row of the report: what was measured, what it was compared with, and what the goal says to it. */
import type { Goal } from './goals.ts'
import { summary, type Summary } from './statistics.ts'

export interface Row {
  readonly what: string
  /** Median with its unit: "5.2 M records/s". */
  readonly figure: string
  /** Median of what it is compared with; null: nothing, the figure counts by itself. */
  readonly against: string | null
  /** Of the ratios of the rounds, or of the figures where there is no other. */
  readonly value: Summary
  readonly goal: Goal | null
  /** By round. */
  readonly ours: readonly number[]
  readonly theirs: readonly number[] | null
}

interface Measured {
  readonly what: string
  readonly ours: readonly number[]
  readonly show: (figure: number) => string
  readonly goal?: Goal
}

/** Round by round, ours divided by theirs. */
export function ratioRow({ what, ours, theirs, show, goal }: Measured & { readonly theirs: readonly number[] }): Row {
  if (ours.length !== theirs.length) throw new RangeError(`${ours.length} figures cannot be compared with ${theirs.length}`)
  const value = summary(ours.map((each, round) => each / (theirs[round] as number)))
  return { what, figure: show(summary(ours).median), against: show(summary(theirs).median), value, goal: goal ?? null, ours, theirs }
}

/** A figure that the goal states as it is. */
export function absoluteRow({ what, ours, show, goal }: Measured): Row {
  const value = summary(ours)
  return { what, figure: show(value.median), against: null, value, goal: goal ?? null, ours, theirs: null }
}

const LEVELS = ['missed', 'met', 'ambitious met'] as const

/** By the better end of the interval, since the machine is never quiet; said where the median alone does not reach as far. Empty without a goal. */
export function verdict({ goal, value }: Row): string {
  if (goal === null) return ''
  const best = levelOf(goal, goal.better === 'higher' ? value.high : value.low)
  const typical = levelOf(goal, value.median)
  return best === typical ? LEVELS[best] : `${LEVELS[best]} by the better end, ${LEVELS[typical]} by the median`
}

function levelOf({ better, realistic, ambitious }: Goal, figure: number): 0 | 1 | 2 {
  const reaches = (limit: number | null): boolean => limit !== null && (better === 'higher' ? figure >= limit : figure <= limit)
  if (reaches(ambitious)) return 2
  return reaches(realistic) ? 1 : 0
}
