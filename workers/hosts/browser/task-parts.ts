/** The task with the engine's own parts. */
import { createOperator } from '../../operators/create-operator.ts'
import { compileBuiltin } from '../../operators/functions/compile-builtin.ts'
import { HeapKeyedStateBackend } from '../../state/heap/heap-keyed-state-backend.ts'
import { HeapOperatorStateBackend } from '../../state/operator-state.ts'
import type { StreamTaskEnvironment } from '../../task/task-environment.ts'

export const TASK_ENVIRONMENT: StreamTaskEnvironment = {
  compile: compileBuiltin,
  createOperator,
  createKeyedBackend: ({ keySchema, keyGroupRange, maxParallelism }) => new HeapKeyedStateBackend(keySchema, keyGroupRange, maxParallelism),
  createOperatorStateBackend: () => new HeapOperatorStateBackend(),
}
