/** What was decoded of all snapshots, as a table in Markdown. */
import type { Result } from '../../workers/base/result.ts'
import type { OpenedSnapshot } from '../../workers/savepoint/open-snapshot.ts'
import { writeSavepoint } from '../../workers/savepoint/savepoint-writer.ts'
import type { DamageOutcome } from '../../tests/property/savepoint/open-damaged.ts'

interface Row {
  snapshots: number
  failed: number
  operators: number
  subtasks: number
  states: number
  keyed: number
  keyedOpaque: number
  timers: number
  elements: number
  elementsOpaque: number
  incomplete: number
  problems: number
}

const emptyRow = (): Row => ({ snapshots: 0, failed: 0, operators: 0, subtasks: 0, states: 0, keyed: 0, keyedOpaque: 0, timers: 0, elements: 0, elementsOpaque: 0, incomplete: 0, problems: 0 })

export class SampleTable {
  private readonly rows = new Map<number, Row>()
  private readonly failures: string[] = []
  private readonly problems = new Map<string, number>()
  private readonly fuzz = new Map<DamageOutcome['kind'], number>()
  private readonly crashes: string[] = []
  private sameBytes = 0
  private slowest = 0
  private mostValues = 0
  private mostMemory = 0

  get isOk(): boolean {
    return this.failures.length === 0 && this.crashes.length === 0
  }

  /** `metadata`: the bytes that it was opened from. */
  add(name: string, opened: Result<OpenedSnapshot, string>, metadata: Uint8Array): void {
    if (!opened.ok) {
      this.failures.push(`${name}: ${opened.error}`)
      return
    }
    const { view, savepoint } = opened.value
    if (Buffer.compare(writeSavepoint(savepoint), metadata) === 0) this.sameBytes++
    else this.failures.push(`${name}: written again, _metadata has other bytes`)
    const row = this.rows.get(view.version) ?? emptyRow()
    this.rows.set(view.version, row)
    row.snapshots++
    row.operators += view.operators.length
    for (const operator of view.operators) {
      row.subtasks += operator.subtasks.length
      row.states += operator.states.length
      for (const state of operator.states) {
        if (!state.isComplete) row.incomplete++
        if (state.kind === 'timers' || state.kind === 'raw timers') row.timers += state.entries
        else if (state.kind === 'keyed') {
          row.keyed += state.entries
          row.keyedOpaque += state.opaque
        } else {
          row.elements += state.entries
          row.elementsOpaque += state.opaque
        }
      }
    }
    row.problems += view.problems.length
    for (const { message } of view.problems) {
      const kind = message.replaceAll(/\d+/g, 'n').replaceAll(/\S{8}-\S{4}-\S{4}-\S{4}-\S{12}/g, '…')
      this.problems.set(kind, (this.problems.get(kind) ?? 0) + 1)
    }
  }

  /** `millis`: how long it took. */
  addFuzz(name: string, outcome: DamageOutcome, millis: number): void {
    this.fuzz.set(outcome.kind, (this.fuzz.get(outcome.kind) ?? 0) + 1)
    if (outcome.kind === 'crashed') this.crashes.push(`${name}: ${outcome.message}`)
    this.mostValues = Math.max(this.mostValues, outcome.values)
    this.slowest = Math.max(this.slowest, millis)
    this.mostMemory = Math.max(this.mostMemory, process.memoryUsage().rss)
  }

  print(): void {
    const columns: readonly (readonly [string, (row: Row) => number])[] = [
      ['snapshots', (row) => row.snapshots],
      ['operators', (row) => row.operators],
      ['subtasks', (row) => row.subtasks],
      ['states', (row) => row.states],
      ['keyed entries', (row) => row.keyed],
      ['of these opaque', (row) => row.keyedOpaque],
      ['timers', (row) => row.timers],
      ['elements of operator state', (row) => row.elements],
      ['of these opaque', (row) => row.elementsOpaque],
      ['states not read whole', (row) => row.incomplete],
      ['reasons given', (row) => row.problems],
    ]
    console.log(`| version | ${columns.map(([title]) => title).join(' | ')} |`)
    console.log(`|${' --- |'.repeat(columns.length + 1)}`)
    const rows = [...this.rows].toSorted(([a], [b]) => a - b)
    for (const [version, row] of rows) console.log(`| ${version} | ${columns.map(([, get]) => get(row)).join(' | ')} |`)
    console.log(`| all | ${columns.map(([, get]) => rows.reduce((sum, [, row]) => sum + get(row), 0)).join(' | ')} |`)
    console.log('\nReasons:')
    for (const [message, times] of [...this.problems].toSorted(([, a], [, b]) => b - a)) console.log(`  ${String(times).padStart(5)}  ${message}`)
    console.log(`\nWritten again with the same bytes: ${this.sameBytes}\nFailed: ${this.failures.length}`)
    for (const failure of this.failures) console.log(`  ${failure}`)
    if (this.fuzz.size === 0) return
    console.log(`\nDamaged: ${[...this.fuzz].map(([kind, times]) => `${times} ${kind}`).join(', ')}; at most ${this.mostValues} entries and slices, ${Math.ceil(this.slowest)} ms each, ${Math.round(this.mostMemory / 2 ** 20)} MiB of the whole process`)
    for (const crash of this.crashes.slice(0, 20)) console.log(`  ${crash}`)
  }
}
