/**
 * The JobManager machine: takes inputs and the engine time, answers with effects. Flink: Dispatcher, ResourceManager's view of TaskManagers
 * and JobMaster in one, since a cluster here runs one job at a time.
 */
import { must } from '../base/assert.ts'
import { manualRequest } from '../coordinator/checkpoint-request.ts'
import type { RequestByHand } from '../model/events.ts'
import type { CheckpointId, FencingToken, JobId, TaskManagerId } from '../model/ids.ts'
import type { JobStatus } from '../model/execution.ts'
import type { JobDocument } from '../model/job-document.ts'
import type { JobGraph } from '../model/job-graph.ts'
import type { SavepointRestoreSettings } from '../model/restore.ts'
import type { StorageReply } from '../model/storage.ts'
import type { EngineTime } from '../model/time.ts'
import type { ExecutionView } from './execution-view.ts'
import { checkpointsFile, counterFile, jobGraphFile } from './high-availability/ha-files.ts'
import { JobRecovery } from './high-availability/job-recovery.ts'
import type { RecoveredJob, RecoveryOutcome } from './high-availability/job-recovery.ts'
import { JobMaster } from './job-master.ts'
import type { JobManagerOptions } from './job-manager-options.ts'
import { JobStatusMachine } from './job-status-machine.ts'
import type { JobManagerInput, JobManagerOut } from './jobmaster-io.ts'
import { MachineContext } from './machine-context.ts'
import { RestoreLoading } from './restore-loading.ts'
import type { LoadOutcome } from './restore-loading.ts'
import { answerRest } from './rest/answer-rest.ts'
import type { RestAnswer, RestRequest } from './rest/rest-types.ts'
import { SavepointDisposal } from './savepoint-disposal.ts'
import { SlotPool } from './slot-pool.ts'

/** Ended jobs that REST still knows. */
const MAX_ARCHIVED_JOBS = 5

type Submission = Extract<JobManagerInput, { readonly type: 'submit' }>

export class JobManager {
  /** Ended jobs, newest first. */
  readonly archive: JobMaster[] = []
  readonly slots = new SlotPool()
  private readonly options: JobManagerOptions
  private readonly context = new MachineContext()
  readonly disposal = new SavepointDisposal(this.context)
  private leaderToken: FencingToken | null = null
  private recovery: JobRecovery | null = null
  private current: JobMaster | null = null
  /** Came before the recovery had ended. */
  private waiting: Submission | null = null
  private traced = false
  /** A job whose snapshot is being read. */
  private starting: { readonly job: JobId; readonly settings: SavepointRestoreSettings; readonly loading: RestoreLoading } | null = null

  constructor(options: JobManagerOptions) {
    this.options = options
  }

  /** Takes one input. Every effect of it has been called on `out` when this returns. */
  handle(input: JobManagerInput, now: EngineTime, out: JobManagerOut): void {
    this.context.enter(now, out)
    try {
      this.dispatch(input)
      if (this.current !== null && !this.current.isEnded) this.current.advance()
    } finally {
      this.context.leave()
    }
  }

  /** Answers as Flink's REST API; changes nothing by itself (see `RestAnswer.input`). */
  rest(request: RestRequest, now: EngineTime): RestAnswer {
    return answerRest(this, request, now)
  }

  /** The job that runs, or ran last. */
  get job(): JobMaster | null {
    return this.current
  }

  get jobId(): JobId | null {
    return this.current?.job ?? null
  }

  /** Null: no job yet. */
  get status(): JobStatus | null {
    return this.current?.status.status ?? null
  }

  /** Null: not the leader. */
  get token(): FencingToken | null {
    return this.leaderToken
  }

  get graph(): JobGraph | null {
    return this.current?.graph ?? null
  }

  /** As submitted, or as an earlier leader stored it. */
  get document(): JobDocument | null {
    return this.current?.document ?? null
  }

  get seed(): number | null {
    return this.current?.seed ?? null
  }

  get latestCompletedCheckpoint(): CheckpointId | null {
    return this.current?.coordinator.store.latest?.checkpointId ?? null
  }

  /** The current execution of every subtask, in order of vertex and subtask. */
  get executions(): readonly ExecutionView[] {
    return this.current?.executionGraph.executions ?? []
  }

