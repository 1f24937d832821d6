import type { OperatorDescription } from '../model/job-graph.ts'
import { keySchema } from '../model/schema.ts'
import type { Schema } from '../model/schema.ts'
import type { KeyGroupRange } from '../model/state-handles.ts'
import { keyGroupRange } from './key-groups.ts'

export interface KeyedBackendOptions {
  readonly keySchema: Schema
  readonly keyGroupRange: KeyGroupRange
  readonly maxParallelism: number
}

/** One backend for all keyed inputs of an operator: they agree on the type of the key. Null: no input is keyed. */
export function keyedBackendOptions(
  description: OperatorDescription,
  { subtask, parallelism, maxParallelism }: { readonly subtask: number; readonly parallelism: number; readonly maxParallelism: number },
): KeyedBackendOptions | null {
  const input = description.keyFields.findIndex((fields) => fields !== null)
  if (input < 0) return null
  return {
    keySchema: keySchema(description.inputs[input] as Schema, description.keyFields[input] as readonly string[]),
    keyGroupRange: keyGroupRange(subtask, parallelism, maxParallelism),
    maxParallelism,
  }
}
