/** What a run leaves behind: each benchmark with its rows and the state of the machine it was taken on. Kept as JSON, read as Markdown. */
import type { Row } from './row.ts'
import { markdownTable } from './table.ts'

export interface Machine {
  readonly cores: number
  readonly processor: string
  readonly memoryGiB: number
  readonly system: string
  readonly chromium: string
  readonly node: string
  /** And whether the product's code differs from it; null outside of a repository. */
  readonly commit: string | null
}

export interface Entry {
  readonly name: string
  readonly rounds: number
  /** Of the records of each run; 1: all. */
  readonly share: number
  /** ISO 8601. */
  readonly takenAt: string
  readonly seconds: number
  /** Of 1, 5 and 15 minutes, before the benchmark began. */
  readonly load: readonly number[]
  readonly machine: Machine
  readonly rows: readonly Row[]
}

export interface Report {
  readonly format: 'weir-bench@1'
  readonly entries: readonly Entry[]
}

export const EMPTY_REPORT: Report = { format: 'weir-bench@1', entries: [] }

/** Throws when the text is something else: nothing is written over then. */
export function parseReport(text: string): Report {
  const report: unknown = JSON.parse(text)
  if (typeof report !== 'object' || report === null || !('format' in report) || report.format !== EMPTY_REPORT.format) throw new Error(`this is no report of the form ${EMPTY_REPORT.format}`)
  return report as Report
}

/** With this entry in the place of an older one of its name, in the order of `names`. */
export function withEntry({ format, entries }: Report, entry: Entry, names: readonly string[]): Report {
  const others = entries.filter(({ name }) => name !== entry.name)
  return { format, entries: [...others, entry].toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name)) }
}

/** Such a run would not tell more than what is there already: same build, as many rounds, as many records. */
export const isTaken = ({ entries }: Report, name: string, asked: Pick<Entry, 'rounds' | 'share'> & { readonly commit: string | null }): boolean =>
  entries.some((entry) => entry.name === name && entry.rounds >= asked.rounds && entry.share >= asked.share && entry.machine.commit === asked.commit)

export const rowsOf = ({ entries }: Report): readonly Row[] => entries.flatMap(({ rows }) => rows)

export function markdown(report: Report): string {
  const runs = report.entries.map(
    ({ name, takenAt, seconds, rounds, share, load, machine: { commit } }) =>
      `| ${name} | ${takenAt.slice(0, 16).replace('T', ' ')} | ${Math.round(seconds)} s | ${rounds} | ${share} | ${load.map((each) => each.toFixed(1)).join(', ')} | ${commit ?? '–'} |`,
  )
  const machines = [...new Set(report.entries.map(({ machine }) => machineText(machine)))]
  return [
    '# Figures',
    'Written by `npm run bench -- --out …`; what each row compares is in [README.md](README.md). Goals count as reached by the better end of the interval.',
    machines.map((text) => `- ${text}`).join('\n'),
    markdownTable(rowsOf(report)),
    ['| taken | at (UTC) | lasted | rounds | share of the records | load before (1, 5, 15 min) | commit |', '| --- | --- | --- | --- | --- | --- | --- |', ...runs].join('\n'),
    '',
  ].join('\n\n').trimEnd() + '\n'
}

const machineText = ({ cores, processor, memoryGiB, system, chromium, node }: Machine): string =>
  `${cores} cores (${processor}), ${memoryGiB.toFixed(0)} GiB, ${system}, Chromium ${chromium}, Node ${node}`
