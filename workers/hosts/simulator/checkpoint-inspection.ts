/**
 * Looks into the files of every checkpoint at the moment when it completes: everything that it names is there and reads back, and its state
 * is the effect of the source prefix that its offsets name (DESIGN 7, 2 and 3). Reads storage, never the machines.
 */
import { must } from '../../base/assert.ts'
import { stateDifference, straightResult, type SourceOffsets, type StraightJob } from '../../invariants/exactly-once.ts'
import { isAddressable } from '../../coordinator/checkpoint-directory.ts'
import { metadataPath } from '../../coordinator/completed-checkpoint.ts'
import { HA_ROOT } from '../../jobmaster/high-availability/ha-files.ts'
import type { CheckpointId } from '../../model/ids.ts'
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
  /** What a user took away; that it is missing is no fault of the engine. */
  private readonly takenAway: string[] = []

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
    if (body.type === 'CheckpointCompleted') this.inspect(body.checkpointId, body.externalPath, event.at, true)
    if (body.type === 'CheckpointSubsumed' || body.type === 'CheckpointRestored') {
      for (const [id, path] of this.retained.paths) this.inspect(id, path, event.at, false)
    }
  }

  /** A user deletes or moves what is at that path. */
  takeAway(path: string): void {
    this.takenAway.push(path)
  }

  /** All files of all retained checkpoints, `_metadata` included. */
  neededFiles(): ReadonlySet<string> {
    const needed = new Set<string>()
    for (const [id, path] of this.retained.paths) {
      const metadata = this.metadataPath(id, path)
      if (metadata === null) continue
      needed.add(metadata)
      for (const file of this.read(metadata, path)?.files ?? []) needed.add(file)
    }
    return needed
  }

  private inspect(id: CheckpointId, path: string, at: number, cut: boolean): void {
    const metadata = this.metadataPath(id, path)
    if (metadata === null || this.takenAway.some((taken) => metadata === taken || metadata.startsWith(`${taken}/`))) return
    const snapshot = this.read(metadata, path)
    if (snapshot === null) return this.watch.report('checkpoint-files', `${metadata} is not there`, at)
    const problem = snapshot.problems[0]
    if (problem !== undefined) return this.watch.report('checkpoint-files', `${path}: ${problem.message}`, at)
    if (!cut || !this.comparesCuts) return
    const difference = this.cutDifference(snapshot, path)
    if (difference !== null) this.watch.report('consistent-cut', `${path}: ${difference}`, at)
  }

  /** Of a checkpoint without a directory: what the high-availability store has of it. Null: it is in the JobManager's memory alone. */
  private metadataPath(id: CheckpointId, path: string): string | null {
    if (isAddressable(path)) return metadataPath(path)
    if (!this.job.graph.settings.haEnabled) return null
    const stored = this.files.entries().find((entry) => entry.path.startsWith(HA_ROOT) && entry.path.endsWith(`/completed-checkpoint-${id}`))
    return stored?.path ?? metadataPath(path)
  }

  private read(metadata: string, path: string): InspectedSnapshot | null {
    const bytes = this.bytes(metadata)
    return bytes === null ? null : inspectSnapshot(bytes, path, (file) => this.bytes(file))
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
