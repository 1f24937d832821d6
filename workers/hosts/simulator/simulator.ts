/**
 * The simulator: a whole cluster (JobManager, TaskManagers, tasks, storage, outside world) in one thread on one event queue. The machines are
 * those of the browser host; time is virtual; order and latencies come from a seed; so a run replays bit for bit, and can be copied in the middle
 * and gone on with twice. Product code: rewind, fork and compare run on it as well as tests.
 */
import { cloneGraph } from '../../base/clone.ts'
import { deriveSeed } from '../../base/prng.ts'
import type { BarrierHandlerFactory } from '../../checkpointing/barrier-handler.ts'
import { eventCheckers } from '../../invariants/event-checkers.ts'
import { Watch } from '../../invariants/checker.ts'
import type { OperationResult } from '../../coordinator/operations.ts'
import type { SavepointFormat } from '../../model/checkpoint.ts'
import type { EngineEvent } from '../../model/events.ts'
import { jobId, type JobId } from '../../model/ids.ts'
import { isGloballyTerminal, type JobStatus } from '../../model/execution.ts'
import type { JobDocument } from '../../model/job-document.ts'
import type { JobGraph } from '../../model/job-graph.ts'
import type { SinkView, TopicContent } from '../../model/outside.ts'
import type { SavepointRestoreSettings } from '../../model/restore.ts'
import type { Fault } from '../../model/scenario-document.ts'
import type { FileEntry } from '../../model/storage.ts'
import type { EngineTime } from '../../model/time.ts'
import type { RestAnswer, RestRequest } from '../../jobmaster/rest/rest-types.ts'
import type { StreamTaskEnvironment } from '../../task/task-environment.ts'
import { OutsideWorld } from '../../outside/outside-world.ts'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { CheckpointInspection } from './checkpoint-inspection.ts'
import { Cluster } from './cluster.ts'
import { compileOrThrow, jobManagerOptions, taskEnvironment } from './engine-parts.ts'
import { FaultInjector, type PlannedFault } from './fault-injector.ts'
import { DEFAULT_LATENCIES, type Latencies } from './latencies.ts'
import { runHash } from './run-hash.ts'
import { SimulatedOutside } from './simulated-outside.ts'
import { SimulatedStorage } from './simulated-storage.ts'
import type { SimulatedTask } from './simulated-task.ts'
import { Submission } from './submission.ts'
import { World } from './world.ts'

export interface SimulatorOptions {
  readonly document: JobDocument
  readonly seed: number
  readonly topics: readonly TopicContent[]
  readonly latencies?: Partial<Latencies>
  readonly faults?: readonly PlannedFault[]
  /** Records are traced from the start: slower, and the checkers see every record. */
  readonly traced?: boolean
  /** Tests put a broken one here. */
  readonly createBarrierHandler?: BarrierHandlerFactory
  readonly createOperator?: StreamTaskEnvironment['createOperator']
}

export interface NextJob {
  readonly document?: JobDocument
  /** Of its generators. */
  readonly seed?: number
  readonly restore?: SavepointRestoreSettings | null
}

const jobIdOf = (seed: number, job: number): JobId => jobId(`${job.toString(16).padStart(8, '0')}${(seed >>> 0).toString(16).padStart(24, '0')}`)

/** What decides about state: neither parallelism nor options. */
const programOf = ({ operators, edges }: JobDocument): string =>
  JSON.stringify([operators.map(({ uid, type, params }) => [uid, type, params ?? {}]), edges])

/** More deliveries than this in one `runUntil` mean that the run goes round in circles. */
const STEPS_MAX = 20_000_000

export class Simulator {
  /** Of the job that was submitted last. */
  document: JobDocument
  readonly seed: number
  graph: JobGraph
  job: JobId
  /** What the job was started from; null: from nothing. */
  restore: SavepointRestoreSettings | null = null
  readonly topics: readonly TopicContent[]
  readonly world: World
  readonly cluster: Cluster
  readonly faults: FaultInjector
  readonly watch: Watch
  /** Of the job that was submitted last. */
  inspection: CheckpointInspection
  /** Jobs so far. */
  private jobs = 1
  /** State is the effect of what the sources have read: the program is the one that began with nothing. */
  private isSameProgram = true

