/** What a document is checked with: each check tells every mistake with its place (a JSON pointer) and the cure. */
import type { Problem } from './job-graph.ts'
import { parseDuration, parseMemory } from './options/values.ts'

export type Path = string
export type Check = (value: unknown, path: Path, problems: Problem[]) => void

export function problem(problems: Problem[], path: Path, message: string, cure: string): void {
  problems.push({ severity: 'error', path, message, cure })
}

export const child = (path: Path, key: string | number): Path => `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

export const text: Check = (value, path, problems) => {
  if (typeof value !== 'string' || value === '') problem(problems, path, 'not a text', 'give a text of at least one character')
}

export const duration: Check = (value, path, problems) => {
  if (typeof value !== 'string' || !parseDuration(value).ok) {
    problem(problems, path, `not a duration: ${JSON.stringify(value)}`, 'write a number and a unit, such as "500 ms" or "10 s"')
  }
}

/** Bytes per second; null: no limit. */
export const byteRateOrNull: Check = (value, path, problems) => {
  if (value === null) return
  const parsed = typeof value === 'string' ? parseMemory(value) : null
  if (parsed === null || !parsed.ok || parsed.value === 0) {
    problem(problems, path, `no rate: ${JSON.stringify(value)}`, 'write bytes per second, such as "64 kb", or null for no limit')
  }
}

export const integer = (low: number, high = Number.MAX_SAFE_INTEGER): Check => (value, path, problems) => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < low || value > high) {
    problem(problems, path, `not a whole number from ${low}: ${JSON.stringify(value)}`, `give a whole number that is at least ${low}`)
  }
}

export const between = (low: number, high: number): Check => (value, path, problems) => {
  if (typeof value !== 'number' || !(value >= low && value <= high)) {
    problem(problems, path, `not a number from ${low} to ${high}: ${JSON.stringify(value)}`, `give a number from ${low} to ${high}`)
  }
}

export const boolean: Check = (value, path, problems) => {
  if (typeof value !== 'boolean') problem(problems, path, 'not true or false', 'write true or false')
}

export const oneOf = (...options: readonly unknown[]): Check => (value, path, problems) => {
  if (!options.includes(value)) {
    problem(problems, path, `unknown value ${JSON.stringify(value)}`, `one of ${options.map((option) => JSON.stringify(option)).join(', ')}`)
  }
}

export const scalar: Check = (value, path, problems) => {
  if (!['string', 'number', 'boolean'].includes(typeof value)) problem(problems, path, 'not a single value', 'give a text, a number, true or false')
}

export const scalarOrNull: Check = (value, path, problems) => {
  if (value !== null) scalar(value, path, problems)
}

export const arrayOf = (item: Check): Check => (value, path, problems) => {
  if (!Array.isArray(value)) problem(problems, path, 'not a list', 'put the values into [ ]')
  else value.forEach((element, index) => item(element, child(path, index), problems))
}

export const rowValue: Check = (value, path, problems) => (Array.isArray(value) ? arrayOf(scalar)(value, path, problems) : scalar(value, path, problems))

export const rowOrNull: Check = (value, path, problems) => {
  if (value !== null) rowValue(value, path, problems)
}

export const mapOf = (item: Check): Check => (value, path, problems) => {
  if (!isObject(value)) problem(problems, path, 'not an object', 'put the fields into { }')
  else for (const key of Object.keys(value)) item(value[key], child(path, key), problems)
}

export interface Shape {
  readonly required: Readonly<Record<string, Check>>
  readonly optional?: Readonly<Record<string, Check>>
}

export const object = (shape: Shape): Check => (value, path, problems) => {
  if (!isObject(value)) return problem(problems, path, 'not an object', 'put the fields into { }')
  for (const key of Object.keys(shape.required)) {
    if (!(key in value)) problem(problems, path, `"${key}" is missing`, `add "${key}"`)
  }
  for (const key of Object.keys(value)) {
    const check = shape.required[key] ?? shape.optional?.[key]
    if (check === undefined) {
      const known = [...Object.keys(shape.required), ...Object.keys(shape.optional ?? {})].join(', ')
      problem(problems, child(path, key), `unknown field "${key}"`, `remove it, or use one of: ${known}`)
    } else check(value[key], child(path, key), problems)
  }
}

/** The object's form is told by which of these fields it has. */
export const byField = (what: string, shapes: Readonly<Record<string, Shape>>): Check => (value, path, problems) => {
  if (!isObject(value)) return problem(problems, path, 'not an object', 'put the fields into { }')
  const names = Object.keys(shapes)
  const found = names.filter((name) => name in value)
  const first = found[0]
  if (first === undefined) return problem(problems, path, `no ${what} here`, `give one of: ${names.join(', ')}`)
  object(shapes[first] as Shape)(value, path, problems)
}

export const only = (name: string, check: Check, optional: Readonly<Record<string, Check>> = {}): Shape => ({ required: { [name]: check }, optional })

export const pairOf = (item: Check): Check => (value, path, problems) => {
  if (!Array.isArray(value) || value.length !== 2) problem(problems, path, 'not a pair', 'give two values, [from, to]')
  else value.forEach((element, index) => item(element, child(path, index), problems))
}
