/**
 * Story pace: which pace the run should have, told by what has happened. Quiet stretches are hurried through, barriers and failures are slow
 * enough to be watched. Knows no clock and sets none: it answers with changes of pace at engine times.
 */
import type { EventBody } from '../../workers/model/events.ts'
import { isGloballyTerminal, isTerminalExecution } from '../../workers/model/execution.ts'
import { MICROS_PER_SECOND, type EngineTime } from '../../workers/model/time.ts'
import type { StoryPhaseName } from './cluster-types.ts'

/** What a barrier's hop over a link takes, in seconds of wall time. */
const HOP_SECONDS = 0.8
/** A quiet stretch, the first one and a later one; the first barrier comes within ten seconds of the page opening. */
const FIRST_QUIET_SECONDS = 3
const QUIET_SECONDS = 5
/** A restart takes three seconds at most: the back-off, then the tasks' start, which is wall time. */
const BACK_OFF_SECONDS = 2
const DETECTION_SECONDS = 1.2
/** A loss that was noticed and after which nothing fails: quiet again. */
const NOTHING_FAILED_MS = 4000
/** After what was to be seen has ended. */
const LINGER_MS = 1200
/** A slow stretch that lasts longer than this gets faster, step by step. */
const PATIENCE_MS = 7000
const PATIENCE_STEP_MS = 2000
const SLOWEST = 0.004
const QUIET_MIN = 0.25
const QUIET_MAX = 60
const SLOW_WITHOUT_LATENCY = 0.05

export interface StorySettings {
  readonly linkLatencyMicros: EngineTime
}

export interface StoryPlan {
  readonly phase: StoryPhaseName
  /** In ascending order, the first one from now on. */
  readonly changes: readonly { readonly engine: EngineTime; readonly pace: number }[]
  /** Wall time at which to ask again although nothing has happened; null: only after an event. */
  readonly lookAgainAt: number | null
  /** The plan covers a trigger at this time: once hosts have acknowledged it the trigger may go. */
  readonly coversTrigger: EngineTime | null
}

export class Story {
  private settings: StorySettings = { linkLatencyMicros: 0 }
  private phase: StoryPhaseName = 'still'
  private since = 0
  /** Wall time at which a lingering phase ends; null while it is going on. */
  private endsAt: number | null = null
  private until: EngineTime = 0
  /** When the loss of a host will be noticed, the latest one. */
  private noticedAt: EngineTime = 0
  private nextTrigger: EngineTime | null = null
  /** The pace towards a time is fixed when it is first laid out: the nearer it is, the slower it would get. */
  private hurry: { readonly target: EngineTime; readonly pace: number } | null = null
  private triggers = 0
  private readonly pending = new Set<number>()
  private readonly notRunning = new Set<string>()

  setJob(settings: StorySettings): void {
    this.settings = settings
  }

  /** True: the plan may be another one now. */
  onEvent(body: EventBody, now: EngineTime, wall: number): boolean {
    if (body.type === 'TaskStateChanged') return this.onTaskState(body.attempt, body.to, wall)
    return this.onJobEvent(body, now, wall) || this.onCheckpointEvent(body, wall)
  }

  private onJobEvent(body: EventBody, now: EngineTime, wall: number): boolean {
    if (body.type === 'JobStatusChanged') {
      if (isGloballyTerminal(body.to)) this.forget(wall)
      else if (body.to === 'FAILING' || body.to === 'RESTARTING') this.enter('failure', wall)
      else if (body.to === 'RUNNING') this.enter(this.phase === 'still' ? 'quiet' : 'recovery', wall)
    } else if (body.type === 'RestartScheduled') {
      this.enter('back-off', wall)
      this.until = now + body.delayMicros
    } else if (body.type === 'LeadershipGranted') {
      if (body.recoveredJob !== null) this.enter('recovery', wall)
      this.pending.clear()
      this.notRunning.clear()
    } else return false
    return true
  }

  private onCheckpointEvent(body: EventBody, wall: number): boolean {
    if (body.type === 'CheckpointScheduled') this.nextTrigger = body.nextAt
    else if (body.type === 'CheckpointTriggered') {
      this.pending.add(body.checkpointId)
      this.triggers++
      this.enter('barriers', wall)
    } else if (body.type === 'CheckpointCompleted' || body.type === 'CheckpointAborted') {
      this.pending.delete(body.checkpointId)
      if (this.pending.size === 0 && this.phase === 'barriers') this.endsAt = wall + LINGER_MS
    } else return false
    return true
  }

  /** Somebody broke something, and the cluster will notice at `noticedAt`. */
  onFault(noticedAt: EngineTime, wall: number): void {
    this.noticedAt = noticedAt
    // A back-off goes on, or it would pass at the pace of what comes after a loss.
    if (this.phase === 'back-off') return
    this.enter('detection', wall)
    this.until = noticedAt
  }

  /** A checkpoint was asked for by hand: slow down before it is triggered. */
  onManualTrigger(wall: number): void {
    if (this.phase === 'quiet') this.enter('barriers', wall)
    this.endsAt = wall + 2 * LINGER_MS
  }