  /** Throws `RangeError` with the first problem where the document does not compile. */
  constructor(options: SimulatorOptions) {
    const { document, seed, topics } = options
    const latencies = { ...DEFAULT_LATENCIES, ...options.latencies }
    this.document = document
    this.seed = seed
    this.topics = topics
    this.graph = compileOrThrow(document)
    this.world = new World(deriveSeed(seed, 'world'))
    this.job = jobIdOf(seed, 0)
    this.watch = new Watch(eventCheckers())
    this.world.observers.push(this.watch)
    const storage = new SimulatedStorage(this.world, new MemoryFiles())
    this.inspection = new CheckpointInspection(storage.files, { document, graph: this.graph, topics }, this.watch)
    this.world.observers.push(this.inspection)
    const outside = new SimulatedOutside(this.world, new OutsideWorld(topics))
    this.cluster = new Cluster(this.world, storage, outside, {
      environment: { ...taskEnvironment(options.createBarrierHandler), ...(options.createOperator === undefined ? {} : { createOperator: options.createOperator }) },
      jobManager: jobManagerOptions(deriveSeed(seed, 'cluster')),
      latencies,
      slotsPerTaskManager: this.graph.settings.slotsPerTaskManager,
      detectionMicros: this.graph.settings.detectionDelayMicros,
    })
    this.faults = new FaultInjector(this.world, this.cluster, options.faults ?? [])
    this.world.observers.push(this.faults)
    const submission = new Submission(this.world, this.cluster, { type: 'submit', job: this.job, document, seed })
    this.world.observers.push(submission)
    submission.start()
    if (options.traced === true) this.cluster.tellLeader({ type: 'set-traced', traced: true })
  }

  get now(): EngineTime {
    return this.world.now
  }

  get events(): readonly EngineEvent[] {
    return this.world.events
  }

  /** Null: no JobManager leads, or it has not recovered the job yet. */
  get status(): JobStatus | null {
    const machine = this.cluster.leader?.machine
    return machine?.jobId === this.job ? machine.status : null
  }

  /** The job is over: it has ended, or its JobManager is gone and the next one leads without it (no high availability). */
  get isOver(): boolean {
    const last = this.events.findLast(({ body }) => body.type === 'JobStatusChanged' || body.type === 'LeadershipGranted')?.body
    if (last?.type === 'LeadershipGranted') return last.recoveredJob === null && this.events.some(({ body }) => body.type === 'JobStatusChanged' && body.job === this.job)
    return last?.type === 'JobStatusChanged' && isGloballyTerminal(last.to)
  }

  /**
   * The next job on the same cluster, storage and outside world, once the one before is over. It may read the topics that there are. `restore`:
   * what it starts from; null or absent: as its options say. Throws `RangeError` where the document does not compile, or a job still runs.
   */
  submitNext({ document = this.document, seed = this.seed, restore = null }: NextJob = {}): JobId {
    if (!this.isOver) throw new RangeError(`job ${this.job} has not ended: cancel it first`)
    const graph = compileOrThrow(document)
    const from = restore ?? graph.settings.recovery.restore
    this.isSameProgram = from === null || (this.isSameProgram && programOf(document) === programOf(this.document))
    this.document = document
    this.graph = graph
    this.job = jobIdOf(this.seed, this.jobs++)
    this.restore = from
    const { world, cluster, watch, topics } = this
    cluster.resize(graph.settings.slotsPerTaskManager)
    const inspection = new CheckpointInspection(cluster.storage.files, { document, graph, topics }, watch, this.isSameProgram)
    world.observers.splice(world.observers.indexOf(this.inspection), 1, inspection)
    this.inspection = inspection
    const submission = new Submission(world, cluster, { type: 'submit', job: this.job, document, seed, restore })
    world.observers.push(submission)
    submission.start()
    return this.job
  }

  /** Delivers the next message; false when nothing is left to happen. */
  step(): boolean {
    return this.world.step()
  }

