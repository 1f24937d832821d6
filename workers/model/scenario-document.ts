import type { CheckpointFailureReason, SavepointFormat } from './checkpoint.ts'
import type { EventType } from './events.ts'
import type { JobStatus } from './execution.ts'
import type { JobDocument } from './job-document.ts'
import type { ClaimMode } from './restore.ts'
import type { Scalar } from './schema.ts'

/**
 * The scenario document `weir/scenario@1`: a job, what is done to it, and what must come of it. One file is a lesson, a test, a bug report
 * and a link. Its JSON Schema is `public/schema/scenario.schema.json`; `scenario-parser.ts` reads it with errors that name the place.
 */
export interface ScenarioDocument {
  readonly weir: 'scenario@1'
  readonly name: string
  readonly description?: string
  /** A job document, or the name of a built-in job. */
  readonly job: JobDocument | string
  readonly seed?: number
  /** Of the simulated cluster alone: how long a task takes from its deployment to its first input (default 1 ms to 2 ms). */
  readonly latencies?: { readonly taskStart?: string }
  readonly steps: readonly ScenarioStep[]
  readonly expect: readonly Expectation[]
}

/** Exactly one of these, and for those by hand `fails`: the step must fail, with these words in what it is told. A wait that is not over within `timeout` (engine time, default "10 min") fails the run. */
export type ScenarioStep =
  | { readonly wait: Condition; readonly timeout?: string }
  /** `after`, on a simulated cluster alone: the steps go on, and the fault comes right behind the first such event (without a uid) from now on. */
  | { readonly inject: Fault; readonly after?: EventPattern }
  /**
   * A savepoint goes below `/savepoints`, canonical unless `format` says otherwise. `as` names the snapshot for later steps and expectations; the
   * step ends when it is complete, and fails with its reason (without `as` it is only asked for).
   */
  | { readonly trigger: 'checkpoint' | 'savepoint'; readonly format?: SavepointFormat; readonly directory?: string; readonly as?: string; readonly fails?: string }
  /** Stop with savepoint (behaviour 13.2); ends when the job has FINISHED. */
  | { readonly stop: { readonly drain?: boolean; readonly format?: SavepointFormat; readonly directory?: string }; readonly as?: string; readonly fails?: string }
  /** The next job, once the one before has ended: the same document, or another; from nothing, or from a snapshot. */
  | { readonly start: ScenarioStart; readonly fails?: string }
  /** `path` is a path, or the name that `as` gave. */
  | { readonly dispose: string; readonly fails?: string }
  | { readonly files: { readonly copy?: readonly [string, string]; readonly move?: readonly [string, string]; readonly delete?: string } }
  /** Judged now, and reported with those of the end; one that fails does not end the steps. */
  | { readonly check: readonly Expectation[] }
  | { readonly cancel: true }
  /** Ignored on the simulator. */
  | { readonly pace: number | 'story' }

export interface ScenarioStart {
  /** Whole document, or absent: the one before. */
  readonly job?: JobDocument
  /** RFC 7386 merge patch on the document before, `operators` by uid: `{ "operators": { "count": { "parallelism": 3 }, "old": null } }`. */
  readonly change?: Readonly<Record<string, unknown>>
  /** A path, the name that `as` gave, or `latest`: the newest retained checkpoint of the job before. Absent: from nothing. */
  readonly from?: string
  readonly allowNonRestoredState?: boolean
  readonly claimMode?: ClaimMode
  readonly seed?: number
}

/** True at the moment when it is asked, apart from `event`, which looks at events since the last step was done. */
export type Condition =
  | { readonly event: EventPattern }
  /** Engine time from the start of the run. */
  | { readonly time: string }
  /** Engine time from when the wait began. */
  | { readonly for: string }
  | { readonly job: JobStatus }
  /** At least so many checkpoints have completed in all. */
  | { readonly completed: number }
  /** Every task is RUNNING (or FINISHED). */
  | { readonly tasks: 'RUNNING' }
  /** At least so many rows are in the sink. */
  | { readonly sink: { readonly uid: string; readonly isolation?: Isolation; readonly atLeast: number } }
  /** Every source of the job has read all that its topics hold. */
  | { readonly sources: 'idle' }

export type Isolation = 'committed' | 'uncommitted'

