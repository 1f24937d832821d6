/**
 * The watermark of a task: the minimum over all input channels, which only ever grows. Flink: StatusWatermarkValve (behaviour 17.1). An operator
 * with two inputs takes the minimum over both, which is the same. Simplified: no idle status yet.
 */
import { MIN_WATERMARK } from '../model/time.ts'

export class WatermarkValve {
  private readonly byChannel: number[]
  private current = MIN_WATERMARK

  constructor(channels: number) {
    this.byChannel = new Array<number>(channels).fill(MIN_WATERMARK)
  }

  /** The new watermark of the task if this one lets it advance, else NaN. */
  advance(channel: number, watermark: number): number {
    if (watermark <= (this.byChannel[channel] as number)) return NaN
    this.byChannel[channel] = watermark
    let least = Infinity
    for (const each of this.byChannel) if (each < least) least = each
    if (least <= this.current) return NaN
    this.current = least
    return least
  }
}
