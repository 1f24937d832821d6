import type { EngineTime } from '../../model/time.ts'
import type { Receiver, World } from './world.ts'

/**
 * One direction of one connection: first in, first out, whatever the jitter; apart from that different lines overtake each other freely.
 * A line that was cut delivers what had come as far as the cut and drops the rest (a killed worker's ports).
 */
export class Line<M> implements Receiver<M> {
  private readonly world: World
  private readonly to: Receiver<M>
  private readonly latency: EngineTime
  private readonly jitter: EngineTime
  private lastArrival: EngineTime = -1
  private slowedBy: EngineTime = 0
  private cutAt: EngineTime = Infinity

  constructor(world: World, to: Receiver<M>, latency: EngineTime, jitter: EngineTime) {
    this.world = world
    this.to = to
    this.latency = latency
    this.jitter = jitter
  }

  send(message: M): void {
    if (this.world.now > this.cutAt) return
    const due = this.world.now + this.latency + this.slowedBy + (this.jitter > 0 ? this.world.random.int(0, this.jitter) : 0)
    this.lastArrival = Math.max(due, this.lastArrival + 1)
    this.world.schedule<M>(this.lastArrival, this, message)
  }

  receive(message: M): void {
    if (this.world.now < this.cutAt) this.to.receive(message)
  }

  /** What is sent from now on takes so much longer. */
  slowDown(by: EngineTime): void {
    this.slowedBy = by
  }

  /** Nothing more arrives. */
  cut(): void {
    this.cutAt = Math.min(this.cutAt, this.world.now)
  }

  /** The sender is dead. What is under way arrives up to a moment that the seed draws: a crash may come before or after any message. */
  cutSomewhere(): void {
    const { now, random } = this.world
    if (this.lastArrival <= now) return this.cut()
    this.cutAt = Math.min(this.cutAt, random.int(now, this.lastArrival + 1))
  }
}
