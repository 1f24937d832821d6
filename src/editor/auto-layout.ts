/** Places for operators that have none: columns by the longest way from a source, rows in document order. Never moves one that has a place. */
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { Point } from './edit-job.ts'

export const NODE_WIDTH = 168
export const NODE_HEIGHT = 58
const COLUMN = 248
const ROW = 104

export function placeOperators(job: JobDocument): ReadonlyMap<string, Point> {
  const columns = columnOf(job)
  const rows = new Map<number, number>()
  const places = new Map<string, Point>()
  const taken: Point[] = job.operators.flatMap((operator) => (operator.position === undefined ? [] : [operator.position]))
  for (const operator of job.operators) {
    const column = columns.get(operator.uid) ?? 0
    const row = rows.get(column) ?? 0
    rows.set(column, row + 1)
    let place = operator.position ?? { x: column * COLUMN, y: row * ROW }
    while (operator.position === undefined && taken.some((other) => overlaps(other, place))) place = { x: place.x, y: place.y + ROW }
    if (operator.position === undefined) taken.push(place)
    places.set(operator.uid, place)
  }
  return places
}

const overlaps = (a: Point, b: Point): boolean => Math.abs(a.x - b.x) < NODE_WIDTH && Math.abs(a.y - b.y) < NODE_HEIGHT

/** Relaxes the edges as often as there are operators: enough without a cycle, and bounded with one. */
function columnOf(job: JobDocument): ReadonlyMap<string, number> {
  const column = new Map(job.operators.map((operator) => [operator.uid, 0]))
  for (let round = 0; round < job.operators.length; round++) {
    for (const edge of job.edges) {
      const from = column.get(edge.from)
      const to = column.get(edge.to)
      if (from === undefined || to === undefined || edge.from === edge.to) continue
      column.set(edge.to, Math.min(job.operators.length, Math.max(to, from + 1)))
    }
  }
  return column
}
