/** Decides the pace: what the user asked for or what the story wants, lowered when work cannot keep up, zero while paused. */
import type { EngineEvent } from '../../workers/model/events.ts'
import { PACE_MAX } from '../../workers/model/pace.ts'
import type { EngineTime } from '../../workers/model/time.ts'
import { wallNow, type ClockOwner } from './clock-owner.ts'
import type { PaceStatus } from './cluster-types.ts'
import { Story, type StoryPlan, type StorySettings } from './story.ts'

const SLOW_DOWN = 0.6
const SPEED_UP = 1.4
const LEAST_FACTOR = 0.002
/** So long without a complaint before the pace goes up again. */
const CALM_MS = 1500
/** Complaints that were under way when the pace was lowered are not new ones. */
const DEAF_MS = 300
/** The trace is for eyes: none at a pace that none can follow. */
const TRACED_UP_TO_PACE = 10
const ACKNOWLEDGE_DEADLINE_MS = 2000

export interface PaceListener {
  onPace(): void
  /** Every host has the schedule that makes this trigger slow. */
  onTriggerCovered(nextAt: EngineTime): void
}

export class PaceController {
  private readonly clock: ClockOwner
  private readonly listener: PaceListener
  private readonly story = new Story()
  private mode: 'story' | 'fixed' = 'story'
  private fixed = 1
  private paused = false
  private factor = 1
  private loweredAt = -Infinity
  private laidOut = ''
  private plan: StoryPlan | null = null
  private lookTimer: ReturnType<typeof setTimeout> | null = null
  private calmTimer: ReturnType<typeof setTimeout> | null = null

  constructor(clock: ClockOwner, listener: PaceListener) {
    this.clock = clock
    this.listener = listener
  }

  get status(): PaceStatus {
    const story = this.mode === 'story'
    return {
      mode: this.mode,
      asked: this.paused ? 0 : story ? (this.plan?.changes[0]?.pace ?? 1) : this.fixed,
      actual: this.clock.pace,
      paused: this.paused,
      limited: this.factor < 1,
      phase: story ? (this.plan?.phase ?? 'still') : null,
    }
  }

  get isStory(): boolean {
    return this.mode === 'story'
  }

  get wantsTrace(): boolean {
    return this.mode === 'story' || this.fixed <= TRACED_UP_TO_PACE
  }

  setJob(settings: StorySettings): void {
    this.story.setJob(settings)
    this.apply()
  }

  /**
   * What the JobManager reports at once is one change: the next trigger is announced together with the one that happens now, and a pace that
   * hurries towards it for a moment would let the hosts' clocks run ahead.
   */
  onEvents(events: readonly EngineEvent[]): void {
    let changed = false
    for (const { body } of events) if (this.story.onEvent(body, this.clock.now(), wallNow())) changed = true
    if (changed) this.apply()
  }

  onFault(noticedAt: EngineTime): void {
    this.story.onFault(noticedAt, wallNow())
    this.apply()
  }

  /** Resolves when every host goes slowly enough for a checkpoint that is asked for by hand. */
  async beforeManualTrigger(): Promise<void> {
    if (this.mode !== 'story' || this.paused) return
    this.story.onManualTrigger(wallNow())
    this.apply()
    await this.acknowledged()
  }

  /** Throws a RangeError for a number that is no pace. */
  async set(pace: number | 'story'): Promise<void> {
    if (pace !== 'story' && !(pace >= 0 && pace <= PACE_MAX)) throw new RangeError(`a pace is 'story' or a number from 0 to ${PACE_MAX}`)
    this.factor = 1
    this.paused = pace === 0
    if (pace === 'story') this.mode = 'story'
    else if (pace > 0) {
      this.mode = 'fixed'
      this.fixed = pace
    }
    this.apply(true)
    await this.acknowledged()
  }

  async pause(paused: boolean): Promise<void> {
    this.paused = paused
    this.apply(true)
    await this.acknowledged()
  }

  /** Some worker is that far behind the clock. */
  onLagging(): void {
    const wall = wallNow()
    if (this.paused || wall - this.loweredAt < DEAF_MS) return
    this.loweredAt = wall
    this.factor = Math.max(LEAST_FACTOR, this.factor * SLOW_DOWN)
    this.apply(true)
    this.speedUpWhenCalm()
  }

  private speedUpWhenCalm(): void {
    if (this.calmTimer !== null) clearTimeout(this.calmTimer)
    this.calmTimer = setTimeout(() => {
      this.calmTimer = null
      if (this.factor >= 1) return
      this.factor = Math.min(1, this.factor * SPEED_UP)
      this.apply(true)
      this.speedUpWhenCalm()
    }, CALM_MS)
  }

  /** Lays out what is wanted now, unless it is laid out already. */
  private apply(always = false): void {
    const now = this.clock.now()
    const wall = wallNow()
    this.plan = this.mode === 'story' ? this.story.plan(now, wall) : null
    const changes = this.paused ? [{ engine: now, pace: 0 }] : (this.plan?.changes ?? [{ engine: now, pace: this.fixed }])
    const key = JSON.stringify([changes.map(({ engine, pace }, i) => [i === 0 ? 0 : engine, pace]), this.factor])
    if (always || key !== this.laidOut) {
      this.laidOut = key
      this.clock.change(changes.map(({ engine, pace }) => ({ engine, pace: pace * this.factor })))
      this.listener.onPace()
    }
    const covers = this.plan?.coversTrigger ?? null
    if (covers !== null) this.clock.whenAcknowledged(this.clock.schedule.epoch, () => this.listener.onTriggerCovered(covers))
    this.lookAgain(this.plan?.lookAgainAt ?? null, wall)
  }

  private lookAgain(at: number | null, wall: number): void {
    if (this.lookTimer !== null) clearTimeout(this.lookTimer)
    this.lookTimer = null
    if (at === null || this.paused) return
    this.lookTimer = setTimeout(() => this.apply(), Math.max(0, at - wall) + 1)
  }

  private acknowledged(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ACKNOWLEDGE_DEADLINE_MS)
      this.clock.whenAcknowledged(this.clock.schedule.epoch, () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
