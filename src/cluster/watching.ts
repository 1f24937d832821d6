/** What the leading tab tells the others: its status and its log. The others show it and can change nothing. */
import type { LogBatch, LoggedEvent } from '../../workers/hosts/browser/messages.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { ClockReading, ClusterStatus } from './cluster-types.ts'

const CHANNEL = 'weir.cluster'

type Message =
  | { readonly type: 'status'; readonly status: ClusterStatus }
  | { readonly type: 'clock'; readonly reading: ClockReading }
  | { readonly type: 'log'; readonly batch: LogBatch }
  /** Of the job that was started last. */
  | { readonly type: 'document'; readonly document: JobDocument }
  /** A tab that begins to watch. */
  | { readonly type: 'hello' }

export class StatusBoard {
  /** The leader's status, once it has told it. */
  seen: ClusterStatus | null = null
  clock: ClockReading | null = null
  document: JobDocument | null = null
  onClock: (reading: ClockReading) => void = () => undefined
  onStatus: () => void = () => undefined
  onLog: (batch: LogBatch) => void = () => undefined
  private readonly channel = new BroadcastChannel(CHANNEL)
  private latestClock: ClockReading | null = null
  private latest: ClusterStatus | null = null
  private latestDocument: JobDocument | null = null
  private watched = false

  watch(): void {
    this.channel.onmessage = (event: MessageEvent<Message>) => {
      const message = event.data
      if (message.type === 'status') {
        this.seen = message.status
        this.onStatus()
      } else if (message.type === 'clock') {
        this.clock = message.reading
        this.onClock(message.reading)
      } else if (message.type === 'document') this.document = message.document
      else if (message.type === 'log') this.onLog(message.batch)
    }
    this.post({ type: 'hello' })
  }

  /** `history`: the log so far, for a tab that comes later. */
  lead(history: () => Promise<readonly LoggedEvent[]>): void {
    this.seen = null
    this.document = null
    this.channel.onmessage = (event: MessageEvent<Message>) => {
      if (event.data.type !== 'hello') return
      this.watched = true
      if (this.latestDocument !== null) this.post({ type: 'document', document: this.latestDocument })
      if (this.latest !== null) this.post({ type: 'status', status: this.latest })
      if (this.latestClock !== null) this.post({ type: 'clock', reading: this.latestClock })
      history().then((events) => this.post({ type: 'log', batch: { events, reports: [] } }), () => undefined)
    }
  }

  publish(status: ClusterStatus): void {
    this.latest = status
    this.post({ type: 'status', status })
  }

  publishDocument(document: JobDocument): void {
    this.latestDocument = document
    this.post({ type: 'document', document })
  }

  publishClock(reading: ClockReading): void {
    this.latestClock = reading
    if (this.watched) this.post({ type: 'clock', reading })
  }

  publishLog(batch: LogBatch): void {
    if (this.watched) this.post({ type: 'log', batch })
  }

  private post(message: Message): void {
    this.channel.postMessage(message)
  }
}