  private dispatch(input: JobManagerInput): void {
    switch (input.type) {
      case 'grant-leadership':
        this.grantLeadership(input.token)
        break
      case 'revoke-leadership':
        this.revokeLeadership('Leadership was lost.')
        break
      case 'submit':
        if (this.leaderToken === null || this.recovery !== null) this.waiting = input
        else this.submit(input, this.leaderToken)
        break
      case 'cancel':
        this.current?.cancel()
        break
      case 'trigger-checkpoint':
        this.current?.coordinator.request(manualRequest(this.context.now, input.checkpointType, input.triggerId))
        break
      case 'trigger-savepoint':
        if (input.cancelJob === true) this.live?.savepoints.begin(input, 'CANCEL')
        else this.live?.savepoints.trigger(input)
        if (this.live === null) this.refuseRequest(input.triggerId, 'savepoint')
        break
      case 'stop-with-savepoint':
        this.live?.savepoints.begin(input, input.drain ? 'TERMINATE' : 'SUSPEND')
        if (this.live === null) this.refuseRequest(input.triggerId, 'stop-with-savepoint')
        break
      case 'dispose-savepoint':
        this.disposal.begin(input.triggerId, input.path)
        break
      case 'task-manager-registered':
        this.slots.register(input.taskManager, input.slots)
        this.context.event({ type: 'TaskManagerRegistered', taskManager: input.taskManager, slots: input.slots })
        this.current?.onTaskManagerRegistered()
        break
      case 'task-manager-lost':
        this.loseTaskManager(input.taskManager, input.cause)
        break
      case 'task-lost':
        this.live?.onTaskLost(input.attempt, input.cause)
        break
      case 'task-message':
        this.live?.onTaskMessage(input.message)
        break
      case 'task-report':
        this.current?.onTaskReport(input.report)
        break
      case 'storage-reply':
        this.onStorage(input.reply)
        break
      case 'timer':
        this.live?.onTimer(input.timer)
        break
      case 'change-settings':
        this.live?.changeSettings(input.change)
        break
      case 'set-traced':
        this.traced = input.traced
        this.live?.setTraced(input.traced)
    }
  }

  /** There is no job that runs. */
  private refuseRequest(triggerId: string, request: RequestByHand): void {
    const master = this.current
    if (master === null) this.context.event({ type: 'RequestFailed', request, message: 'There is no job.' })
    else master.savepoints.refuse(triggerId, request, `Job ${master.job} is ${master.status.status}.`)
  }

  private get live(): JobMaster | null {
    return this.current === null || this.current.isEnded ? null : this.current
  }

  private grantLeadership(token: FencingToken): void {
    if (this.leaderToken !== null && token <= this.leaderToken) return
    this.live?.suspend('Another leader was granted the job.')
    this.context.forgetRequests()
    this.disposal.forget()
    this.leaderToken = token
    this.recovery = new JobRecovery(this.context, this.options)
    this.recovery.begin()
  }

  private onStorage(reply: StorageReply): void {
    const step = this.context.take(reply.requestId)
    if (step === null) return
    if (!reply.result.ok && reply.result.reason === 'FENCED') {
      this.revokeLeadership('Leadership was lost: storage refused an old fencing token.')
      return
    }
    switch (step.owner) {
      case 'coordinator':
        if (this.current?.job === step.job) this.current.onStorage(step.step, reply.result)
        break
      case 'recovery':
        if (this.recovery !== null) this.onRecovery(this.recovery.onStorage(step.step, reply.result))
        break
      case 'submission':
        this.onSubmissionStored(step.job, reply.result.ok ? null : reply.result.message)
        break
      case 'restore':
        if (this.starting?.job === step.job) this.onLoaded(step.job, this.starting.loading.onStorage(reply.result))
        break
      case 'disposal':
        this.disposal.onStorage(step.triggerId, reply.result)
        break
      case 'nobody':
        break
    }
  }

  /** This one must not do anything any more. */
  private revokeLeadership(cause: string): void {
    this.live?.suspend(cause)
    this.context.forgetRequests()
    this.disposal.forget()
    this.leaderToken = null
    this.recovery = null
  }

  // ── recovery of the job that an earlier leader left

