/**
 * The observer worker: every source has its own port to it. It keeps the log and the latest report of every task, tells the page in
 * batches, and passes on to the worker that draws.
 */
import { expose } from 'comlink'
import type { EngineEvent } from '../../model/events.ts'
import type { TaskReport } from '../../model/report.ts'
import type { TraceEvent } from '../../model/trace.ts'
import { EventLog } from './event-log.ts'
import type { FromObserver, ObserverBatch, OverlayBatch, ToObserver } from './messages.ts'
import type { ObserverSurface } from './requests.ts'

/** At most ten batches a second to the page, one per frame to the overlay. */
const PAGE_BATCH_MS = 100
const OVERLAY_BATCH_MS = 16
const BATCH_EVENTS_MAX = 20_000

export class ObserverShell {
  private readonly post: (message: FromObserver) => void
  private readonly log = new EventLog()
  private readonly reports = new Map<string, TaskReport>()
  private readonly changed = new Set<string>()
  private subscribed = false
  private sentPosition = 0
  private pageTimer: ReturnType<typeof setTimeout> | null = null
  private overlay: MessagePort | null = null
  private overlayTimer: ReturnType<typeof setTimeout> | null = null
  private overlayEvents: EngineEvent[] = []
  private overlayTrace: TraceEvent[] = []
  private overlayReports = new Set<string>()

  constructor(post: (message: FromObserver) => void) {
    this.post = post
  }

  onMessage(message: ToObserver): void {
    switch (message.type) {
      case 'start':
        expose(this.surface(), message.surface)
        break
      case 'open':
        this.log.opened(message.source)
        message.port.onmessage = (event: MessageEvent<ObserverBatch>) => this.onBatch(event.data)
        break
      case 'subscribe':
        this.subscribed = true
        this.schedulePage()
        break
      case 'overlay':
        this.overlay?.close()
        this.overlay = message.port
        this.overlayEvents = []
        this.overlayTrace = []
        this.overlayReports = new Set(this.reports.keys())
        this.scheduleOverlay()
        break
      case 'ping':
        this.post({ type: 'alive', ping: message.ping })
        break
    }
  }

  private onBatch(batch: ObserverBatch): void {
    for (const event of batch.events) this.log.add(event)
    if (batch.report !== null) {
      const place = `${batch.report.vertex}/${batch.report.subtask}`
      this.reports.set(place, batch.report)
      this.changed.add(place)
      this.overlayReports.add(place)
    }
    this.schedulePage()
    if (this.overlay === null) return
    this.overlayEvents.push(...batch.events)
    this.overlayTrace.push(...batch.trace)
    this.scheduleOverlay()
  }

  private surface(): ObserverSurface {
    return {
      eventsSince: (position, limit) => this.log.since(position, Math.min(limit, BATCH_EVENTS_MAX)),
      reports: () => [...this.reports.values()],
    }
  }

  private schedulePage(): void {
    if (!this.subscribed || this.pageTimer !== null) return
    this.pageTimer = setTimeout(() => this.toPage(), PAGE_BATCH_MS)
  }

  private toPage(): void {
    this.pageTimer = null
    const events = this.log.since(this.sentPosition, BATCH_EVENTS_MAX)
    this.sentPosition = events.at(-1)?.position ?? this.sentPosition
    const reports = this.latest(this.changed)
    this.changed.clear()
    if (events.length > 0 || reports.length > 0) this.post({ type: 'batch', batch: { events, reports } })
    if (this.sentPosition < this.log.last) this.schedulePage()
  }

  private scheduleOverlay(): void {
    if (this.overlay === null || this.overlayTimer !== null) return
    this.overlayTimer = setTimeout(() => this.toOverlay(), OVERLAY_BATCH_MS)
  }

  private toOverlay(): void {
    this.overlayTimer = null
    const batch: OverlayBatch = { events: this.overlayEvents, trace: this.overlayTrace, reports: this.latest(this.overlayReports) }
    this.overlayEvents = []
    this.overlayTrace = []
    this.overlayReports.clear()
    this.overlay?.postMessage(batch)
  }

  private latest(places: ReadonlySet<string>): readonly TaskReport[] {
    return [...places].flatMap((place) => this.reports.get(place) ?? [])
  }
}
