/**
 * Edits of a job document: pure functions from document to document. Picture and document are the same thing: whatever is done on the canvas
 * is one of these, and undo is the document before it.
 */
import type { EdgeDocument, JobDocument, OperatorDocument, Ship } from '../../workers/model/job-document.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** Names the edge: two operators are joined at most once per input. */
export interface EdgeKey {
  readonly from: string
  readonly to: string
  readonly input: number
}

export const edgeKey = (edge: EdgeDocument): EdgeKey => ({ from: edge.from, to: edge.to, input: edge.input ?? 1 })
const sameEdge = (edge: EdgeDocument, key: EdgeKey): boolean =>
  edge.from === key.from && edge.to === key.to && (edge.input ?? 1) === key.input

export const findOperator = (job: JobDocument, uid: string): OperatorDocument | undefined =>
  job.operators.find((operator) => operator.uid === uid)

/** `base`, or `base-2`, `base-3` … where that is taken. */
export function freeUid(job: JobDocument, base: string): string {
  const taken = new Set(job.operators.map((operator) => operator.uid))
  if (!taken.has(base)) return base
  let number = 2
  while (taken.has(`${base}-${number}`)) number++
  return `${base}-${number}`
}

export function addOperator(job: JobDocument, operator: OperatorDocument): JobDocument {
  return { ...job, operators: [...job.operators, { ...operator, uid: freeUid(job, operator.uid) }] }
}

/** With the edges that led to it and from it. */
export function removeOperator(job: JobDocument, uid: string): JobDocument {
  return {
    ...job,
    operators: job.operators.filter((operator) => operator.uid !== uid),
    edges: job.edges.filter((edge) => edge.from !== uid && edge.to !== uid),
  }
}

export function changeOperator(job: JobDocument, uid: string, change: Partial<Omit<OperatorDocument, 'uid'>>): JobDocument {
  return { ...job, operators: job.operators.map((operator) => (operator.uid === uid ? { ...operator, ...change } : operator)) }
}

/** A key with the value undefined leaves the parameters. */
export function setParam(job: JobDocument, uid: string, name: string, value: unknown): JobDocument {
  const operator = findOperator(job, uid)
  if (operator === undefined) return job
  const params = { ...operator.params, [name]: value }
  if (value === undefined) delete params[name]
  return changeOperator(job, uid, { params })
}

export function moveOperator(job: JobDocument, uid: string, position: Point): JobDocument {
  return changeOperator(job, uid, { position: { x: Math.round(position.x), y: Math.round(position.y) } })
}

/** The uid is the identity of the operator's state; the edges follow the new one. A uid that is taken changes nothing. */
export function renameUid(job: JobDocument, uid: string, next: string): JobDocument {
  if (next === uid || findOperator(job, next) !== undefined) return job
  return {
    ...job,
    operators: job.operators.map((operator) => (operator.uid === uid ? { ...operator, uid: next } : operator)),
    edges: job.edges.map((edge) => ({ ...edge, from: edge.from === uid ? next : edge.from, to: edge.to === uid ? next : edge.to })),
  }
}

/** Joining what is joined already changes nothing. */
export function connect(job: JobDocument, key: EdgeKey): JobDocument {
  if (job.edges.some((edge) => sameEdge(edge, key))) return job
  const edge: EdgeDocument = key.input === 1 ? { from: key.from, to: key.to } : { from: key.from, to: key.to, input: key.input }
  return { ...job, edges: [...job.edges, edge] }
}

export function disconnect(job: JobDocument, key: EdgeKey): JobDocument {
  return { ...job, edges: job.edges.filter((edge) => !sameEdge(edge, key)) }
}

/** `by` is kept only where records are hashed. */
export function setShip(job: JobDocument, key: EdgeKey, ship: Ship | undefined, by: readonly string[]): JobDocument {
  return {
    ...job,
    edges: job.edges.map((edge) => {
      if (!sameEdge(edge, key)) return edge
      const { ship: _ship, by: _by, ...rest } = edge
      if (ship === undefined) return rest
      return ship === 'hash' ? { ...rest, ship, by } : { ...rest, ship }
    }),
  }
}

/** `rate`: bytes per second in Flink's syntax; `delay`: a duration. Undefined: as much as comes, and no later than the latency of links. */
export function setLink(job: JobDocument, key: EdgeKey, field: 'rate' | 'delay', value: string | undefined): JobDocument {
  return {
    ...job,
    edges: job.edges.map((edge) => {
      if (!sameEdge(edge, key)) return edge
      const { [field]: _field, ...rest } = edge
      return value === undefined ? rest : { ...rest, [field]: value }
    }),
  }
}

export function setOption(job: JobDocument, option: string, value: string | number | boolean | undefined): JobDocument {
  const config: Record<string, string | number | boolean> = { ...job.config }
  if (value === undefined) delete config[option]
  else config[option] = value
  return { ...job, config }
}

/** The part of the job that leads to this operator, with it. */
export function above(job: JobDocument, uid: string): JobDocument {
  const found = new Set([uid])
  for (const next of found) {
    for (const edge of job.edges) if (edge.to === next) found.add(edge.from)
  }
  return { ...job, operators: job.operators.filter((operator) => found.has(operator.uid)), edges: job.edges.filter((edge) => found.has(edge.to)) }
}