/** Matches an event whose body has these fields with these values. `count`: the n-th such event (default the first). */
export interface EventPattern {
  readonly type: EventType
  /** Operator uid instead of the vertex's id. */
  readonly uid?: string
  readonly count?: number
  readonly where?: Readonly<Record<string, Scalar | null>>
  /** One of its texts (a message, a cause, a path) has these words in it. */
  readonly contains?: string
}

/** What can be broken. The same shapes go to `weir.inject` and into a simulator's fault plan. */
export type Fault =
  | { readonly kind: 'kill-subtask'; readonly uid: string; readonly subtask: number }
  /** By position among the live ones, from 0. */
  | { readonly kind: 'kill-task-manager'; readonly index: number }
  | { readonly kind: 'kill-job-manager' }
  /** The next `count` writes fail with that reason (default 1). */
  | { readonly kind: 'fail-storage'; readonly reason: 'QUOTA_EXCEEDED' | 'UNAVAILABLE' | 'ABORTED'; readonly count?: number }
  /** The next write is carried out or not, and its answer is lost. */
  | { readonly kind: 'lose-storage-reply'; readonly applied: boolean }
  /** Storage answers nothing for so long (engine time); what was asked is answered afterwards. */
  | { readonly kind: 'stall-storage'; readonly for: string }
  /** The outside world refuses everything for so long (engine time). */
  | { readonly kind: 'outside-outage'; readonly for: string }
  /** Everything between the two operators takes so much longer on its way, in order, until their tasks restart; "0 ms": not any more. */
  | { readonly kind: 'slow-channel'; readonly from: string; readonly to: string; readonly by: string }
  /** Each channel between the two operators takes only so many bytes (Flink's encoding) per second of engine time from now on, also after a restart; null: as many as come. */
  | { readonly kind: 'limit-channel'; readonly from: string; readonly to: string; readonly rate: string | null }
  /** A record costs so much engine time in that operator from now on, also after a restart. */
  | { readonly kind: 'set-cost'; readonly uid: string; readonly cost: string }
  /** A generator draws its keys so unevenly from its next record on, also after a restart: key k has weight 1 / (k + 1)^skew, 0 = evenly. */
  | { readonly kind: 'set-skew'; readonly uid: string; readonly skew: number }
  | SimulatorFault

/** As far as the parameter of the generator goes. */
export const SKEW_MAX = 5

/** What only a simulated cluster can be made to do. */
export type SimulatorFault =
  /** The acknowledgements of that checkpoint (of the task that holds `uid`, or of all) arrive so much later; others overtake them. */
  | { readonly kind: 'delay-acks'; readonly checkpoint: number; readonly uid?: string; readonly for: string }
  /** The completion notice of that checkpoint never reaches the task that holds `uid`, or any task: such messages are sent once, and nobody waits for an answer. */
  | { readonly kind: 'lose-completion-notice'; readonly checkpoint: number; readonly uid?: string }
  /** The JobManager lives, but leads no more; another one is elected after so long. */
  | { readonly kind: 'lose-leadership'; readonly for: string }

/** `always` holds on live workers too; `simulator` (times, order, exact ids) is compared on the simulator only (DESIGN 8, 22). */
export type ExpectationClass = 'always' | 'simulator'

export type Expectation = { readonly name?: string; readonly class?: ExpectationClass } & ExpectationBody

