/**
 * What each kind of snapshot is for and what it allows (behaviour 12.4). Flink: checkpoints_vs_savepoints. Table and words only; whose snapshot it
 * is and what it really holds is told beside it.
 */
import type { SnapshotKind } from './snapshot-facts.ts'

export type Allowed = 'yes' | 'works, not guaranteed' | 'no'

export interface OperationRow {
  readonly operation: string
  readonly allowed: Readonly<Record<Exclude<SnapshotKind, 'unknown'>, Allowed>>
}

const row = (operation: string, canonical: Allowed, native: Allowed, aligned: Allowed, unaligned: Allowed): OperationRow => ({
  operation,
  allowed: { 'canonical savepoint': canonical, 'native savepoint': native, checkpoint: aligned, 'unaligned checkpoint': unaligned },
})
const SOFT = 'works, not guaranteed'

export const OPERATIONS: readonly OperationRow[] = [
  row('Change the state backend', 'yes', 'no', 'no', 'no'),
  row('State Processor API, writing', 'yes', 'no', 'no', 'no'),
  row('State Processor API, reading', 'yes', SOFT, SOFT, 'no'),
  row('Self-contained and relocatable', 'yes', 'yes', 'no', 'no'),
  row('Schema evolution', 'yes', SOFT, SOFT, SOFT),
  row('Arbitrary job upgrade', 'yes', 'yes', 'yes', 'no'),
  row('Non-arbitrary job upgrade', 'yes', 'yes', 'yes', 'yes'),
  row('Flink minor version upgrade', 'yes', 'yes', 'yes', 'no'),
  row('Flink patch version upgrade', 'yes', 'yes', 'yes', 'yes'),
  row('Rescaling', 'yes', 'yes', 'yes', 'yes'),
]

export interface KindWords {
  readonly purpose: string
  readonly owner: string
  readonly format: string
}

export const KIND_WORDS: Readonly<Record<SnapshotKind, KindWords>> = {
  'canonical savepoint': { purpose: 'planned: upgrade, move, fork, keep', owner: 'you: the job never deletes it', format: 'canonical, the same for every state backend' },
  'native savepoint': { purpose: 'planned: upgrade, move, fork, keep', owner: 'you: the job never deletes it', format: 'native, the format of the state backend' },
  checkpoint: { purpose: 'recovery from a failure', owner: 'the job: deleted when subsumed or, by its retention, at the end', format: "the state backend's own" },
  'unaligned checkpoint': { purpose: 'recovery from a failure', owner: 'the job: deleted when subsumed or, by its retention, at the end', format: "the state backend's own, with records in flight" },
  unknown: { purpose: 'not known', owner: 'not known', format: 'not known' },
}

export const KIND_TITLES: Readonly<Record<SnapshotKind, string>> = {
  'canonical savepoint': 'Savepoint, canonical',
  'native savepoint': 'Savepoint, native',
  checkpoint: 'Checkpoint, aligned',
  'unaligned checkpoint': 'Checkpoint, unaligned',
  unknown: 'Not told by the file',
}
