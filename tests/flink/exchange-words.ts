/** One word count, begun by one engine and gone on with by the other, at other parallelisms. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSlice, sizesBelow } from '../../scripts/samples/open-directory.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { check } from './checks.ts'
import { readableBy } from './export-for.ts'
import { openSnapshotAt, rootOf } from './open-snapshot-at.ts'
import { completed, layOnDisk, start, takeSavepoint } from './our-savepoints.ts'
import type { RealFlink } from './real-flink.ts'
import { FLINK_WORD, goOnFrom, PARALLELISM, readSoFar, unequal, wordCount } from './word-count.ts'

const SECOND = 1_000_000
const RECORDS = 20_000

export interface WordsSnapshot {
  readonly name: string
  readonly path: string
  /** How many records the job makes in all. */
  readonly records: number
}

/** Ours, gone on with by Flink. */
export function goOnInFlink(flink: RealFlink): void {
  const folder = flink.folder('ours')
  const snapshots = ourSnapshots(flink, folder)
  const requests = snapshots.flatMap((snapshot) => (snapshot.isNative ? (['hashmap'] as const) : (['hashmap', 'rocksdb'] as const)).flatMap((backend) => [1, 2, 3].map((parallelism) => ({ ...snapshot, backend, parallelism }))))
  const answers = flink.words(requests.map(({ name, path, backend, parallelism }) => ({ name, snapshot: path, backend, parallelism, records: RECORDS, word: FLINK_WORD })))
  requests.forEach(({ name, path, backend, parallelism }, i) => {
    const { counts, failure } = answers[i] ?? {}
    check(`${name}, gone on with by Flink on ${backend} at parallelism ${parallelism}: each record once`, counts === undefined ? [failure ?? 'no answer'] : unequal(new Map(Object.entries(counts)), RECORDS - readSoFar(openSnapshotAt(path).view, RECORDS), RECORDS))
  })
}

function ourSnapshots(flink: RealFlink, folder: string): { readonly name: string; readonly path: string; readonly isNative: boolean }[] {
  const running = start(wordCount(RECORDS, PARALLELISM, {}, 1000), 1)
  running.runTo(3 * SECOND)
  const canonical = join(folder, 'words-canonical')
  layOnDisk(running, takeSavepoint(running, 'CANONICAL'), canonical)
  const native = join(folder, 'words-native')
  layOnDisk(running, takeSavepoint(running, 'NATIVE'), native)
  const congested = start(slowed(wordCount(RECORDS, PARALLELISM, { 'execution.checkpointing.dir': 'file:///checkpoints', 'execution.checkpointing.unaligned.enabled': true, 'taskmanager.memory.segment-size': '2 kb' })), 1)
  congested.runTo(SECOND)
  congested.triggerCheckpoint()
  const unaligned = join(folder, 'words-unaligned')
  layOnDisk(congested, completed(congested), unaligned)
  const inFlight = openSnapshotAt(unaligned).view.operators.reduce((sum, operator) => sum + operator.inFlight.buffers, 0)
  check(`our unaligned checkpoint has data in flight (${inFlight} buffers)`, inFlight > 0 ? [] : ['nothing in flight'])
  return [
    { name: 'our canonical savepoint of words', path: readableBy(flink.target, canonical), isNative: false },
    { name: 'our native savepoint of words', path: readableBy(flink.target, native), isNative: true },
    { name: 'our unaligned checkpoint of words', path: readableBy(flink.target, unaligned), isNative: true },
  ]
}

const slowed = (document: JobDocument): JobDocument => ({ ...document, operators: document.operators.map((operator) => (operator.uid === 'count' ? { ...operator, cost: '1 ms' } : operator)) })

/** Flink's, gone on with here. */
export function goOnHere(snapshots: readonly WordsSnapshot[]): void {
  for (const snapshot of snapshots) for (const parallelism of [1, 2, 3]) goOn(snapshot, parallelism)
}

function goOn({ name, path, records }: WordsSnapshot, parallelism: number): void {
  const onDisk = fileURLToPath(path)
  const root = rootOf(onDisk)
  const sizes = sizesBelow(root)
  // At the same absolute path.
  const files = new Map([...sizes].map(([file, length]) => [join(root, file), readSlice({ name: '', path: root, sizes }, { name: file, offset: 0, length })]))
  check(`Flink's ${name}, gone on with here at parallelism ${parallelism}: each record once`, goOnFrom(files, onDisk, openSnapshotAt(onDisk).view, records, parallelism))
}

export const writtenWords = (folder: string): WordsSnapshot[] => (JSON.parse(readFileSync(join(folder, 'written.json'), 'utf8')) as { readonly words: readonly WordsSnapshot[] }).words.slice()
