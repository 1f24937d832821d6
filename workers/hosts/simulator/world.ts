/**
 * What everything in the simulated world shares: the virtual clock, the queue, the seed, the log. Whoever is in the world schedules
 * messages to itself or others and gets them by `receive`; nothing ever calls across at once, so the queue alone decides the order.
 * All of it is plain data and class instances (base/clone.ts), so that a whole simulated cluster can be copied in the middle of a run.
 */
import { Prng } from '../../base/prng.ts'
import type { EngineEvent, EventBody } from '../../model/events.ts'
import type { TraceEvent } from '../../model/trace.ts'
import type { EngineTime } from '../../model/time.ts'
import { EventQueue } from './event-queue.ts'

/** Somebody who gets messages. `M` is a union of plain data. */
export interface Receiver<M> {
  receive(message: M): void
}

interface Delivery {
  readonly to: Receiver<unknown>
  readonly message: unknown
}

/** Who looks at the log while it is written. */
export interface EventObserver {
  observe(event: EngineEvent): void
  observeTrace?(trace: TraceEvent): void
}

export class World {
  now: EngineTime = 0
  readonly random: Prng
  readonly events: EngineEvent[] = []
  readonly observers: EventObserver[] = []
  /** How many deliveries there have been: the position of a run, for clones and replays. */
  steps = 0
  private readonly queue = new EventQueue<Delivery>()
  private readonly sequences = new Map<string, number>()

  constructor(seed: number) {
    this.random = new Prng(seed)
  }

  /** Delivers `message` at virtual time `at` (not before now). Ties are broken by a draw from the seed. */
  schedule<M>(at: EngineTime, to: Receiver<M>, message: M): void {
    this.queue.push(Math.max(this.now, at), this.random.uint32(), { to: to as Receiver<unknown>, message })
  }

  /** `base` microseconds from now, and up to `jitter` more. */
  later<M>(base: EngineTime, jitter: EngineTime, to: Receiver<M>, message: M): void {
    this.schedule(this.now + base + (jitter > 0 ? this.random.int(0, jitter) : 0), to, message)
  }

  /** Delivers the next message; false when nothing is left to happen. */
  step(): boolean {
    const next = this.queue.pop()
    if (next === undefined) return false
    this.now = next.at
    this.steps++
    next.item.to.receive(next.item.message)
    return true
  }

  get nextAt(): EngineTime | null {
    return this.queue.nextAt
  }

  /** Moves the clock, when nothing happens before `time`. */
  advanceTo(time: EngineTime): void {
    this.now = Math.max(this.now, time)
  }

  log(source: string, body: EventBody): void {
    const sequence = (this.sequences.get(source) ?? 0) + 1
    this.sequences.set(source, sequence)
    const event: EngineEvent = { at: this.now, source, sequence, body }
    this.events.push(event)
    for (const observer of this.observers) observer.observe(event)
  }

  trace(event: TraceEvent): void {
    for (const observer of this.observers) observer.observeTrace?.(event)
  }
}
