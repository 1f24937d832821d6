/**
 * The word count that runs on both engines. Who made a record shows in the word, so that in the end each side's words are as many as its sources had
 * read: what was in state, in flight and not yet read is neither lost nor doubled.
 */
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { SnapshotView } from '../../workers/model/snapshot-view.ts'
import { splitSequence } from '../../workers/operators/sources/sequence-enumerator.ts'
import { start } from './our-savepoints.ts'

const SECOND = 1_000_000
/** What Flink's records begin with; the generator here makes none such. */
export const FLINK_WORD = 'flink'
/** Of both engines when they write. */
export const PARALLELISM = 2

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

/** Goes on with Flink's job on the simulator, from the snapshot at `path` among `files`, to its end. What is wrong then. */
export function goOnFrom(files: ReadonlyMap<string, Uint8Array>, path: string, view: SnapshotView, records: number, parallelism: number): string[] {
  const simulator = start(wordCount(records, parallelism, { 'execution.state-recovery.path': `file://${path}` }), 7)
  const writes = [...files].map(([name, bytes]) => ({ path: name, bytes, createNew: true }))
  simulator.cluster.storage.files.execute({ type: 'transact', writes, deletes: [], durability: 'strict' }, null)
  // The source ends by itself.
  const ended = simulator.runUntilEvent(({ body }) => body.type === 'JobStatusChanged' && body.to === 'FINISHED', 3600 * SECOND)
  if (ended === null) return [`the job is ${simulator.status ?? 'gone'}: ${JSON.stringify(simulator.events.findLast(({ body }) => body.type === 'JobStatusChanged')?.body)}`]
  // The last count of each word is what the sink got last; of words that have not come again, the snapshot's.
  const counts = new Map(countsIn(view))
  for (const row of simulator.sink('out').committed) {
    const [word, count] = row as readonly [string, number]
    counts.set(word, Math.max(counts.get(word) ?? 0, count))
  }
  return unequal(counts, readSoFar(view, records), records)
}

function countsIn(view: SnapshotView): (readonly [string, number])[] {
  const count = view.operators.find(({ uid }) => uid === 'count')?.states.find(({ name }) => name === 'count')
  return (count?.sample ?? []).map(({ key, value }) => [String(key), Number(value)] as const)
}

/** Records that the sources had read: all splits are with readers, none waits at the enumerator. */
export function readSoFar(view: SnapshotView, records: number): number {
  const words = view.operators.find(({ uid }) => uid === 'words')
  const starts = new Map(splitSequence(records, PARALLELISM).map(({ id, next }) => [id, next]))
  return (words?.offsets ?? []).reduce((sum, { split, position }) => sum + Number(position) - (starts.get(split) ?? NaN), 0)
}

export function unequal(counts: ReadonlyMap<string, number>, ofFlink: number, records: number): string[] {
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