  plan(now: EngineTime, wall: number): StoryPlan {
    if (this.endsAt !== null && wall >= this.endsAt) this.enter(this.pending.size > 0 ? 'barriers' : 'quiet', wall)
    switch (this.phase) {
      case 'still':
        return this.steady(now, 1)
      case 'quiet':
        return this.quiet(now)
      case 'detection':
        return this.waiting(now, wall, DETECTION_SECONDS)
      case 'back-off':
        return this.waiting(now, wall, BACK_OFF_SECONDS)
      case 'recovery':
        // Something broke during the back-off: what is restored waits for it to be noticed.
        if (this.noticedAt > now) {
          this.until = this.noticedAt
          return this.waiting(now, wall, DETECTION_SECONDS)
        }
        return this.slow(now, wall)
      case 'barriers':
      case 'failure':
        return this.slow(now, wall)
    }
  }

  /** A barrier's hop takes `HOP_SECONDS`. */
  get slowPace(): number {
    const latency = this.settings.linkLatencyMicros
    return latency === 0 ? SLOW_WITHOUT_LATENCY : Math.min(1, Math.max(SLOWEST, latency / (HOP_SECONDS * MICROS_PER_SECOND)))
  }

  private onTaskState(attempt: string, to: Parameters<typeof isTerminalExecution>[0], wall: number): boolean {
    const waited = this.notRunning.size > 0
    if (to === 'DEPLOYING' || to === 'INITIALIZING') this.notRunning.add(attempt)
    else if (to === 'RUNNING' || isTerminalExecution(to)) this.notRunning.delete(attempt)
    if (to === 'FAILED') {
      // One that fails late, during the back-off, delays nothing by itself.
      if (this.phase === 'back-off') return false
      this.enter('failure', wall)
    } else if (this.phase === 'quiet') return waited !== (this.notRunning.size > 0)
    else if (to === 'DEPLOYING' && (this.phase === 'back-off' || this.phase === 'failure' || this.phase === 'detection')) this.enter('recovery', wall)
    else if (to === 'RUNNING' && this.phase === 'recovery' && this.notRunning.size === 0) this.endsAt = wall + LINGER_MS
    else return false
    return true
  }

  private enter(phase: StoryPhaseName, wall: number): void {
    if (phase !== this.phase) {
      this.since = wall
      this.hurry = null
    }
    this.phase = phase
    this.endsAt = null
  }

  private forget(wall: number): void {
    this.enter('still', wall)
    this.pending.clear()
    this.notRunning.clear()
    this.nextTrigger = null
    this.triggers = 0
  }

  private steady(now: EngineTime, pace: number): StoryPlan {
    return { phase: this.phase, changes: [{ engine: now, pace }], lookAgainAt: null, coversTrigger: null }
  }

  private quiet(now: EngineTime): StoryPlan {
    const next = this.nextTrigger
    if (next === null || next <= now) return this.steady(now, 1)
    // Workers take wall time to start: hurrying then would bring the trigger before them, and it would be refused.
    if (this.notRunning.size > 0) {
      const changes = [{ engine: now, pace: QUIET_MIN }, { engine: next, pace: this.slowPace }]
      return { phase: this.phase, changes, lookAgainAt: null, coversTrigger: next }
    }
    const seconds = this.triggers === 0 ? FIRST_QUIET_SECONDS : QUIET_SECONDS
    const pace = this.paceTowards(now, next, seconds, QUIET_MIN)
    return {
      phase: this.phase,
      changes: [{ engine: now, pace }, { engine: next, pace: this.slowPace }],
      lookAgainAt: null,
      coversTrigger: next,
    }
  }

  /** What is waited for comes soon, however long it is; then it is slow again. */
  private waiting(now: EngineTime, wall: number, seconds: number): StoryPlan {
    if (this.until <= now) {
      if (this.phase === 'detection') this.endsAt ??= wall + NOTHING_FAILED_MS
      // A back-off that is over is waited for no more: the tasks are about to be deployed.
      return { ...this.slow(now, wall), phase: this.phase === 'back-off' ? 'recovery' : this.phase }
    }
    const slow = this.slowPace
    const pace = this.paceTowards(now, this.until, seconds, slow)
    const changes = [{ engine: now, pace }, { engine: this.until, pace: slow }]
    return { phase: this.phase, changes, lookAgainAt: wall + (this.until - now) / (pace * 1000) + 1, coversTrigger: null }
  }

  private paceTowards(now: EngineTime, target: EngineTime, seconds: number, least: number): number {
    if (this.hurry?.target !== target) {
      const pace = Math.min(QUIET_MAX, Math.max(least, (target - now) / (seconds * MICROS_PER_SECOND)))
      this.hurry = { target, pace }
    }
    return this.hurry.pace
  }

  private slow(now: EngineTime, wall: number): StoryPlan {
    const impatience = Math.max(0, Math.floor((wall - this.since - PATIENCE_MS) / PATIENCE_STEP_MS) + 1)
    const pace = Math.min(1, this.slowPace * 2 ** impatience)
    const nextStep = this.since + PATIENCE_MS + impatience * PATIENCE_STEP_MS
    return {
      phase: this.phase,
      changes: [{ engine: now, pace }],
      lookAgainAt: this.endsAt === null ? nextStep : Math.min(nextStep, this.endsAt),
      coversTrigger: this.nextTrigger,
    }
  }
}
