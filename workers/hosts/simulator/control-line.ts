/** A task's way to its JobManager. Acknowledgements may be held up on it one checkpoint at a time, as on a real network no order holds between calls. */
import type { CheckpointId } from '../../model/ids.ts'
import type { EngineTime } from '../../model/time.ts'
import type { JobManagerEnvelope } from './envelopes.ts'
import { Line } from './line.ts'
import type { Receiver, World } from './world.ts'

export interface AckDelay {
  readonly checkpointId: CheckpointId
  /** Null: of every task. */
  readonly uid: string | null
  readonly micros: EngineTime
}

export class ControlLine extends Line<JobManagerEnvelope> {
  private readonly delays: readonly AckDelay[]
  private readonly uids: readonly string[]
  private readonly clock: World

  /** @param delays shared with whoever adds to them. @param uids of the operators of the sending task. */
  constructor(world: World, to: Receiver<JobManagerEnvelope>, latency: EngineTime, jitter: EngineTime, delays: readonly AckDelay[], uids: readonly string[]) {
    super(world, to, latency, jitter)
    this.clock = world
    this.delays = delays
    this.uids = uids
  }

  override send(message: JobManagerEnvelope): void {
    const delay = this.delayOf(message)
    if (delay === null) super.send(message)
    else this.clock.schedule<JobManagerEnvelope>(this.clock.now + delay.micros, this, message)
  }

  private delayOf(message: JobManagerEnvelope): AckDelay | null {
    if (message.type !== 'input' || message.input.type !== 'task-message' || message.input.message.type !== 'acknowledge') return null
    const { checkpointId } = message.input.message
    return this.delays.find((delay) => delay.checkpointId === checkpointId && (delay.uid === null || this.uids.includes(delay.uid))) ?? null
  }
}
