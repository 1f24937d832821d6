/**
 * The live cluster as a scenario sees a run. A scenario asks at once and workers answer later, so `refresh` fetches beforehand what may be asked.
 */
import { sinkDifference, stateDifference, straightResult, type SourceOffsets } from '../../workers/invariants/exactly-once.ts'
import type { RunView } from '../../workers/invariants/run-view.ts'
import type { EngineEvent } from '../../workers/model/events.ts'
import type { JobStatus } from '../../workers/model/execution.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { JobGraph } from '../../workers/model/job-graph.ts'
import type { SinkView, TopicContent } from '../../workers/model/outside.ts'
import type { TaskReport } from '../../workers/model/report.ts'
import type { Expectation, ScenarioStart } from '../../workers/model/scenario-document.ts'
import type { Cluster } from './cluster-types.ts'
import { liveAnswers, NO_ANSWERS, type LiveAnswers, type LiveVerdict, type Places } from './live-answers.ts'

const ALL_ROWS = 200_000

export class LiveView implements RunView {
  readonly host = 'live'
  readonly events: EngineEvent[] = []
  private readonly cluster: Cluster
  private document: JobDocument
  private readonly startedAt: number
  private readonly stopLog: () => void
  private graph: JobGraph | null = null
  private reports: readonly TaskReport[] = []
  private topics: readonly TopicContent[] = []
  private answers: LiveAnswers = NO_ANSWERS
  private readonly sinks = new Map<string, SinkView>()
  private readonly states = new Map<string, ReadonlyMap<string, string>>()

  constructor(cluster: Cluster, document: JobDocument) {
    this.cluster = cluster
    this.document = document
    this.startedAt = cluster.engineNow()
    this.stopLog = cluster.onLog(({ events }) => {
      for (const event of events) if (event.at >= this.startedAt) this.events.push(event)
    })
  }

  /** Another job runs from now on: what is known of the one before says nothing of it. */
  started(document: JobDocument): void {
    this.document = document
    this.graph = null
    this.reports = []
    this.states.clear()
  }

  /** Engine time since the run began. */
  get now(): number {
    return this.cluster.engineNow() - this.startedAt
  }

  get status(): JobStatus | null {
    return this.cluster.status.job?.status ?? null
  }

  /** `states`: also every keyed state, which is asked for at the end only. */
  async refresh(states: boolean): Promise<void> {
    const view = await this.cluster.view()
    this.graph = view.graph ?? this.graph
    this.reports = (await this.cluster.reports()).filter((report) => view.executions.some(({ attempt }) => attempt === report.attempt))
    for (const { uid, output } of this.operators()) if (output === null) this.sinks.set(uid, await this.cluster.sink(uid, ALL_ROWS))
    if (!states) return
    this.topics = await this.cluster.topics()
    for (const { uid, keyFields } of this.operators()) {
      if (keyFields.every((fields) => fields === null)) continue
      const rows = await this.cluster.state(uid)
      this.states.set(uid, new Map(rows.map(({ key, value }) => [JSON.stringify(key), JSON.stringify(value)])))
    }
  }

  stop(): void {
    this.stopLog()
  }

  vertexOf(uid: string): string | null {
    return this.graph?.vertices.find((vertex) => vertex.chain.some((operator) => operator.uid === uid))?.id ?? null
  }

  operatorIdOf(uid: string): string {
    return this.operators().find((operator) => operator.uid === uid)?.operatorId ?? ''
  }

  keyedState(uid: string): ReadonlyMap<string, string> | null {
    return this.states.get(uid) ?? null
  }

  sink(uid: string): SinkView {
    return this.sinks.get(uid) ?? { sink: uid, committed: [], committedTotal: 0, uncommitted: [], uncommittedTotal: 0, transactions: [] }
  }

  sourcesIdle(): boolean {
    const splits = this.reports.flatMap(({ operators }) => operators.flatMap((operator) => operator.splits ?? []))
    return splits.length > 0 && splits.every(({ offset, end }) => offset === end)
  }

  /** Fetches what these ask of files and snapshots. */
  async ask(expectations: readonly Expectation[], places: Places): Promise<void> {
    this.answers = await liveAnswers(expectations, this.cluster, this.document, places)
  }

  filesBelow(name: string): { readonly files: number; readonly bytes: number } | null {
    return this.answers.files.get(name) ?? null
  }

  verdict(start: ScenarioStart): LiveVerdict | null {
    return this.answers.verdicts.get(start) ?? null
  }

  exactlyOnce(): string | null {
    if (this.graph === null) return 'there is no job'
    const job = { document: this.document, graph: this.graph, topics: this.topics }
    const result = straightResult(job, this.readOffsets())
    const state = this.status === 'RUNNING' ? stateDifference(result, (uid) => this.keyedState(uid)) : null
    return state ?? sinkDifference(job, result, (uid) => this.sink(uid))
  }

  private readOffsets(): SourceOffsets {
    const offsets = new Map<string, Map<number, number>>()
    for (const { uid, splits } of this.reports.flatMap(({ operators }) => operators)) {
      if (splits === null) continue
      const own = offsets.get(uid) ?? new Map<number, number>()
      for (const { partition, offset } of splits) own.set(partition, offset)
      offsets.set(uid, own)
    }
    return offsets
  }

  private operators(): JobGraph['vertices'][number]['chain'][number][] {
    return this.graph?.vertices.flatMap((vertex) => vertex.chain) ?? []
  }
}
