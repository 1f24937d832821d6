/**
 * Looks into the files of every checkpoint at the moment when it completes: everything that it names is there and reads back, and its state
 * is the effect of the source prefix that its offsets name (DESIGN 7, 2 and 3). Reads storage, never the machines.
 */
import { must } from '../../base/assert.ts'
import { stateDifference, straightResult, type SourceOffsets, type StraightJob } from '../../invariants/exactly-once.ts'
import type { Watch } from '../../invariants/checker.ts'
import { RetainedCheckpoints } from '../../invariants/retained-checkpoints.ts'
import type { EngineEvent } from '../../model/events.ts'
import { decodeLogSplit, decodeStateElement, READER_STATE } from '../../operators/sources/split-codec.ts'
import { inspectSnapshot, type InspectedOperator, type InspectedSnapshot } from '../../savepoint/inspect.ts'
import { streamPath } from '../../savepoint/stream-path.ts'
import type { MemoryFiles } from '../../storage/memory-files.ts'
import { rowsInFlight } from './in-flight-rows.ts'
import type { EventObserver } from './world.ts'

export class CheckpointInspection implements EventObserver {
  readonly retained: RetainedCheckpoints
  /** How many were compared with the plain computation. */
  compared = 0
  private readonly files: MemoryFiles
  private readonly job: StraightJob
  private readonly watch: Watch
  private readonly comparesCuts: boolean

  /** `comparesCuts` false: the job was started from a snapshot of another program. */
  constructor(files: MemoryFiles, job: StraightJob, watch: Watch, comparesCuts = true) {
    this.comparesCuts = comparesCuts
    this.files = files
    this.job = job
    this.watch = watch
    this.retained = new RetainedCheckpoints(job.graph.settings.checkpointing.numRetained)
  }

  observe(event: EngineEvent): void {
    this.retained.observe(event)
    const body = event.body
    if (body.type === 'CheckpointCompleted') this.inspect(body.externalPath, event.at, true)
    if (body.type === 'CheckpointSubsumed' || body.type === 'CheckpointRestored') {
      for (const path of this.retained.paths.values()) this.inspect(path, event.at, false)
    }
  }

  /** All files of all retained checkpoints, `_metadata` included. */
  neededFiles(): ReadonlySet<string> {
    const needed = new Set<string>()
    for (const path of this.retained.paths.values()) {
      needed.add(`${path}/_metadata`)
      for (const file of this.read(path)?.files ?? []) needed.add(file)
    }
    return needed
  }

  private inspect(path: string, at: number, cut: boolean): void {
    const snapshot = this.read(path)
    if (snapshot === null) return this.watch.report('checkpoint-files', `${path}/_metadata is not there`, at)
    const problem = snapshot.problems[0]
    if (problem !== undefined) return this.watch.report('checkpoint-files', `${path}: ${problem.message}`, at)
    if (!cut || !this.comparesCuts) return
    const difference = this.cutDifference(snapshot, path)
    if (difference !== null) this.watch.report('consistent-cut', `${path}: ${difference}`, at)
  }

  private read(path: string): InspectedSnapshot | null {
    const metadata = this.bytes(`${path}/_metadata`)
    return metadata === null ? null : inspectSnapshot(metadata, path, (file) => this.bytes(file))
  }

  private bytes(path: string): Uint8Array | null {
    const result = this.files.execute({ type: 'read', path }, null)
    return result.ok ? (result.bytes ?? null) : null
  }

  private cutDifference(snapshot: InspectedSnapshot, path: string): string | null {
    // Records behind a barrier may be in the state, and are read again (behaviour 6.7).
    if (this.job.graph.settings.checkpointing.mode === 'AT_LEAST_ONCE') return null
    const offsets = this.offsetsOf(snapshot)
    if (offsets === null) return null
    this.compared++
    const inFlight = rowsInFlight(this.job.graph, snapshot, ({ stream }) =>
      stream.kind === 'bytes' ? stream.bytes : must(this.bytes(streamPath(stream, path) ?? ''), `the file of ${stream.kind} in-flight data`),
    )
    return stateDifference(straightResult(this.job, offsets, inFlight), (uid) => keyedState(this.operatorOf(snapshot, uid)))
  }

  private operatorOf(snapshot: InspectedSnapshot, uid: string): InspectedOperator | null {
    const id = this.job.graph.vertices.flatMap((vertex) => vertex.chain).find((operator) => operator.uid === uid)?.operatorId
    return snapshot.operators.find(({ operator }) => operator.operatorId === id) ?? null
  }

  /** Null: a bounded source has finished, wholly or in part, and its offsets are not in the checkpoint any more. */
  private offsetsOf(snapshot: InspectedSnapshot): SourceOffsets | null {
    const offsets = new Map<string, ReadonlyMap<number, number>>()
    for (const { uid, type, params } of this.job.document.operators) {
      if (type !== 'log') continue
      const own = new Map<number, number>()
      for (const list of this.operatorOf(snapshot, uid)?.lists ?? []) {
        if (list.state !== READER_STATE) continue
        for (const element of list.elements) {
          const split = decodeLogSplit(decodeStateElement('log', element))
          own.set(split.partition, split.offset)
        }
      }
      const partitions = this.job.topics.find((topic) => topic.name === params?.['topic'])?.partitions.length ?? 0
      if (params?.['bounded'] === true && own.size < partitions) return null
      offsets.set(uid, own)
    }
    return offsets
  }
}

function keyedState(operator: InspectedOperator | null): ReadonlyMap<string, string> {
  return new Map((operator?.entries ?? []).map(({ key, value }) => [JSON.stringify(key), JSON.stringify(value)]))
}
