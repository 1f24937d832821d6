/** Snapshots that real Flink writes are opened here: every value is the one that its job put in, and the one that Flink itself restores. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { must } from '../../workers/base/assert.ts'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { check, difference } from './checks.ts'
import { entriesOf, isOfOperator, keyedLine, operatorLine } from './entries.ts'
import type { Entry } from './entries.ts'
import { openSnapshotAt } from './open-snapshot-at.ts'
import { writtenWords } from './exchange-words.ts'
import type { WordsSnapshot } from './exchange-words.ts'
import { keepGolden } from './keep-golden.ts'
import { makeCanonical } from './made-canonical.ts'
import type { RealFlink } from './real-flink.ts'
import { checkRestores } from './restore-by-flink.ts'

interface Written {
  readonly name: string
  readonly path: string
  readonly entries: readonly Entry[]
}

/** Returns those of the word count. `keep`: some become fixtures. */
export function readWhatFlinkWrites(flink: RealFlink, keep: boolean): readonly WordsSnapshot[] {
  const folder = flink.folder('written')
  rmSync(folder, { recursive: true })
  flink.run('write', flink.folder('written'))
  const { snapshots } = JSON.parse(readFileSync(join(folder, 'written.json'), 'utf8')) as { snapshots: readonly Written[] }
  for (const written of snapshots) compareWithTheJob(written)
  const pathOf = (name: string): string => fileURLToPath(must(snapshots.find((one) => one.name === name)?.path, name))
  const canonical = join(folder, 'made-canonical')
  makeCanonical(pathOf('hashmap native savepoint'), canonical)
  checkRestores(flink, [
    // Flink's own reading is compared with the one here: also of states of which the job does not tell.
    { name: "Flink's hashmap canonical savepoint", path: pathOf('hashmap canonical savepoint') },
    { name: "Flink's hashmap native savepoint", path: pathOf('hashmap native savepoint'), backend: 'hashmap' },
    { name: "Flink's rocksdb savepoint", path: pathOf('rocksdb stop with savepoint') },
    { name: "Flink's hashmap native savepoint, made canonical here", path: canonical, entries: entriesOf(openSnapshotAt(pathOf('hashmap native savepoint')).view) },
  ])
  const words = writtenWords(folder)
  if (keep) keepSome(flink, snapshots, words)
  return words
}

function keepSome(flink: RealFlink, snapshots: readonly Written[], words: readonly WordsSnapshot[]): void {
  const kept = (name: string, of: string): { readonly name: string; readonly path: string } => ({ name, path: fileURLToPath(must([...snapshots, ...words].find((one) => one.name === of)?.path, of)) })
  const chosen = [kept('hashmap-canonical', 'hashmap canonical savepoint'), kept('hashmap-native', 'hashmap native savepoint'), kept('rocksdb-canonical', 'rocksdb canonical savepoint')]
  chosen.push(kept('words-canonical', 'rocksdb canonical savepoint of words'), kept('words-unaligned', 'unaligned checkpoint of words'))
  keepGolden(flink.version, chosen, snapshots[0]?.entries ?? [])
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

