/**
 * What stands in a path or a query for a value, read before anything is looked up. Flink: HandlerRequest, MessageParameter (behaviour 19.2): a value
 * that cannot be read answers 400, whether the job is there or not.
 */
import { failure } from './rest-answers.ts'
import type { RestAnswer } from './rest-types.ts'

/** Every path that is answered, behind those that a parameter of it would hide. */
export const REST_PATHS = [
  '/overview',
  '/jobs',
  '/jobs/overview',
  '/jobs/metrics',
  '/jobs/:jobid',
  '/jobs/:jobid/config',
  '/jobs/:jobid/exceptions',
  '/jobs/:jobid/metrics',
  '/jobs/:jobid/plan',
  '/jobs/:jobid/stop',
  '/jobs/:jobid/savepoints',
  '/jobs/:jobid/savepoints/:triggerid',
  '/jobs/:jobid/checkpoints',
  '/jobs/:jobid/checkpoints/config',
  '/jobs/:jobid/checkpoints/:triggerid',
  '/jobs/:jobid/checkpoints/details/:checkpointid',
  '/jobs/:jobid/checkpoints/details/:checkpointid/subtasks/:vertexid',
  '/jobs/:jobid/vertices/:vertexid',
  '/jobs/:jobid/vertices/:vertexid/backpressure',
  '/jobs/:jobid/vertices/:vertexid/metrics',
  '/jobs/:jobid/vertices/:vertexid/subtasks/metrics',
  '/jobs/:jobid/vertices/:vertexid/subtasks/:subtaskindex/metrics',
  '/savepoint-disposal',
  '/savepoint-disposal/:triggerid',
] as const

const PATTERNS = REST_PATHS.map((path) => path.slice(1).split('/'))

const LONG_MAX = 2n ** 63n - 1n
const INT_MAX = 2 ** 31 - 1
const DECIMAL = /^[+-]?\d+$/

/** 32 hexadecimal digits, in either case. */
const hexadecimal = (text: string): string | null => (/^[0-9a-f]{32}$/i.test(text) ? text.toLowerCase() : null)

/** A Long of Java's. */
function long(text: string): string | null {
  if (!DECIMAL.test(text)) return null
  const value = BigInt(text.replace(/^\+/, ''))
  return value > LONG_MAX || value < -LONG_MAX - 1n ? null : String(value)
}

/** Not negative. */
const subtaskIndex = (text: string): string | null => (DECIMAL.test(text) && Number(text) >= 0 && Number(text) <= INT_MAX ? String(Number(text)) : null)

function read(name: string, text: string): string | null {
  if (name === ':checkpointid') return long(text)
  return name === ':subtaskindex' ? subtaskIndex(text) : hexadecimal(text)
}

/** The parts of the path with every parameter in the form in which it is known here; or the answer to one that cannot be read. Null: there is no such path. */
export function resolvePath(parts: readonly string[]): readonly string[] | RestAnswer | null {
  const pattern = PATTERNS.find((candidate) => candidate.length === parts.length && candidate.every((name, index) => name.startsWith(':') || name === parts[index]))
  if (pattern === undefined) return null
  const resolved: string[] = []
  for (const [at, part] of parts.entries()) {
    const name = pattern[at] ?? ''
    const value = name.startsWith(':') ? read(name, part) : part
    if (value === null) return unreadable('path', name.slice(1), part)
    resolved.push(value)
  }
  return resolved
}

/** An Int of Java's in the query, null where it is not there; or the answer to one that cannot be read. */
export function intParameter(query: string, name: string): number | null | RestAnswer {
  const text = parameter(query, name)
  if (text === null) return null
  const value = Number(text)
  return DECIMAL.test(text) && value <= INT_MAX && value >= -INT_MAX - 1 ? value : unreadable('query', name, text)
}

export function parameter(query: string, name: string): string | null {
  const pair = query.split('&').find((candidate) => candidate.startsWith(`${name}=`))
  return pair === undefined ? null : pair.slice(name.length + 1)
}

/** Of a list with commas, given once or several times; none where it is not given. Flink: MessageQueryParameter. */
export const listParameter = (query: string, name: string): readonly string[] =>
  query.split('&').flatMap((pair) => (pair.startsWith(`${name}=`) ? decoded(pair.slice(name.length + 1)).split(',') : []))

/** What is no encoding stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const unreadable = (place: 'path' | 'query', name: string, value: string): RestAnswer =>
  failure(400, `Bad request, could not parse parameters: Cannot resolve ${place} parameter (${name}) from value "${value}".`)
