import type { EngineEvent } from '../model/events.ts'
import type { EventPattern } from '../model/scenario-document.ts'
import type { RunView } from './run-view.ts'

type Names = Pick<RunView, 'vertexOf' | 'operatorIdOf'>

/** Whether an event is one that the pattern means (its count aside). A uid means events of the operator, or of a task that holds it. */
export function matchesPattern(event: EngineEvent, pattern: EventPattern, names: Names): boolean {
  const body = event.body as unknown as Readonly<Record<string, unknown>>
  if (body['type'] !== pattern.type) return false
  if (pattern.uid !== undefined) {
    const isOperator = body['operator'] === names.operatorIdOf(pattern.uid)
    const isVertex = body['operator'] === undefined && body['vertex'] === names.vertexOf(pattern.uid)
    if (!isOperator && !isVertex) return false
  }
  const { contains } = pattern
  if (contains !== undefined && !Object.values(body).some((value) => typeof value === 'string' && value.includes(contains))) return false
  return Object.entries(pattern.where ?? {}).every(([field, value]) => body[field] === value)
}

/** The n-th event that matches (the first without a count), or null. */
export function findEvent(events: readonly EngineEvent[], pattern: EventPattern, names: Names): EngineEvent | null {
  let left = pattern.count ?? 1
  for (const event of events) {
    if (matchesPattern(event, pattern, names) && --left === 0) return event
  }
  return null
}

export const countEvents = (events: readonly EngineEvent[], pattern: EventPattern, names: Names): number =>
  events.reduce((count, event) => count + (matchesPattern(event, pattern, names) ? 1 : 0), 0)

export function describePattern(pattern: EventPattern): string {
  const words = pattern.contains === undefined ? [] : [`"${pattern.contains}"`]
  const details = [...Object.entries(pattern.where ?? {}).map(([field, value]) => `${field} ${String(value)}`), ...words]
  const count = pattern.count === undefined ? [] : [`number ${pattern.count}`]
  const uid = pattern.uid === undefined ? [] : [`of ${pattern.uid}`]
  return [pattern.type, ...uid, ...(details.length === 0 ? [] : [`(${details.join(', ')})`]), ...count].join(' ')
}
