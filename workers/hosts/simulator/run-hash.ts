import type { EngineEvent } from '../../model/events.ts'

/**
 * The hash of an event log: equal for two runs exactly when they did the same (as far as 64 bits tell). FNV-1a over the JSON of each event, twice
 * with different bases.
 */
export function runHash(events: readonly EngineEvent[]): string {
  let a = 0x811c9dc5
  let b = 0x1b873593
  for (const event of events) {
    const text = JSON.stringify(event)
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      a = Math.imul(a ^ code, 0x01000193)
      b = Math.imul(b ^ code, 0x01000193) + 0x9e3779b9
    }
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
