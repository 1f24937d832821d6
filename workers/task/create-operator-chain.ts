/** Builds the chain of a deployment, tail first, because each operator emits into the next. */
import type { TaskDeployment } from '../model/deployment.ts'
import type { OperatorDescription } from '../model/job-graph.ts'
import { keySchema } from '../model/schema.ts'
import type { Schema } from '../model/schema.ts'
import { FinishedOperator } from '../operators/finished-operator.ts'
import type { RecordWriter } from '../network/record-writer.ts'
import type { KeyedStateBackend } from '../state/backend.ts'
import { keyGroupRange } from '../state/key-groups.ts'
import { ChainNode } from './chain-node.ts'
import { OperatorChain } from './operator-chain.ts'
import type { StreamTaskEnvironment } from './task-environment.ts'
import type { TaskEffects } from './task-effects.ts'

export function createOperatorChain(
  deployment: TaskDeployment,
  environment: StreamTaskEnvironment,
  writer: RecordWriter,
  effects: TaskEffects,
): OperatorChain {
  const isFinished = deployment.restore?.isFinished === true
  const nodes: ChainNode[] = []
  for (let index = deployment.chain.length - 1; index >= 0; index--) {
    const description = deployment.chain[index] as OperatorDescription
    nodes.unshift(
      new ChainNode({
        index,
        description,
        deployment,
        operator: isFinished ? new FinishedOperator() : environment.createOperator(description, environment.compile),
        keyed: isFinished ? null : createKeyedBackend(description, deployment, environment),
        operatorState: environment.createOperatorStateBackend(),
        next: nodes[0] ?? null,
        writer,
        effects,
      }),
    )
  }
  return new OperatorChain(nodes)
}

/** One backend for all keyed inputs of an operator: they agree on the type of the key. */
function createKeyedBackend(
  description: OperatorDescription,
  deployment: TaskDeployment,
  environment: StreamTaskEnvironment,
): KeyedStateBackend | null {
  const input = description.keyFields.findIndex((fields) => fields !== null)
  if (input < 0) return null
  const { subtask, parallelism, maxParallelism } = deployment
  return environment.createKeyedBackend({
    keySchema: keySchema(description.inputs[input] as Schema, description.keyFields[input] as readonly string[]),
    keyGroupRange: keyGroupRange(subtask, parallelism, maxParallelism),
    maxParallelism,
  })
}
