import { must } from '../../base/assert.ts'
import type { Scalar, Value } from '../../model/schema.ts'
import type { KeyedStateBackend } from '../../state/backend.ts'
import type { OperatorContext } from '../operator.ts'

/** A new array that begins with the fields of the current key and has room for `results` more. Returns where they go. */
export function keyedRow(key: Value, results: number): { readonly row: Scalar[]; readonly at: number } {
  if (typeof key !== 'object') {
    const row = new Array<Scalar>(1 + results)
    row[0] = key
    return { row, at: 1 }
  }
  const row = new Array<Scalar>(key.length + results)
  for (let i = 0; i < key.length; i++) row[i] = key[i] as Scalar
  return { row, at: key.length }
}

export const keyedBackend = (context: OperatorContext): KeyedStateBackend => must(context.keyed, `keyed state of ${context.description.uid}`)

/** A Long that left what a number holds exactly: the job fails with operator, state and key, and is not retried (DESIGN 8, 19). */
export function failUnsafeLong(context: OperatorContext, state: string, value: number): void {
  const key = JSON.stringify(keyedBackend(context).currentKey)
  context.fail(
    `${context.description.name}: the Long ${value} of state "${state}" for key ${key} is beyond ±(2^53 − 1): it cannot be computed with exactly here, so it is refused, not rounded`,
    { nonRecoverable: true, detail: `operator ${context.description.uid}, state ${state}, key ${key}` },
  )
}
