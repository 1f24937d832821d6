/**
 * One word count, begun by one engine and gone on with by the other. Who made a record shows in the word, so that in the end each side's words are
 * as many as its sources had read: what was in state, in flight and not yet read is neither lost nor doubled.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSlice, sizesBelow } from '../../scripts/samples/open-directory.ts'
import type { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { splitSequence } from '../../workers/operators/sources/sequence-enumerator.ts'
import { check } from './checks.ts'
import { openSnapshotAt, rootOf } from './open-snapshot-at.ts'
import { completed, layOnDisk, start, takeSavepoint } from './our-savepoints.ts'
import type { RealFlink } from './real-flink.ts'

const SECOND = 1_000_000
const RECORDS = 20_000
const FLINK_WORD = 'flink'
/** Of both engines when they write. */
const PARALLELISM = 2

export interface WordsSnapshot {
  readonly name: string
  readonly path: string
  /** How many records the job makes in all. */
  readonly records: number
}

export function wordCount(records: number, parallelism: number, config: JobDocument['config'] = {}, rate: number | null = null): JobDocument {
  return {
    weir: 'job@1',
    name: 'words',
    config: { 'execution.checkpointing.interval': '1 h', ...config },
    operators: [
      { uid: 'words', type: 'generator', parallelism, params: { rows: 'word', keys: 40, count: records, rate } },
      { uid: 'count', type: 'process-count', parallelism },
      { uid: 'out', type: 'print' },
    ],
    edges: [
      { from: 'words', to: 'count', ship: 'hash', by: ['word'] },
      { from: 'count', to: 'out', ship: 'rebalance' },
    ],
  }
}

/** Ours, gone on with by Flink. */
export function goOnInFlink(flink: RealFlink): void {
  const folder = flink.folder('ours')
  const snapshots = ourSnapshots(folder)
  const requests = snapshots.flatMap((snapshot) => (snapshot.isNative ? (['hashmap'] as const) : (['hashmap', 'rocksdb'] as const)).flatMap((backend) => [1, 2, 3].map((parallelism) => ({ ...snapshot, backend, parallelism }))))
  const answers = flink.words(requests.map(({ name, path, backend, parallelism }) => ({ name, snapshot: path, backend, parallelism, records: RECORDS, word: FLINK_WORD })))
  requests.forEach(({ name, path, backend, parallelism }, i) => {
    const { counts, failure } = answers[i] ?? {}
    check(`${name}, gone on with by Flink on ${backend} at parallelism ${parallelism}: each record once`, counts === undefined ? [failure ?? 'no answer'] : unequal(new Map(Object.entries(counts)), RECORDS - readSoFar(openSnapshotAt(path).view, RECORDS), RECORDS))
  })
}

function ourSnapshots(folder: string): { readonly name: string; readonly path: string; readonly isNative: boolean }[] {
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
    { name: 'our canonical savepoint of words', path: canonical, isNative: false },
    { name: 'our native savepoint of words', path: native, isNative: true },
    { name: 'our unaligned checkpoint of words', path: unaligned, isNative: true },
  ]
}

const slowed = (document: JobDocument): JobDocument => ({ ...document, operators: document.operators.map((operator) => (operator.uid === 'count' ? { ...operator, cost: '1 ms' } : operator)) })

/** Flink's, gone on with here. */
export function goOnHere(snapshots: readonly WordsSnapshot[]): void {
  for (const snapshot of snapshots) for (const parallelism of [1, 2, 3]) goOn(snapshot, parallelism)
}

function goOn({ name, path, records }: WordsSnapshot, parallelism: number): void {
  const onDisk = fileURLToPath(path)
  const document = wordCount(records, parallelism, { 'execution.state-recovery.path': path, 'execution.state-recovery.ignore-unclaimed-state': false })
  const simulator = start(document, 7)
  carryOver(simulator, rootOf(onDisk))
  // The source ends by itself; the last count of each key is what its sink got last.
  const ended = simulator.runUntilEvent(({ body }) => body.type === 'JobStatusChanged' && body.to === 'FINISHED', 3600 * SECOND)
  const counts = new Map<string, number>()
  for (const row of simulator.sink('out').committed) {
    const [word, count] = row as readonly [string, number]
    counts.set(word, Math.max(counts.get(word) ?? 0, count))
  }
  for (const [word, count] of countsIn(openSnapshotAt(onDisk).view)) if (!counts.has(word)) counts.set(word, count)
  const failure = simulator.events.findLast(({ body }) => body.type === 'JobStatusChanged')
  check(`Flink's ${name}, gone on with here at parallelism ${parallelism}: each record once`, ended === null ? [`the job is ${simulator.status ?? 'gone'}: ${JSON.stringify(failure?.body)}`] : unequal(counts, readSoFar(openSnapshotAt(onDisk).view, records), records))
}

/** At the same absolute path. */
function carryOver(simulator: Simulator, root: string): void {
  const sizes = sizesBelow(root)
  const writes = [...sizes].map(([name, length]) => ({ path: join(root, name), bytes: readSlice({ name: '', path: root, sizes }, { name, offset: 0, length }), createNew: true }))
  simulator.cluster.storage.files.execute({ type: 'transact', writes, deletes: [], durability: 'strict' }, null)
}

function countsIn(view: SnapshotView): (readonly [string, number])[] {
  const count = view.operators.find(({ uid }) => uid === 'count')?.states.find(({ name }) => name === 'count')
  return (count?.sample ?? []).map(({ key, value }) => [String(key), Number(value)] as const)
}

/** Records that the sources had read: all splits are with readers, none waits at the enumerator. */
function readSoFar(view: SnapshotView, records: number): number {
  const words = view.operators.find(({ uid }) => uid === 'words')
  const starts = new Map(splitSequence(records, PARALLELISM).map(({ id, next }) => [id, next]))
  return (words?.offsets ?? []).reduce((sum, { split, position }) => sum + Number(position) - (starts.get(split) ?? NaN), 0)
}

function unequal(counts: ReadonlyMap<string, number>, ofFlink: number, records: number): string[] {
  let byFlink = 0
  let all = 0
  for (const [word, count] of counts) {
    all += count
    if (word.startsWith(`${FLINK_WORD}-`)) byFlink += count
  }
  const problems = []
  if (!(ofFlink > 0 && ofFlink < records)) problems.push(`the snapshot is no test: ${ofFlink} of ${records} records are Flink's`)
  if (all !== records) problems.push(`${all} records have been counted, and ${records} were made`)
  if (byFlink !== ofFlink) problems.push(`${byFlink} records of Flink's have been counted, and ${ofFlink} were made`)
  return problems
}

export const writtenWords = (folder: string): WordsSnapshot[] => (JSON.parse(readFileSync(join(folder, 'written.json'), 'utf8')) as { readonly words: readonly WordsSnapshot[] }).words.map((one) => one)
