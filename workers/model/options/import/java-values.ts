/** Expressions that are evaluated as far as they can be → values in Flink's syntax. Null: the text does not say the value. */
import type { OptionType } from '../option-description.ts'
import type { JavaExpression } from './java-expression.ts'
import { bytesOf, durationText, memoryText, millisOf } from './java-quantities.ts'

type Argument = JavaExpression | undefined

/** A number of milliseconds, a `Duration` or a `Time`. */
export function durationOf(expression: Argument): string | null {
  if (expression === undefined) return null
  const millis = expression.kind === 'number' ? expression.value : millisOf(expression)
  if (millis === null) return isLargest(expression, 'Long') ? `${LARGEST.Long} ms` : null
  return durationText(millis)
}

const LARGEST = { Integer: '2147483647', Long: '9223372036854775807' } as const
const isLargest = (expression: JavaExpression, type: 'Integer' | 'Long'): boolean =>
  expression.kind === 'name' && /^(MAX_VALUE|MaxValue)$/.test(expression.path.at(-1) ?? '') && (expression.path.at(-2) ?? '').startsWith(type.slice(0, 3))

export function integerOf(expression: Argument): string | null {
  if (expression?.kind === 'number') return String(expression.value)
  if (expression === undefined) return null
  return isLargest(expression, 'Integer') ? LARGEST.Integer : isLargest(expression, 'Long') ? LARGEST.Long : null
}

/** No argument reads as `otherwise`: `enableUnalignedCheckpoints()`. */
export function booleanOf(expression: Argument, otherwise: string | null): string | null {
  if (expression === undefined) return otherwise
  const name = expression.kind === 'name' ? expression.path.join('.') : ''
  const match = /^(?:Boolean\.|TernaryBoolean\.)?(true|false)$/i.exec(name)
  return match === null ? null : (match[1] ?? '').toLowerCase()
}

/** The last name of an enum constant; a lower-case name is a variable, whose value the text does not say. */
export function constantOf(expression: Argument): string | null {
  if (expression?.kind === 'call' && expression.args.length === 0 && /^(name|toString)$/.test(expression.name)) return constantOf(expression.receiver ?? undefined)
  const name = expression?.kind === 'name' ? (expression.path.at(-1) ?? '') : ''
  return /^[A-Z][A-Z0-9_]+$/.test(name) ? name : null
}

export const stringOf = (expression: Argument): string | null => (expression?.kind === 'string' ? expression.text : null)

/** A path as text, `Path`, `URI` or `File`. */
export function pathOf(expression: Argument): string | null {
  if (expression?.kind === 'new' && /^(Path|URI|File)$/.test(expression.type)) {
    const parts = expression.args.map(stringOf)
    return parts.length === 0 || parts.includes(null) ? null : parts.join('/')
  }
  if (expression?.kind === 'call' && /^(create|toUri|toURI|toString|get|of)$/.test(expression.name)) {
    return expression.args.length === 1 ? stringOf(expression.args[0]) : expression.args.length === 0 ? pathOf(expression.receiver ?? undefined) : null
  }
  return stringOf(expression)
}

export function memoryOf(expression: Argument): string | null {
  if (expression === undefined) return null
  const bytes = expression.kind === 'number' ? expression.value : bytesOf(expression)
  return bytes === null ? stringOf(expression) : memoryText(bytes)
}

/** RestartStrategyType of 2.x: `FIXED_DELAY.getMainValue()` is "fixed-delay". */
function mainValueOf(expression: JavaExpression): string | null {
  if (expression.kind !== 'call' || expression.name !== 'getMainValue') return null
  const name = constantOf(expression.receiver ?? undefined)
  return name === null ? null : name === 'NO_RESTART_STRATEGY' ? 'disable' : name.toLowerCase().replaceAll('_', '-')
}

/** What `config.set(option, value)` is given; the type of the option decides, if it is known. */
export function anyValueOf(expression: Argument, type: OptionType | undefined): string | null {
  if (expression === undefined) return null
  const plain = stringOf(expression) ?? mainValueOf(expression) ?? listOf(expression)
  if (plain !== null) return plain
  if (type?.kind === 'duration') return durationOf(expression)
  if (type?.kind === 'memory') return memoryOf(expression)
  const millis = millisOf(expression)
  if (expression.kind === 'call' && expression.name !== 'parse' && millis !== null) return durationText(millis)
  return booleanOf(expression, null) ?? integerOf(expression) ?? constantOf(expression) ?? (expression.kind === 'number' ? null : memoryOf(expression)) ?? pathOf(expression)
}

/** A list is written with semicolons between its values. */
function listOf(expression: JavaExpression): string | null {
  if (expression.kind !== 'call' || !/^(asList|of|listOf|singletonList)$/.test(expression.name) || expression.args.length === 0) return null
  if (!(expression.name !== 'of' || (expression.receiver?.kind === 'name' && /List|Set|Arrays/.test(expression.receiver.path.at(-1) ?? '')))) return null
  const parts = expression.args.map((part) => stringOf(part) ?? integerOf(part) ?? constantOf(part))
  return parts.includes(null) ? null : parts.join(';')
}
