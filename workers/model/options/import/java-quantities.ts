/** `Duration`, `Time` and `MemorySize` of Java, and their like in Scala, Kotlin and Python → milliseconds and bytes. Null: no quantity. */
import { parseMemory, parseOptionDuration } from '../values.ts'
import type { JavaExpression } from './java-expression.ts'

const MILLIS_OF: Readonly<Record<string, number>> = {
  millis: 1,
  milliseconds: 1,
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
}
const BYTES_OF: Readonly<Record<string, number>> = { bytes: 1, kibibytes: 2 ** 10, mebibytes: 2 ** 20, gibibytes: 2 ** 30, kilobytes: 2 ** 10, megabytes: 2 ** 20, gigabytes: 2 ** 30, terabytes: 2 ** 40 }

const plainName = (name: string): string => name.replaceAll('_', '').toLowerCase()
const unitName = (name: string): string => plainName(name).replace(/^of(?=.)/, '')
const lastName = (expression: JavaExpression | undefined): string => (expression?.kind === 'name' ? (expression.path.at(-1) ?? '') : '')

/** Of a bare number there is none: that is the caller's to say. */
export function millisOf(expression: JavaExpression): number | null {
  if (expression.kind === 'name') return expression.path.join('.') === 'Duration.ZERO' ? 0 : null
  if (expression.kind === 'new') return null
  if (expression.kind !== 'call') return null
  const { name, args, receiver } = expression
  const [amount, unit] = args
  if (plainName(name) === 'parse' && amount?.kind === 'string') {
    const parsed = parseOptionDuration(amount.text)
    return parsed.ok ? parsed.value / 1000 : null
  }
  if (plainName(name) === 'of' && unit !== undefined) return product(amount, MILLIS_OF[unitName(lastName(unit))])
  // `10.seconds` of Scala and Kotlin.
  if (args.length === 0) return product(receiver ?? undefined, MILLIS_OF[plainName(name)])
  return args.length === 1 ? product(amount, MILLIS_OF[unitName(name)]) : null
}

export function bytesOf(expression: JavaExpression): number | null {
  if (expression.kind === 'name') return expression.path.join('.') === 'MemorySize.ZERO' ? 0 : null
  if (expression.kind === 'new') return expression.type === 'MemorySize' ? product(expression.args[0], 1) : null
  if (expression.kind !== 'call') return null
  const [amount, unit] = expression.args
  if (plainName(expression.name).startsWith('parse') && amount?.kind === 'string') {
    const parsed = parseMemory(amount.text)
    const factor = unit === undefined ? 1 : BYTES_OF[unitName(lastName(unit))]
    return parsed.ok && factor !== undefined ? parsed.value * factor : null
  }
  return expression.args.length === 1 ? product(amount, BYTES_OF[unitName(expression.name)]) : null
}

const product = (amount: JavaExpression | undefined, factor: number | undefined): number | null => (amount?.kind === 'number' && factor !== undefined ? amount.value * factor : null)

/** "1 s" rather than "1000 ms", where it comes out even. */
export function durationText(millis: number): string {
  if (!Number.isSafeInteger(millis)) return `${millis} ms`
  const unit = millis === 0 ? undefined : ([[60_000, 'min'], [1000, 's']] as const).find(([size]) => millis % size === 0)
  return unit === undefined ? `${millis} ms` : `${millis / unit[0]} ${unit[1]}`
}

export function memoryText(bytes: number): string {
  const unit = bytes === 0 ? undefined : ([[2 ** 20, 'mb'], [2 ** 10, 'kb']] as const).find(([size]) => bytes % size === 0)
  return unit === undefined ? `${bytes} bytes` : `${bytes / unit[0]} ${unit[1]}`
}
