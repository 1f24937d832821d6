/**
 * The document of a scenario's next job: whole, or a JSON merge patch (RFC 7386) on the one before, in which `operators` are an object by uid and
 * `edges` are replaced as a whole.
 */
import type { JobDocument } from './job-document.ts'
import type { ScenarioStart } from './scenario-document.ts'

export function nextDocument(before: JobDocument, { job, change }: Pick<ScenarioStart, 'job' | 'change'>): JobDocument {
  const base = job ?? before
  if (change === undefined) return base
  const { operators, ...rest } = change
  const changed = patched(base, rest) as JobDocument
  return isObject(operators) ? { ...changed, operators: changedOperators(base.operators, operators) } : operators === undefined ? changed : { ...changed, operators: operators as JobDocument['operators'] }
}

/** In the order of before; new ones at the end, null takes one out. */
function changedOperators(before: JobDocument['operators'], change: Readonly<Record<string, unknown>>): JobDocument['operators'] {
  const known = new Set(before.map(({ uid }) => uid))
  const kept = before.flatMap((operator) => {
    if (!(operator.uid in change)) return [operator]
    const part = change[operator.uid]
    return part === null ? [] : [patched(operator, part) as JobDocument['operators'][number]]
  })
  const added = Object.entries(change).flatMap(([uid, part]) => (known.has(uid) || !isObject(part) ? [] : [{ uid, ...(patched({}, part) as object) } as JobDocument['operators'][number]]))
  return [...kept, ...added]
}

function patched(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = patched(result[key], value)
  }
  return result
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
