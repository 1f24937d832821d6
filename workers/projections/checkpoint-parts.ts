/** Which parts a subtask's snapshot will have, told before it is taken: from the graph, corrected by what earlier snapshots held. */
import type { JobVertex } from '../model/job-graph.ts'
import { PART_KINDS } from './checkpoint-view.ts'
import type { PartKind, SnapshotCell } from './checkpoint-view.ts'

export type Cells = Readonly<Record<PartKind, SnapshotCell>>

const NONE: SnapshotCell = { kind: 'none' }

export function makeCells(kinds: readonly PartKind[], cell: SnapshotCell): Cells {
  const entries = PART_KINDS.map((kind) => [kind, kinds.includes(kind) ? cell : NONE] as const)
  return Object.fromEntries(entries) as Record<PartKind, SnapshotCell>
}

/** Applies `change` to every cell that applies. */
export function mapCells(cells: Cells, change: (cell: SnapshotCell, kind: PartKind) => SnapshotCell): Cells {
  const entries = PART_KINDS.map((kind) => [kind, cells[kind].kind === 'none' ? NONE : change(cells[kind], kind)] as const)
  return Object.fromEntries(entries) as Record<PartKind, SnapshotCell>
}

export const appliedKinds = (cells: Cells): PartKind[] => PART_KINDS.filter((kind) => cells[kind].kind !== 'none')

/** A source keeps offsets, an operator behind a keyed input keyed state, a transactional sink its open transactions. */
export function expectedParts(vertex: JobVertex): PartKind[] {
  const kinds = new Set<PartKind>()
  for (const operator of vertex.chain) {
    if (operator.inputs.length === 0 && vertex.isSource) kinds.add('offsets')
    if (operator.keyFields.some((fields) => fields !== null)) kinds.add('keyed')
    if (/two-phase|transaction|exactly-once/i.test(operator.type)) kinds.add('transactions')
  }
  return PART_KINDS.filter((kind) => kinds.has(kind))
}
