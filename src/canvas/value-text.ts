/** Values of records and of state as they stand in tables. */
import type { Scalar, Value } from '../../workers/model/schema.ts'
import { count } from '../widgets/figures.ts'

export const fieldsOf = (value: Value): readonly Scalar[] => (typeof value === 'object' ? value : [value])

export function scalarText(value: Scalar | undefined): string {
  if (value === undefined) return '–'
  if (typeof value !== 'number') return String(value)
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞'
  return Number.isInteger(value) ? count(value) : value.toFixed(1).replace('-', '−')
}

export const keyText = (key: Value): string => fieldsOf(key).map(String).join(' · ')

/** "+3", "−2"; empty where there is no difference or none of numbers. */
export function deltaText(now: Scalar | undefined, before: Scalar | undefined): string {
  if (typeof now !== 'number' || typeof before !== 'number' || now === before) return ''
  const difference = now - before
  return `${difference > 0 ? '+' : '−'}${scalarText(Math.abs(difference))}`
}