  /** Runs until `done` says so after a step: true; or until virtual time `limit`, or until nothing is left: false. */
  runUntil(done: (simulator: this) => boolean, limit: EngineTime): boolean {
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      if (done(this)) return true
      const next = this.world.nextAt
      if (next === null || next > limit) {
        this.world.advanceTo(limit)
        return done(this)
      }
      this.world.step()
    }
    throw new RangeError(`no end after ${STEPS_MAX} steps`)
  }

  /** Runs everything that happens up to virtual time `time`. */
  runTo(time: EngineTime): void {
    this.runUntil(() => false, time)
  }

  /** Runs until an event matches that came after the call; null if none did before `limit`. */
  runUntilEvent(matches: (event: EngineEvent) => boolean, limit: EngineTime): EngineEvent | null {
    let seen = this.events.length
    let found: EngineEvent | null = null
    this.runUntil(() => {
      for (; seen < this.events.length && found === null; seen++) {
        const event = this.events[seen] as EngineEvent
        if (matches(event)) found = event
      }
      return found !== null
    }, limit)
    return found
  }

  inject(fault: Fault): boolean {
    return this.faults.inject(fault)
  }

  triggerCheckpoint(checkpointType: 'CONFIGURED' | 'FULL' = 'CONFIGURED'): string {
    const triggerId = this.world.random.hex(32)
    this.cluster.tellLeader({ type: 'trigger-checkpoint', triggerId, checkpointType })
    return triggerId
  }

  /** `directory` null: where the job's options say. The answer is asked for with the id (`operation`). */
  triggerSavepoint(directory: string | null, format: SavepointFormat = 'CANONICAL', cancelJob = false): string {
    const triggerId = this.world.random.hex(32)
    this.cluster.tellLeader({ type: 'trigger-savepoint', triggerId, directory, format, cancelJob })
    return triggerId
  }

  stopWithSavepoint(directory: string | null, { drain = false, format = 'CANONICAL' }: { readonly drain?: boolean; readonly format?: SavepointFormat } = {}): string {
    const triggerId = this.world.random.hex(32)
    this.cluster.tellLeader({ type: 'stop-with-savepoint', triggerId, directory, format, drain })
    return triggerId
  }

  disposeSavepoint(path: string): string {
    const triggerId = this.world.random.hex(32)
    this.cluster.tellLeader({ type: 'dispose-savepoint', triggerId, path })
    return triggerId
  }

  /** How a request by hand stands; null: the leader knows of none, be it that it has not come yet or that another leader was asked. */
  operation(triggerId: string): OperationResult | null {
    const machine = this.cluster.leader?.machine
    return machine?.job?.coordinator.operations.get(triggerId) ?? machine?.disposal.operations.get(triggerId) ?? null
  }

  cancel(): void {
    this.cluster.tellLeader({ type: 'cancel' })
  }

  /** The tasks that are alive, in order of deployment. */
  tasks(): readonly SimulatedTask[] {
    return [...this.cluster.tasks.values()].filter((task) => task.alive)
  }

  /** JSON of the key → JSON of the value, of all subtasks; null while a subtask of the operator is not there. */
  keyedState(uid: string): ReadonlyMap<string, string> | null {
    const holders = this.tasks().filter((task) => task.deployment.chain.some((operator) => operator.uid === uid))
    const parallelism = holders[0]?.deployment.parallelism ?? 0
    if (parallelism === 0 || holders.length !== parallelism) return null
    const state = new Map<string, string>()
    for (const task of holders) {
      for (const { key, value } of task.machine.keyedEntries(uid) ?? []) state.set(JSON.stringify(key), JSON.stringify(value))
    }
    return state
  }

  sink(uid: string): SinkView {
    return this.cluster.outside.machine.view(uid)
  }

  files(prefix = '/'): readonly FileEntry[] {
    return this.cluster.storage.files.entries().filter((entry) => entry.path.startsWith(prefix))
  }

  /** Flink's REST API; a call that acts is fed to the JobManager. 503 without a leader. */
  rest(request: RestRequest): RestAnswer {
    const leader = this.cluster.leader
    if (leader === null) return { status: 503, body: { errors: ['Service temporarily unavailable due to an ongoing leader election.'] } }
    for (const task of this.tasks()) leader.receive({ type: 'input', input: { type: 'task-report', report: task.machine.report(this.now) } })
    const answer = leader.machine.rest(request, this.now)
    if (answer.input !== undefined) this.cluster.tellLeader(answer.input)
    return answer
  }

  /** Equal for equal runs. */
  get runHash(): string {
    return runHash(this.events)
  }

  /** The whole world, copied: both go on exactly alike. */
  clone(): Simulator {
    return cloneGraph<Simulator>(this)
  }
}