export type ExpectationBody =
  /** Checkpoint `checkpoint`, or the latest or any one with that status. */
  | { readonly checkpoint: number | 'latest' | 'any'; readonly status: 'COMPLETED' | 'FAILED' | 'IN_PROGRESS'; readonly reason?: CheckpointFailureReason }
  | { readonly completed: { readonly atLeast?: number; readonly atMost?: number } }
  | { readonly job: JobStatus }
  /** Every status the job has had, in order. */
  | { readonly jobStates: readonly JobStatus[] }
  /** Files below a path, or below the name that `as` gave. */
  | { readonly files: { readonly below: string; readonly atLeast?: number; readonly atMost?: number; readonly bytesAtLeast?: number; readonly bytesAtMost?: number } }
  /** The cause that the job's end, or the last failed request, was told with. */
  | { readonly failure: { readonly contains: string } }
  /** What the engine's verdict says of starting the document, changed so, from a snapshot; `contains`: in its refusal, its notes, or what it says of an operator or a state. */
  | { readonly verdict: ScenarioStart & { readonly accepted: boolean; readonly contains?: string } }
  /** The id that the last restore took; null: it started empty. */
  | { readonly restored: number | 'latest-completed' | null }
  | { readonly restarts: { readonly atLeast?: number; readonly atMost?: number } }
  /** A key's value (fields by position), or the number of keys. */
  | { readonly state: { readonly uid: string; readonly key: Scalar | readonly Scalar[]; readonly value: Scalar | readonly Scalar[] | null } }
  | { readonly keys: { readonly uid: string; readonly count: number } }
  | { readonly elements: ElementsExpectation }
  | { readonly sizes: SizesExpectation }
  | { readonly sink: SinkExpectation }
  | { readonly figures: FiguresExpectation }
  | { readonly events: { readonly pattern: EventPattern; readonly atLeast?: number; readonly atMost?: number } }
  /** These events happened, each behind the one before it in the log: a count is counted from there on. */
  | { readonly order: readonly EventPattern[] }
  /** Engine time between two events; a bound each way. */
  | { readonly duration: { readonly from: EventPattern; readonly to: EventPattern; readonly atLeast?: string; readonly atMost?: string } }
  /** State and committed output equal those of a run without failures, as far as the sources have read (asked when the job is quiet). */
  | { readonly exactlyOnce: true }

/** What the subtasks told with their acknowledgements (behaviour 7.1): all of them, or one. */
export interface FiguresExpectation {
  readonly checkpoint: number | 'latest-completed'
  readonly uid: string
  readonly subtask?: number
  readonly startDelay?: DurationBounds
  readonly alignment?: DurationBounds
  readonly syncDuration?: DurationBounds
  readonly asyncDuration?: DurationBounds
  /** In-flight bytes. */
  readonly persisted?: { readonly atLeast?: number; readonly atMost?: number }
  readonly processed?: { readonly atLeast?: number; readonly atMost?: number }
  /** In-flight bytes of all of them together. */
  readonly persistedInAll?: { readonly atLeast?: number; readonly atMost?: number }
}

/** How much state the subtasks of an operator wrote: list elements and entries of broadcast state, keys, transactions (behaviour 11.3). */
export interface ElementsExpectation {
  readonly checkpoint: number | 'latest-completed'
  readonly uid: string
  readonly kind: 'operator' | 'keyed' | 'transactions'
  /** Of all subtasks together. */
  readonly count?: number
  /** Of each subtask, from 0. */
  readonly bySubtask?: readonly number[]
}

/** Bytes of a completed checkpoint or savepoint: what it wrote itself, and all of the state it names (behaviour 7.1). */
export interface SizesExpectation {
  readonly checkpoint: number | 'latest-completed'
  readonly checkpointed?: { readonly atLeast?: number; readonly atMost?: number }
  readonly state?: { readonly atLeast?: number; readonly atMost?: number }
  /** Nothing of it was written by an earlier checkpoint. */
  readonly equal?: boolean
}

export interface DurationBounds {
  readonly atLeast?: string
  readonly atMost?: string
}

export interface SinkExpectation {
  readonly uid: string
  readonly isolation?: Isolation
  readonly rows?: number
  readonly atLeast?: number
  readonly atMost?: number
  /** Compared as a multiset, unless `ordered`. */
  readonly content?: readonly (Scalar | readonly Scalar[])[]
  readonly ordered?: boolean
}

/** What `npm run scenario --json` prints and `weir.run` resolves to. */
export interface ScenarioReport {
  readonly scenario: string
  readonly host: 'simulator' | 'live'
  readonly seed: number
  /** Of the event log; null for a live run. */
  readonly runHash: string | null
  readonly ok: boolean
  readonly endedAtMicros: number
  readonly steps: readonly { readonly step: string; readonly ok: boolean; readonly atMicros: number; readonly message?: string }[]
  readonly expectations: readonly ExpectationOutcome[]
}

export interface ExpectationOutcome {
  readonly expectation: string
  readonly class: ExpectationClass
  readonly outcome: 'met' | 'failed' | 'not compared'
  readonly expected: string
  readonly actual: string
}
