/** When what was sent through one channel arrives: after the latency of links, and what this channel was made to take longer. */
import type { ChannelId } from '../../model/ids.ts'
import type { EngineTime } from '../../model/time.ts'

export class DelayedLink {
  readonly channel: ChannelId
  /** Changes while the job runs. */
  delayMicros: EngineTime
  private readonly latency: EngineTime
  private lastArrival: EngineTime = 0

  constructor(channel: ChannelId, latency: EngineTime, delayMicros: EngineTime = 0) {
    this.channel = channel
    this.latency = latency
    this.delayMicros = delayMicros
  }

  /** First in, first out: what is sent after a delay was taken away does not overtake what is still on its way. */
  arrivalOf(sentAt: EngineTime): EngineTime {
    this.lastArrival = Math.max(this.lastArrival, sentAt + this.latency + this.delayMicros)
    return this.lastArrival
  }
}
