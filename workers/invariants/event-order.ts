import type { EngineEvent } from '../model/events.ts'
import type { EventChecker } from './checker.ts'

/** Every source numbers its events from 1 without gaps, and its clock never goes back. */
export class EventOrder implements EventChecker {
  readonly invariant = 'event-order'
  private last = new Map<string, { sequence: number; at: number }>()

  check(event: EngineEvent): string | null {
    const before = this.last.get(event.source) ?? { sequence: 0, at: 0 }
    this.last.set(event.source, { sequence: event.sequence, at: event.at })
    if (event.sequence !== before.sequence + 1) return `${event.source}: event ${event.sequence} after ${before.sequence}`
    if (!Number.isSafeInteger(event.at) || event.at < before.at) return `${event.source}: time ${event.at} after ${before.at}`
    return null
  }
}
