/** Description → operator. The catalogue (workers/model/catalogue) has one entry for each case here; a test holds the two together. */
import { must } from '../base/assert.ts'
import type { OperatorDescription } from '../model/job-graph.ts'
import { fieldIndex, type Schema } from '../model/schema.ts'
import { BroadcastJoinOperator } from './broadcast-join.ts'
import { FunctionOperator } from './functions/function-operator.ts'
import { KeyedAggregateOperator } from './keyed/keyed-aggregate.ts'
import { KeyedProcessCountOperator } from './keyed/keyed-process-count.ts'
import { LatestJoinOperator } from './keyed/latest-join.ts'
import { ListStateOperator } from './list-state.ts'
import type { ProcessingOperator, SourceOperator } from './operator.ts'
import { AppendSinkOperator } from './sinks/append-sink.ts'
import { TwoPhaseCommitSinkOperator } from './sinks/two-phase-commit-sink.ts'
import { GeneratorSourceOperator } from './sources/generator-source.ts'
import { LogSourceOperator } from './sources/log-source.ts'
import { UnionOperator } from './union.ts'
import type { Compile, FunctionSource } from './user-function.ts'

/** Makes an operator; it is opened later, with its context. Throws for a type that the catalogue does not have. */
export function createOperator(description: OperatorDescription, compile: Compile): ProcessingOperator | SourceOperator {
  const { params } = description
  switch (description.type) {
    case 'log':
      return new LogSourceOperator(description)
    case 'generator':
      return new GeneratorSourceOperator(description)
    case 'map':
      return new FunctionOperator(builtin(params, 'identity'), input(description), compile)
    case 'filter':
      return new FunctionOperator({ builtin: 'compare', params }, input(description), compile)
    case 'flat-map':
      return new FunctionOperator(builtin(params, 'split-words'), input(description), compile)
    case 'union':
      return new UnionOperator()
    case 'list-state':
      return new ListStateOperator(description)
    case 'aggregate':
      return new KeyedAggregateOperator(description)
    case 'process-count':
      return new KeyedProcessCountOperator((params['emitEvery'] as number | undefined) ?? 1)
    case 'connect':
      return new LatestJoinOperator(description)
    case 'broadcast-join':
      return new BroadcastJoinOperator(description)
    case 'print':
      return new AppendSinkOperator({ upsertBy: null, discard: params['discard'] === true })
    case 'upsert':
      return new AppendSinkOperator({ upsertBy: fieldIndex(input(description), String(params['by'])), discard: false })
    case 'two-phase-commit':
      return new TwoPhaseCommitSinkOperator(description)
    default:
      throw new RangeError(`no operator of type ${description.type}`)
  }
}

const input = (description: OperatorDescription): Schema => must(description.inputs[0], `input of ${description.uid}`)

const builtin = (params: Readonly<Record<string, unknown>>, otherwise: string): FunctionSource => ({ builtin: String(params['function'] ?? otherwise), params })
