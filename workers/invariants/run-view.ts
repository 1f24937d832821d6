/** What a scenario may ask of a run, wherever it runs: the simulator and the live cluster both give this. */
import type { EngineEvent } from '../model/events.ts'
import type { JobStatus } from '../model/execution.ts'
import type { SinkView } from '../model/outside.ts'
import type { RestoreVerdict } from '../model/restore-verdict.ts'
import type { ScenarioStart } from '../model/scenario-document.ts'
import type { EngineTime } from '../model/time.ts'

export interface RunView {
  readonly host: 'simulator' | 'live'
  readonly now: EngineTime
  /** In order of arrival. */
  readonly events: readonly EngineEvent[]
  readonly status: JobStatus | null
  /** Of the operator's vertex: the id of the vertex whose chain holds it; null if there is none. */
  vertexOf(uid: string): string | null
  /** Murmur3 of the uid, as events name operators. */
  operatorIdOf(uid: string): string
  /** JSON of the key → JSON of the value; null where the operator is not there or keeps none. */
  keyedState(uid: string): ReadonlyMap<string, string> | null
  sink(uid: string): SinkView
  /** Every source has read all that its topics hold. */
  sourcesIdle(): boolean
  /** Files below a path, or below the snapshot that a step gave that name; null where the run is not asked. */
  filesBelow(name: string): { readonly files: number; readonly bytes: number } | null
  /** What the engine says of such a start; null where the run is not asked. */
  verdict(start: ScenarioStart): Omit<RestoreVerdict, 'refusedAt'> | null
  /** Null: all exact; else what differs. */
  exactlyOnce(): string | null
}
