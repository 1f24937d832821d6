/** Java expressions → values in Flink's syntax. Null: the text does not say the value. */
import type { JavaExpression } from './java-expression.ts'

const MILLIS_OF: Readonly<Record<string, number>> = {
  ofmillis: 1,
  ofseconds: 1000,
  ofminutes: 60_000,
  ofhours: 3_600_000,
  ofdays: 86_400_000,
  milliseconds: 1,
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
}
const BYTES_OF: Readonly<Record<string, string>> = { ofBytes: 'bytes', ofKibiBytes: 'kb', ofMebiBytes: 'mb' }

/** "1 s" rather than "1000 ms", where it comes out even. */
export function durationText(millis: number): string {
  if (!Number.isSafeInteger(millis)) return `${millis} ms`
  const unit = millis === 0 ? undefined : ([[60_000, 'min'], [1000, 's']] as const).find(([size]) => millis % size === 0)
  return unit === undefined ? `${millis} ms` : `${millis / unit[0]} ${unit[1]}`
}

/** A number of milliseconds, a `Duration` or a `Time`. */
export function durationOf(expression: JavaExpression | undefined): string | null {
  if (expression?.kind === 'number') return durationText(expression.value)
  if (expression?.kind !== 'call') return null
  const [amount, unit] = expression.args
  if (amount?.kind !== 'number') return null
  const name = expression.name === 'of' && unit?.kind === 'name' ? (unit.path.at(-1) ?? '') : expression.name
  const millis = MILLIS_OF[name.toLowerCase()]
  return millis === undefined ? null : durationText(amount.value * millis)
}

export const integerOf = (expression: JavaExpression | undefined): string | null => {
  if (expression?.kind === 'number') return String(expression.value)
  return expression?.kind === 'name' && expression.path.join('.') === 'Integer.MAX_VALUE' ? '2147483647' : null
}

/** No argument reads as `otherwise`: `enableUnalignedCheckpoints()`. */
export function booleanOf(expression: JavaExpression | undefined, otherwise: string | null): string | null {
  if (expression === undefined) return otherwise
  const name = expression.kind === 'name' ? expression.path.join('.') : ''
  return name === 'true' || name === 'Boolean.TRUE' ? 'true' : name === 'false' || name === 'Boolean.FALSE' ? 'false' : null
}

/** The last name of an enum constant; a lower-case name is a variable, whose value the text does not say. */
export function constantOf(expression: JavaExpression | undefined): string | null {
  const name = expression?.kind === 'name' ? (expression.path.at(-1) ?? '') : ''
  return /^[A-Z][A-Z0-9_]+$/.test(name) ? name : null
}

export const stringOf = (expression: JavaExpression | undefined): string | null => (expression?.kind === 'string' ? expression.text : null)

/** A value whose kind the option decides: what `config.set(…, value)` is given. */
export function anyValueOf(expression: JavaExpression | undefined, isDuration: boolean): string | null {
  if (expression === undefined) return null
  if (isDuration) return durationOf(expression) ?? stringOf(expression)
  if (expression.kind === 'call' && expression.name === 'parse') return stringOf(expression.args[0])
  const bytes = expression.kind === 'call' ? BYTES_OF[expression.name] : undefined
  if (bytes !== undefined && expression.kind === 'call') {
    const amount = integerOf(expression.args[0])
    return amount === null ? null : `${amount} ${bytes}`
  }
  return stringOf(expression) ?? booleanOf(expression, null) ?? integerOf(expression) ?? constantOf(expression) ?? durationOf(expression)
}
