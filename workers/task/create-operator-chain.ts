/** Builds the chain of a deployment, tail first, because each operator emits into the next. */
import type { TaskDeployment } from '../model/deployment.ts'
import type { OperatorDescription } from '../model/job-graph.ts'
import { FinishedOperator } from '../operators/finished-operator.ts'
import type { RecordWriter } from '../network/record-writer.ts'
import type { KeyedStateBackend } from '../state/backend.ts'
import { keyedBackendOptions } from '../state/keyed-backend-options.ts'
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
        keyed: isFinished ? null : keyedBackendOf(description, deployment, environment),
        operatorState: environment.createOperatorStateBackend(),
        next: nodes[0] ?? null,
        writer,
        effects,
      }),
    )
  }
  return new OperatorChain(nodes)
}

function keyedBackendOf(description: OperatorDescription, deployment: TaskDeployment, environment: StreamTaskEnvironment): KeyedStateBackend | null {
  const options = keyedBackendOptions(description, deployment)
  return options === null ? null : environment.createKeyedBackend(options)
}
