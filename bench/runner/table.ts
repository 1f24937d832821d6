/** The table that a run prints: figure, ratio, the goal beside it, rounds, interval. */
import type { Summary } from './statistics.ts'

export interface Row {
  readonly what: string
  /** As text with its unit: "5.2 M records/s". */
  readonly figure: string
  readonly against: string
  readonly ratio: Summary
  /** "≥ 0.40", or a dash. */
  readonly goal: string
  readonly meets: boolean | null
}

export function printTable(rows: readonly Row[]): void {
  const head = ['benchmark', 'figure', 'against', 'ratio', '90 % interval', 'rounds', 'goal', '']
  const lines = rows.map(({ what, figure, against, ratio, goal, meets }) => [
    what,
    figure,
    against,
    ratio.median.toFixed(2),
    `${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)}`,
    String(ratio.count),
    goal,
    meets === null ? '' : meets ? 'met' : 'missed',
  ])
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => (line[column] as string).length)))
  for (const line of [head, widths.map((width) => '-'.repeat(width)), ...lines]) {
    console.log(line.map((cell, column) => cell.padEnd(widths[column] as number)).join('  ').trimEnd())
  }
}
