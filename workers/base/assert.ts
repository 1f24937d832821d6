/** Assertions: they stay on in production. A failed one is a bug of ours, never a mistake of the user. */

export class AssertionError extends Error {
  override readonly name = 'AssertionError'
}

/** Throws unless `condition` holds; the message says what should have been true. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionError(message)
}

/** The value, which the caller knows to be there; throws with `what` in the message otherwise. */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new AssertionError(`missing: ${what}`)
  return value
}

/** Closes a `switch` over a union: does not compile while a case is missing. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable: ${JSON.stringify(value)}`)
}