  private onRecovery(outcome: RecoveryOutcome): void {
    if (outcome.type === 'under-way' || this.leaderToken === null) return
    this.recovery = null
    const recoveredJob = outcome.type === 'recovered' ? outcome.job.job : null
    this.context.event({ type: 'LeadershipGranted', token: this.leaderToken, recoveredJob })
    if (outcome.type === 'recovered') this.resume(outcome.job, this.leaderToken)
    if (outcome.type === 'failed' && outcome.job !== null) {
      this.context.event(new JobStatusMachine(outcome.job, this.context.now).to('SUSPENDED', this.context.now, outcome.message))
    }
    const { waiting } = this
    this.waiting = null
    if (waiting !== null) this.submit(waiting, this.leaderToken)
  }

  private resume(recovered: RecoveredJob, token: FencingToken): void {
    const { document, seed } = recovered.stored
    const { graph } = this.options.compileJob(document)
    if (graph === null) return
    for (const unreadable of recovered.unreadable) this.context.event({ type: 'StoredCheckpointUnreadable', ...unreadable })
    this.enthrone(this.createMaster({ type: 'submit', job: recovered.job, document, seed }, graph, token, recovered))
    this.current?.start()
  }

  // ── submission

  private submit(submission: Submission, token: FencingToken): void {
    const { job, document } = submission
    this.context.event({ type: 'JobSubmitted', job, name: document.name })
    if (this.live !== null) {
      this.refuse(job, `Job ${this.live.job} is ${this.live.status.status}: cancel it first.`)
      return
    }
    const { graph, problems } = this.options.compileJob(document)
    if (graph === null) {
      this.refuse(job, problems.map((problem) => `${problem.path}: ${problem.message} ${problem.cure}`).join('\n'))
      return
    }
    this.enthrone(this.createMaster(submission, graph, token, null))
    const restore = submission.restore ?? graph.settings.recovery.restore
    this.starting = restore === null ? null : { job, settings: restore, loading: new RestoreLoading(this.context, job, restore.path) }
    if (this.starting === null) this.store(job)
    else this.onLoaded(job, this.starting.loading.begin())
  }

  /** The snapshot has been read, or cannot be: then the job fails and nothing has been touched. */
  private onLoaded(job: JobId, outcome: LoadOutcome): void {
    const { starting, current: master } = this
    if (outcome.type === 'under-way' || starting?.job !== job) return
    this.starting = null
    if (master?.job !== job || master.status.status !== 'INITIALIZING') return
    const problem = outcome.type === 'failed' ? outcome.message : master.adopt(outcome.snapshot, starting.settings)
    if (problem === null) this.store(job)
    else master.failInitialisation(problem)
  }

  /** The job, and the snapshot that it starts from, in the high-availability store. */
  private store(job: JobId): void {
    const master = must(this.current, 'the job that is submitted')
    if (!master.haEnabled) {
      master.start()
      return
    }
    const { document, seed, coordinator } = master
    const retained = coordinator.store.all
    const writes = [jobGraphFile(job, { document, seed }), counterFile(job, { nextCheckpointId: coordinator.nextCheckpointId, nextAttempt: 0 })]
    if (retained.length > 0) writes.push(checkpointsFile(job, retained))
    this.context.storage({ type: 'transact', writes, deletes: [], durability: 'strict' }, { owner: 'submission', job })
  }

  /** The job starts once it would survive this JobManager. */
  private onSubmissionStored(job: JobId, problem: string | null): void {
    const master = this.current
    if (master?.job !== job || master.status.status !== 'INITIALIZING') return
    if (problem === null) master.start()
    else master.failInitialisation(`The job could not be stored for high availability: ${problem}`)
  }

  /** What was there stays as it was. */
  private refuse(job: JobId, cause: string): void {
    this.context.event(new JobStatusMachine(job, this.context.now).to('FAILED', this.context.now, cause))
  }

  private createMaster(submission: Submission, graph: JobGraph, token: FencingToken, recovered: RecoveredJob | null): JobMaster {
    const { job, document, seed } = submission
    const { context, slots, traced, options: machine } = this
    return new JobMaster({ machine, context, slots, job, document, seed, graph, token, traced, recovered })
  }

  private enthrone(master: JobMaster): void {
    if (this.current !== null) this.archive.unshift(this.current)
    if (this.archive.length > MAX_ARCHIVED_JOBS) this.archive.pop()
    this.current = master
  }

  private loseTaskManager(taskManager: TaskManagerId, cause: string): void {
    if (!this.slots.remove(taskManager)) return
    this.context.event({ type: 'TaskManagerLost', taskManager, cause })
    this.current?.onTaskManagerLost(taskManager)
  }
}
