/** The rows as a table, for the terminal and for a file of Markdown. */
import { limitText } from './goals.ts'
import { verdict, type Row } from './row.ts'

const HEAD = ['goal', 'benchmark', 'figure', 'against', 'ratio', '90 % interval', 'rounds', 'realistic', 'ambitious', 'reached'] as const

function cellsOf(row: Row): readonly string[] {
  const { what, figure, against, value, goal, theirs } = row
  const unit = theirs === null && goal?.unit !== undefined ? ` ${goal.unit}` : ''
  return [
    goal === null ? '' : String(goal.number),
    what,
    figure,
    against ?? '–',
    theirs === null ? '–' : digits(value.median),
    `${digits(value.low)}–${digits(value.high)}${unit}`,
    String(value.count),
    goal === null ? '–' : limitText(goal, goal.realistic),
    goal === null ? '–' : limitText(goal, goal.ambitious),
    verdict(row),
  ]
}

/** Three digits that count, and no more than two behind the point. */
function digits(figure: number): string {
  const size = Math.abs(figure)
  return figure.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

export function textTable(rows: readonly Row[]): string {
  const lines = rows.map(cellsOf)
  const widths = HEAD.map((title, column) => Math.max(title.length, ...lines.map((line) => (line[column] as string).length)))
  return [HEAD, widths.map((width) => '-'.repeat(width)), ...lines]
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] as number)).join('  ').trimEnd())
    .join('\n')
}

export function markdownTable(rows: readonly Row[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(HEAD), line(HEAD.map(() => '---')), ...rows.map((row) => line(cellsOf(row)))].join('\n')
}
