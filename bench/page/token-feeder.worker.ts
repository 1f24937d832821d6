/**
 * In the observer's place: sends the drawing worker a record trace in which a given number of records is under way at any time. Each
 * channel gets one after the other, evenly spread; each travels for `LATENCY_MICROS` and is then taken.
 */
import type { ChannelId, ExecutionAttemptId } from '../../workers/model/ids.ts'
import type { TaskReport } from '../../workers/model/report.ts'
import type { TraceEvent } from '../../workers/model/trace.ts'

export const LATENCY_MICROS = 3_000_000
const BATCH_MS = 16

/** First the order; then, if a job runs behind the picture, what its tasks report, which is passed on. */
export type ToFeeder = { readonly type: 'feed'; readonly order: FeedOrder } | { readonly type: 'reports'; readonly reports: readonly TaskReport[] }

export interface FeedOrder {
  readonly port: MessagePort
  readonly tokens: number
  readonly channels: readonly { readonly channel: ChannelId; readonly to: string }[]
  /** Wall time at which the engine's clock showed 0. */
  readonly wallZero: number
}

interface Lane {
  readonly channel: ChannelId
  readonly attempt: ExecutionAttemptId
  nextAt: number
  sent: number
  received: number
}

function feed({ port, tokens, channels, wallZero }: FeedOrder): void {
  const interval = (LATENCY_MICROS * channels.length) / tokens
  const lanes = channels.map(({ channel, to }, i): Lane => ({ channel, attempt: `${to}_0` as ExecutionAttemptId, nextAt: (interval * i) / channels.length, sent: 0, received: 0 }))
  setInterval(() => {
    const now = (performance.timeOrigin + performance.now() - wallZero) * 1000
    const trace: TraceEvent[] = []
    for (const lane of lanes) advance(lane, now, interval, trace)
    trace.sort((a, b) => a.at - b.at)
    if (trace.length > 0 || reports.length > 0) port.postMessage({ events: [], trace, reports })
    reports = []
  }, BATCH_MS)
}

function advance(lane: Lane, now: number, interval: number, trace: TraceEvent[]): void {
  const { channel, attempt } = lane
  while (lane.nextAt <= now) {
    const at = lane.nextAt
    lane.sent++
    const record = { partition: 0, offset: lane.sent, branch: 0, replayed: false, label: `w${lane.sent % 10}`, checkpoint: 1 }
    trace.push({ type: 'queued', at, channel, record }, { type: 'sent', at, channel, sequence: lane.sent, records: 1 })
    const arrival = at + LATENCY_MICROS
    trace.push({ type: 'received', at: arrival, channel, sequence: lane.sent }, { type: 'taken', at: arrival, channel, attempt, until: arrival })
    lane.nextAt += interval
  }
}

let reports: readonly TaskReport[] = []

self.onmessage = ({ data }: MessageEvent<ToFeeder>): void => {
  if (data.type === 'feed') feed(data.order)
  else reports = data.reports
}
