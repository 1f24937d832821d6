/** Small checkers of the shape of JSON, each adding problems with the pointer of the place. They say what public/schema/job.schema.json says. */
import type { Problem } from '../job-graph.ts'
import { jsonPointer } from '../json-pointer.ts'

export type Path = readonly (string | number)[]
export type Shape = (value: unknown, path: Path, problems: Problem[]) => void

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

export const mistake = (path: Path, message: string, cure: string): Problem => ({ severity: 'error', path: jsonPointer(...path), message, cure })

const what = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

const expected = (path: Path, value: unknown, kind: string): Problem =>
  mistake(path, `${String(path.at(-1) ?? 'The document')} should be ${kind}, and is ${what(value)}.`, `Write ${kind}.`)

export const text: Shape = (value, path, problems) => {
  if (typeof value !== 'string') problems.push(expected(path, value, 'a text'))
}

export const nonEmptyText: Shape = (value, path, problems) => {
  if (typeof value !== 'string' || value === '') problems.push(expected(path, value, 'a text that is not empty'))
}

export const finite: Shape = (value, path, problems) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) problems.push(expected(path, value, 'a number'))
}

export const flag: Shape = (value, path, problems) => {
  if (typeof value !== 'boolean') problems.push(expected(path, value, 'true or false'))
}

export const scalar: Shape = (value, path, problems) => {
  if (!['string', 'number', 'boolean'].includes(typeof value)) problems.push(expected(path, value, 'a text, a number, true or false'))
}

export const integer =
  (min: number, max: number): Shape =>
  (value, path, problems) => {
    if (!Number.isSafeInteger(value)) problems.push(expected(path, value, 'a whole number'))
    else if ((value as number) < min || (value as number) > max) {
      problems.push(mistake(path, `${String(path.at(-1))} is ${String(value)}, which is outside ${min} to ${max}.`, `Give a number from ${min} to ${max}.`))
    }
  }

export const oneOf =
  (...choices: readonly string[]): Shape =>
  (value, path, problems) => {
    if (!choices.some((choice) => choice === value)) problems.push(expected(path, value, choices.length === 1 ? `"${choices[0]}"` : `one of ${choices.join(', ')}`))
  }

export const list =
  (item: Shape, min = 0): Shape =>
  (value, path, problems) => {
    if (!Array.isArray(value)) return void problems.push(expected(path, value, 'a list'))
    if (value.length < min) problems.push(mistake(path, `${String(path.at(-1))} is empty.`, `Give at least ${min}.`))
    value.forEach((entry: unknown, i) => item(entry, [...path, i], problems))
  }

export const record =
  (item: Shape, min = 0): Shape =>
  (value, path, problems) => {
    if (!isObject(value)) return void problems.push(expected(path, value, 'an object'))
    const keys = Object.keys(value)
    if (keys.length < min) problems.push(mistake(path, `${String(path.at(-1))} is empty.`, `Give at least ${min}.`))
    for (const key of keys) item(value[key], [...path, key], problems)
  }

/** Anything below an object: another check knows what is allowed. */
export const anyObject: Shape = (value, path, problems) => {
  if (!isObject(value)) problems.push(expected(path, value, 'an object'))
}

export const either =
  (isFirst: (value: unknown) => boolean, first: Shape, second: Shape): Shape =>
  (value, path, problems) =>
    (isFirst(value) ? first : second)(value, path, problems)

export const object =
  (required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>>): Shape =>
  (value, path, problems) => {
    if (!isObject(value)) return void problems.push(expected(path, value, 'an object'))
    for (const [key, shape] of Object.entries(required)) {
      if (Object.hasOwn(value, key)) shape(value[key], [...path, key], problems)
      else problems.push(mistake([...path, key], `"${key}" is missing.`, `Add "${key}".`))
    }
    for (const key of Object.keys(value)) {
      if (Object.hasOwn(required, key)) continue
      const shape = Object.hasOwn(optional, key) ? optional[key] : undefined
      if (shape !== undefined) shape(value[key], [...path, key], problems)
      else {
        const known = [...Object.keys(required), ...Object.keys(optional)].join(', ')
        problems.push(mistake([...path, key], `"${key}" is not known here.`, `Remove it. There are: ${known}.`))
      }
    }
  }
