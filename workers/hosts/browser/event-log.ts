/** The log of protocol events: the last million, with places that never change, and with an entry wherever something is missing. */
import type { EngineEvent } from '../../model/events.ts'
import type { LoggedEvent } from './messages.ts'

export const LOG_MAX = 1_000_000

export class EventLog {
  private readonly max: number
  private readonly ring: LoggedEvent[] = []
  private nextPosition = 1
  private readonly expected = new Map<string, number>()

  constructor(max = LOG_MAX) {
    this.max = max
  }

  /** A new life of that source: its numbers begin with 1 again. */
  opened(source: string): void {
    this.expected.set(source, 1)
  }

  add(event: EngineEvent): void {
    const expected = this.expected.get(event.source) ?? 1
    if (event.sequence < expected) return
    const missing = event.sequence - expected
    if (missing > 0) {
      this.put({ ...event, sequence: expected, body: { type: 'EventsDropped', count: missing, level: 'protocol' } })
    }
    this.expected.set(event.source, event.sequence + 1)
    this.put(event)
  }

  /** Position of the newest, 0 for none. */
  get last(): number {
    return this.nextPosition - 1
  }

  /** At most `limit` events after that position, oldest first; the first says so if some are not there any more. */
  since(position: number, limit: number): readonly LoggedEvent[] {
    const oldest = Math.max(1, this.nextPosition - this.max)
    const result: LoggedEvent[] = []
    if (position + 1 < oldest) {
      const count = oldest - 1 - position
      result.push({ at: 0, source: 'observer', sequence: 0, position: oldest - 1, body: { type: 'EventsDropped', count, level: 'protocol' } })
    }
    for (let p = Math.max(position + 1, oldest); p < this.nextPosition && result.length < limit; p++) {
      result.push(this.ring[(p - 1) % this.max] as LoggedEvent)
    }
    return result
  }

  private put(event: EngineEvent): void {
    const position = this.nextPosition++
    this.ring[(position - 1) % this.max] = { ...event, position }
  }
}
