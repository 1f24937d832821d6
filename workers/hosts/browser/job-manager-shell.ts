/**
 * Puts the JobManager machine into a worker: TaskManager ports, storage and the page to inputs, effects to them. A trigger that the story
 * wants to be seen waits until every host has acknowledged the slow stretch that was laid out for it, but never longer than a moment.
 */
import { expose } from 'comlink'
import type { TaskManagerId } from '../../model/ids.ts'
import type { EngineTime } from '../../model/time.ts'
import { JobManager } from '../../jobmaster/job-manager.ts'
import type { JobManagerOptions } from '../../jobmaster/job-manager-options.ts'
import type { JobManagerInput } from '../../jobmaster/jobmaster-io.ts'
import { Agenda } from './agenda.ts'
import { JobManagerEffects } from './job-manager-effects.ts'
import type { FromJobManager, TaskManagerToJobManager, ToJobManager } from './messages.ts'
import { PacedClock } from './paced-clock.ts'
import type { JobManagerSurface } from './requests.ts'
import { WakeUp } from './wake-up.ts'

const HOLD_AT_MOST_MS = 1500
const DEADLINE_CHECK_MS = 5000

type Start = Extract<ToJobManager, { readonly type: 'start' }>

interface Running {
  readonly machine: JobManager
  readonly clock: PacedClock
  readonly effects: JobManagerEffects
  readonly wakeUp: WakeUp
}

export class JobManagerShell {
  private readonly post: (message: FromJobManager) => void
  private readonly options: (clusterSeed: number) => JobManagerOptions
  private running: Running | null = null
  /** Losses that have happened and are not yet known. */
  private readonly unnoticed = new Agenda<JobManagerInput>()
  private holdTriggers = false
  private toldJob = ''
  private heldSince: number | null = null
  private releasedTrigger: EngineTime = -1

  constructor(post: (message: FromJobManager) => void, options: (clusterSeed: number) => JobManagerOptions) {
    this.post = post
    this.options = options
  }

  onMessage(message: ToJobManager): void {
    switch (message.type) {
      case 'start':
        this.start(message)
        break
      case 'task-manager':
        this.connect(message.taskManager, message.port)
        break
      case 'task-manager-lost':
        this.running?.effects.taskManagers.delete(message.taskManager)
        this.unnoticed.add(message.due, { type: 'task-manager-lost', taskManager: message.taskManager, cause: message.cause })
        this.running?.wakeUp.soon()
        break
      case 'hold-triggers':
        this.holdTriggers = message.hold
        this.running?.wakeUp.soon()
        break
      case 'trigger-may-go':
        this.releasedTrigger = Math.max(this.releasedTrigger, message.nextAt)
        this.running?.wakeUp.soon()
        break
      case 'pace':
        this.running?.clock.apply(message.schedule)
        this.post({ type: 'pace-applied', epoch: message.schedule.epoch })
        this.running?.wakeUp.soon()
        break
      case 'ping':
        this.post({ type: 'alive', ping: message.ping })
        break
    }
  }

  private start(message: Start): void {
    const clock = new PacedClock(message.schedule)
    const machine = new JobManager(this.options(message.clusterSeed))
    const effects = new JobManagerEffects(message.storage, message.observer, {
      now: () => clock.now(),
      jobId: () => machine.jobId,
      token: message.token,
      post: this.post,
      input: (input) => this.handle(input),
    })
    this.running = { machine, clock, effects, wakeUp: new WakeUp(clock, () => this.turn()) }
    setInterval(() => this.running?.wakeUp.soon(), DEADLINE_CHECK_MS)
    expose(this.surface(this.running), message.surface)
    this.handle({ type: 'grant-leadership', token: message.token })
  }

  private connect(taskManager: TaskManagerId, port: MessagePort): void {
    this.running?.effects.taskManagers.set(taskManager, port)
    port.onmessage = (event: MessageEvent<TaskManagerToJobManager>) => {
      const message = event.data
      switch (message.type) {
        case 'register':
          this.handle({ type: 'task-manager-registered', taskManager, slots: message.slots })
          break
        case 'task-message':
          this.handle(message)
          break
        case 'task-lost':
          this.unnoticed.add(message.due, { type: 'task-lost', attempt: message.attempt, cause: message.cause })
          this.running?.wakeUp.soon()
          break
      }
    }
  }

  private handle(input: JobManagerInput): void {
    const running = this.running
    if (running === null) return
    running.machine.handle(input, running.clock.now(), running.effects)
    this.tellJob(running.machine)
    running.effects.flush()
    running.wakeUp.soon()
  }

  private tellJob({ jobId, status, graph }: JobManager): void {
    const known = `${jobId ?? ''} ${status ?? ''} ${graph === null}`
    if (known === this.toldJob) return
    this.toldJob = known
    const job = jobId === null || status === null ? null : { id: jobId, name: graph?.name ?? '', status, settings: graph?.settings ?? null }
    this.post({ type: 'job', job })
  }

  private turn(): void {
    const running = this.running
    if (running === null) return
    const { clock, effects, wakeUp } = running
    effects.expireRequests()
    if (clock.isPaused) return
    const now = clock.now()
    if (this.unnoticed.nextDue <= now) {
      const lost = this.unnoticed.pop()
      if (lost !== undefined) this.handle(lost)
      return
    }
    const due = effects.timers.nextDue
    if (due > now) {
      wakeUp.at(Math.min(due, this.unnoticed.nextDue))
      return
    }
    if (this.isHeld(running, due)) {
      setTimeout(() => wakeUp.soon(), HOLD_AT_MOST_MS)
      return
    }
    this.heldSince = null
    const timer = effects.timers.pop()
    if (timer !== undefined) this.handle({ type: 'timer', timer: timer.timer })
  }

  private isHeld({ effects }: Running, due: EngineTime): boolean {
    const next = effects.announcedTrigger
    if (!this.holdTriggers || next === null || due < next || this.releasedTrigger >= next) return false
    this.heldSince ??= performance.now()
    return performance.now() - this.heldSince < HOLD_AT_MOST_MS
  }

  private surface({ machine, clock }: Running): JobManagerSurface {
    return {
      compile: (document) => this.options(0).compileJob(document),
      submit: (job, document, seed, restore = null) => this.handle({ type: 'submit', job, document, seed, restore }),
      cancel: () => this.handle({ type: 'cancel' }),
      triggerCheckpoint: (triggerId) => this.handle({ type: 'trigger-checkpoint', triggerId, checkpointType: 'CONFIGURED' }),
      changeSettings: (change) => this.handle({ type: 'change-settings', change }),
      setTraced: (traced) => this.handle({ type: 'set-traced', traced }),
      rest: (call) => {
        for (const report of call.reports ?? []) this.handle({ type: 'task-report', report })
        const { status, body, input } = machine.rest(call, clock.now())
        if (input !== undefined) this.handle(input)
        return { status, body }
      },
      view: () => ({
        token: machine.token,
        job: machine.jobId,
        status: machine.status,
        graph: machine.graph,
        executions: machine.executions,
      }),
    }
  }
}
