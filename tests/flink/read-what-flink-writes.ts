/** Snapshots that real Flink writes are opened here: every value is the one that its job put in, and the one that Flink itself restores. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { check, difference } from './checks.ts'
import { entriesOf, isOfOperator, keyedLine, operatorLine } from './entries.ts'
import type { Entry } from './entries.ts'
import { openSnapshotAt } from './open-snapshot-at.ts'
import type { RealFlink } from './real-flink.ts'
import { checkRestores } from './restore-by-flink.ts'

/** Flink's own reading of these is compared with the one here: also of states of which the job does not tell. */
const SELF_RESTORED = ['hashmap canonical savepoint', 'hashmap native savepoint', 'rocksdb stop with savepoint']

interface Written {
  readonly name: string
  readonly path: string
  readonly entries: readonly Entry[]
}

export function readWhatFlinkWrites(flink: RealFlink): void {
  const folder = flink.folder('written')
  rmSync(folder, { recursive: true })
  flink.run('write', flink.folder('written'))
  const { snapshots } = JSON.parse(readFileSync(join(folder, 'written.json'), 'utf8')) as { snapshots: readonly Written[] }
  for (const written of snapshots) compareWithTheJob(written)
  checkRestores(flink, snapshots.filter(({ name }) => SELF_RESTORED.includes(name)).map(({ name, path }) => ({ name: `Flink's ${name}`, path: fileURLToPath(path), ...(name === 'hashmap native savepoint' ? { backend: 'hashmap' } : {}) })))
}

function compareWithTheJob(written: Written): void {
  const { view } = openSnapshotAt(fileURLToPath(written.path))
  check(`${written.name}: opens without a problem`, problemsOf(view))
  const entries = entriesOf(view)
  const told = new Set(written.entries.map((entry) => `${entry.uid} ${entry.state}`))
  const line = (entry: Entry): string => (isOfOperator(entry) ? operatorLine(entry, entry.subtask) : keyedLine(entry))
  // RocksDB's own files are listed, not read: keyed state is in them.
  const isInSst = (entry: Entry): boolean => !isOfOperator(entry) && view.operators.some((operator) => operator.uid === entry.uid && operator.states.some((state) => state.name === entry.state && !state.isComplete))
  const expected = written.entries.filter((entry) => !isInSst(entry))
  check(`${written.name}: ${expected.length} entries are what the job put in`, difference(expected.map(line), entries.filter((entry) => told.has(`${entry.uid} ${entry.state}`)).map(line), ['the job', 'the reader']))
}

function problemsOf(view: SnapshotView): string[] {
  return [...view.problems.map((problem) => `${problem.operatorId}/${problem.subtask ?? '-'}: ${problem.message}`), ...view.missing.map((path) => `missing: ${path}`)]
}

