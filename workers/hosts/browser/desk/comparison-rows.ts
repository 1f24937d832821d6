/** The difference of two snapshots as rows for a table: what, in the one, in the other. */
import type { SnapshotComparison } from '../../../model/snapshot-desk.ts'
import type { OffsetView, OperatorView, SnapshotView } from '../../../model/snapshot-view.ts'
import { compareSnapshots, type OperatorChange, type StateChange } from '../../../savepoint/compare-snapshots.ts'
import { valueText } from '../../../savepoint/value-text.ts'

type Row = SnapshotComparison['rows'][number]
type Cells = Omit<Row, 'operatorId' | 'uid' | 'name'>

export function comparisonRows(a: SnapshotView, b: SnapshotView): SnapshotComparison {
  const { operators } = compareSnapshots(a, b)
  const rows = operators.flatMap((change) => {
    const { operatorId, uid, name } = change
    const sides = [a, b].map((view) => view.operators.find((operator) => operator.operatorId === operatorId) ?? null) as [OperatorView | null, OperatorView | null]
    return [...operatorRows(change), ...offsetRows(...sides)].map((cells) => ({ operatorId, uid, name, ...cells }))
  })
  const isComplete = operators.every(({ states }) => states.every(({ isPartial }) => !isPartial)) && a.problems.length === 0 && b.problems.length === 0
  return { rows, isComplete }
}

function operatorRows({ change, parallelism, maxParallelism, size, states }: OperatorChange): Cells[] {
  if (change === 'added' || change === 'removed') {
    const side = change === 'added' ? 1 : 0
    const text = `parallelism ${parallelism[side]}, ${size[side]} bytes`
    const names = states.map((state) => both(`state "${state.name}"`, change, `${change === 'added' ? state.entriesAfter : state.entriesBefore} entries`))
    return [both('operator', change, text), ...names]
  }
  return [
    ...differing('parallelism', parallelism),
    ...differing('max parallelism', maxParallelism),
    ...differing('bytes of state', size),
    ...states.flatMap(stateRows),
  ]
}

function stateRows(state: StateChange): Cells[] {
  const what = `state "${state.name}"`
  if (state.change === 'added') return [both(what, 'added', `${state.entriesAfter} entries`)]
  if (state.change === 'removed') return [both(what, 'removed', `${state.entriesBefore} entries`)]
  const [before, after] = state.types.split(' → ')
  return [
    ...(before !== undefined && after !== undefined ? [{ what: `type of ${what}`, a: before, b: after }] : []),
    ...differing(`entries of ${what}`, [state.entriesBefore, state.entriesAfter]),
    ...state.entries.map((entry) => ({
      what: `${what}, key ${entry.key}`,
      a: entry.change === 'added' ? null : entry.before,
      b: entry.change === 'removed' ? null : entry.after,
    })),
  ]
}

function offsetRows(a: OperatorView | null, b: OperatorView | null): Cells[] {
  const [before, after] = [positions(a), positions(b)]
  const splits = [...new Set([...before.keys(), ...after.keys()])]
  return splits.flatMap((split) => {
    const cells = { what: `position in ${split}`, a: before.get(split) ?? null, b: after.get(split) ?? null }
    return cells.a === cells.b ? [] : [cells]
  })
}

const positions = (operator: OperatorView | null): ReadonlyMap<string, string> =>
  new Map((operator?.offsets ?? []).map(({ split, position }: OffsetView) => [split, valueText(position)]))

const both = (what: string, change: 'added' | 'removed', text: string): Cells => ({ what, a: change === 'added' ? null : text, b: change === 'added' ? text : null })

const differing = (what: string, [a, b]: readonly [number, number]): Cells[] => (a === b ? [] : [{ what, a: String(a), b: String(b) }])
