/** A source's way to the observer: numbers its events and sends them in batches. */
import type { EngineEvent, EventBody } from '../../model/events.ts'
import type { TaskReport } from '../../model/report.ts'
import type { EngineTime } from '../../model/time.ts'
import type { TraceEvent } from '../../model/trace.ts'
import type { ObserverBatch } from './messages.ts'

/** Trace events of one source per second of wall time: more than the eye can follow. */
const TRACE_PER_SECOND = 4000

export class EventPort {
  private readonly port: MessagePort
  private readonly source: string
  private sequence = 0
  private events: EngineEvent[] = []
  private trace: TraceEvent[] = []
  private traceBudget = TRACE_PER_SECOND
  private traceDropped = 0
  private budgetFrom = performance.now()

  constructor(port: MessagePort, source: string) {
    this.port = port
    this.source = source
  }

  event(body: EventBody, at: EngineTime): EngineEvent {
    this.sequence++
    const event: EngineEvent = { at, source: this.source, sequence: this.sequence, body }
    this.events.push(event)
    return event
  }

  traced(event: TraceEvent): void {
    if (this.traceBudget > 0) {
      this.traceBudget--
      this.trace.push(event)
    } else this.traceDropped++
  }

  /** Nothing more is traced until the interval is over. */
  get isTraceSpent(): boolean {
    return this.traceBudget <= 0
  }

  flush(now: EngineTime, report: TaskReport | null = null): void {
    this.refillTrace(now)
    if (this.events.length === 0 && this.trace.length === 0 && report === null) return
    const batch: ObserverBatch = { events: this.events, trace: this.trace, report }
    this.events = []
    this.trace = []
    this.port.postMessage(batch)
  }

  /** At the end of each interval; says what was emitted beyond the budget. */
  refillTrace(now: EngineTime): void {
    const wall = performance.now()
    if (wall - this.budgetFrom < 1000) return
    this.budgetFrom = wall
    this.traceBudget = TRACE_PER_SECOND
    if (this.traceDropped === 0) return
    const count = this.traceDropped
    this.traceDropped = 0
    this.event({ type: 'EventsDropped', count, level: 'trace' }, now)
  }
}
