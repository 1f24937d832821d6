/**
 * A Long that a JavaScript number cannot hold exactly. A running operator never works on one: the job fails, and is not retried
 * (DESIGN 8, 19). Inspection reads such values as bigint instead.
 */
export class UnsafeLongError extends Error {
  override readonly name: string = 'UnsafeLongError'
  /** The value as decimal text, as far as it is known. */
  readonly value: string

  /** `where` names operator, state or field, as far as the thrower knows it. */
  constructor(value: string, where = '') {
    super(`the Long ${value}${where === '' ? '' : ` (${where})`} is beyond ±(2^53 − 1): it cannot be computed with exactly here, so it is refused, not rounded`)
    this.value = value
  }
}

/** The number itself if it is an exact Long, else throws. */
export function safeLong(value: number, where = ''): number {
  if (!Number.isSafeInteger(value)) throw new UnsafeLongError(String(value), where)
  return value
}
