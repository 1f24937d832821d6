/** The simulator as a scenario sees a run. */
import { sinkDifference, stateDifference, straightResult } from '../../invariants/exactly-once.ts'
import type { RunView } from '../../invariants/run-view.ts'
import type { EngineEvent, EventOf } from '../../model/events.ts'
import type { JobId } from '../../model/ids.ts'
import type { JobStatus } from '../../model/execution.ts'
import type { OperatorDocument } from '../../model/job-document.ts'
import type { SinkView } from '../../model/outside.ts'
import type { EngineTime } from '../../model/time.ts'
import type { Simulator } from './simulator.ts'
import { compileJob } from '../../model/compile-job.ts'
import { nextDocument } from '../../model/next-document.ts'
import type { SavepointRestoreSettings } from '../../model/restore.ts'
import type { RestoreVerdict } from '../../model/restore-verdict.ts'
import type { ScenarioStart } from '../../model/scenario-document.ts'
import type { FileEntry } from '../../model/storage.ts'
import { restoreVerdict } from '../../jobmaster/restore-verdict.ts'
import { runPlan } from '../../savepoint/read-plan.ts'
import { readSavepoint } from '../../savepoint/savepoint-reader.ts'
import { generatedRows } from './generated-rows.ts'
import { readOffsets, sourcesAtEnd } from './source-progress.ts'

export class SimulatorView implements RunView {
  readonly host = 'simulator'
  /** Directories of snapshots, by the names that the steps of a scenario gave them. */
  readonly names = new Map<string, string>()
  private readonly simulator: Simulator

  constructor(simulator: Simulator) {
    this.simulator = simulator
  }

  get now(): EngineTime {
    return this.simulator.now
  }

  get events(): readonly EngineEvent[] {
    return this.simulator.events
  }

  get status(): JobStatus | null {
    return this.simulator.status
  }

  vertexOf(uid: string): string | null {
    return this.simulator.graph.vertices.find((vertex) => vertex.chain.some((operator) => operator.uid === uid))?.id ?? null
  }

  operatorIdOf(uid: string): string {
    const operators = this.simulator.graph.vertices.flatMap((vertex) => vertex.chain)
    return operators.find((operator) => operator.uid === uid)?.operatorId ?? ''
  }

  keyedState(uid: string): ReadonlyMap<string, string> | null {
    return this.simulator.keyedState(uid)
  }

  sink(uid: string): SinkView {
    return this.simulator.sink(uid)
  }

  sourcesIdle(): boolean {
    return sourcesAtEnd(this.simulator)
  }

  /** A path, or the path of what a step named; a name may have more behind it (`first/_metadata`). */
  pathOf(name: string): string {
    const [head = '', ...rest] = name.split('/')
    const named = this.names.get(head)
    return named === undefined ? name : [named, ...rest].join('/')
  }

  filesBelow(name: string): { readonly files: number; readonly bytes: number } {
    const files = this.simulator.files(`${this.pathOf(name).replace(/\/$/, '')}/`)
    return { files: files.length, bytes: files.reduce((sum, file) => sum + file.size, 0) }
  }

  /** Null: from nothing. Throws `RangeError` when there is no retained checkpoint. */
  restoreOf({ from, allowNonRestoredState = false, claimMode = 'NO_CLAIM' }: ScenarioStart): SavepointRestoreSettings | null {
    if (from === undefined) return null
    return { path: from === 'latest' ? latestRetained(this.simulator.files(), this.simulator.job) : this.pathOf(from), allowNonRestoredState, claimMode }
  }

  /** By the engine's own check, of the document that ran last, changed as it says. */
  verdict(start: ScenarioStart): Omit<RestoreVerdict, 'refusedAt'> {
    const { graph, problems } = compileJob(nextDocument(this.simulator.document, start))
    const restore = this.restoreOf(start)
    if (graph === null) return { accepted: false, refusal: problems[0]?.message ?? 'the job does not compile', operators: [], notes: [] }
    if (restore === null) return { accepted: true, refusal: null, operators: [], notes: [] }
    const location = restore.path.replace(/\/_metadata$/, '')
    const metadata = this.read(`${location}/_metadata`)
    if (metadata === null) return { accepted: false, refusal: `Cannot find checkpoint or savepoint file/directory '${location}'`, operators: [], notes: [] }
    return runPlan(restoreVerdict({ savepoint: readSavepoint(metadata), location, graph, settings: restore }), ({ name, offset, length }) => this.read(name)?.subarray(offset, offset + length) ?? null)
  }

  private read(path: string): Uint8Array | null {
    const result = this.simulator.cluster.storage.files.execute({ type: 'read', path }, null)
    return result.ok ? (result.bytes ?? null) : null
  }

  private skewChanges(uid: string): readonly EventOf<'KeySkewChanged'>[] {
    const operator = this.operatorIdOf(uid)
    return this.events.flatMap(({ body }) => (body.type === 'KeySkewChanged' && body.operator === operator ? [body] : []))
  }

  exactlyOnce(): string | null {
    const { document, graph, topics } = this.simulator
    const job = { document, graph, topics, generate: (operator: OperatorDocument) => generatedRows(operator.params ?? {}, this.skewChanges(operator.uid)) }
    const result = straightResult(job, readOffsets(this.simulator))
    const state = this.simulator.status === 'RUNNING' ? stateDifference(result, (uid) => this.simulator.keyedState(uid)) : null
    return state ?? sinkDifference(job, result, (uid) => this.simulator.sink(uid))
  }
}

/** The job's checkpoint with the highest number whose metadata is there; where jobs have no directories of their own, that of all. */
function latestRetained(files: readonly FileEntry[], job: JobId): string {
  const found = files.flatMap(({ path }) => {
    const match = /^(.*\/chk-(\d+))\/_metadata$/.exec(path)
    return match?.[1] === undefined ? [] : [{ path: match[1], number: Number(match[2]) }]
  })
  const own = found.filter(({ path }) => path.includes(`/${job}/chk-`))
  const latest = (own.length > 0 ? own : found).toSorted((a, b) => a.number - b.number).at(-1)
  if (latest === undefined) throw new RangeError('there is no retained checkpoint')
  return latest.path
}
