/** What is allowed and probably not meant. */
import { applies } from '../catalogue/check-parameters.ts'
import type { JobSettings, Problem } from '../job-graph.ts'
import { jsonPointer } from '../json-pointer.ts'
import { parseDuration } from '../options/values.ts'
import type { DescribedOperator } from './chain-operators.ts'
import type { OperatorEdge } from './compile-edges.ts'

const warning = (path: readonly (string | number)[], message: string, cure: string): Problem => ({ severity: 'warning', path: jsonPointer(...path), message, cure })

export function warnings(described: readonly DescribedOperator[], edges: readonly OperatorEdge[], settings: JobSettings): readonly Problem[] {
  return described.flatMap((item) => [
    ...loose(item, edges),
    ...meaningless(item),
    ...transactional(item, settings),
    ...upsert(item, edges),
    ...slots(item, settings),
  ])
}

/** With slot sharing a slot takes one subtask of each vertex: as many slots as the highest parallelism. Too few, and the job waits for them in vain. */
function slots({ operator }: DescribedOperator, { taskManagers, slotsPerTaskManager }: JobSettings): readonly Problem[] {
  const there = taskManagers * slotsPerTaskManager
  if (operator.parallelism <= there) return []
  return [
    warning(
      ['operators', operator.index, 'parallelism'],
      `"${operator.document.uid}" needs ${operator.parallelism} slots, and the cluster has ${there}: the job would wait for slots, and each wait ends as a failure after slot.request.timeout.`,
      `Lower it to ${there}, or raise playground.taskManagers (${taskManagers}) or playground.slotsPerTaskManager (${slotsPerTaskManager}).`,
    ),
  ]
}

function loose({ operator }: DescribedOperator, edges: readonly OperatorEdge[]): readonly Problem[] {
  if (operator.type.isSink || edges.some((edge) => edge.from === operator)) return []
  return [warning(['operators', operator.index], `Nothing takes what "${operator.document.uid}" emits.`, 'Connect it to another operator or to a sink.')]
}

/** A parameter that only another choice would use. */
function meaningless({ operator, description }: DescribedOperator): readonly Problem[] {
  return operator.type.parameters
    .filter((parameter) => description.params[parameter.name] !== undefined && !applies(parameter, operator.type, description.params))
    .map((parameter) =>
      warning(['operators', operator.index, 'params', parameter.name], `"${parameter.name}" means nothing here.`, `It belongs to ${parameter.when?.oneOf.join(', ') ?? 'another choice'}.`),
    )
}

/** Behaviour 16.1: commits follow completed checkpoints, and a transaction must outlive the time between two of them. */
function transactional({ operator, description }: DescribedOperator, settings: JobSettings): readonly Problem[] {
  if (description.type !== 'two-phase-commit') return []
  const interval = settings.checkpointing.intervalMicros
  if (interval === null) {
    return [
      warning(
        ['operators', operator.index],
        `"${description.uid}" commits when a checkpoint completes, and periodic checkpointing is off.`,
        'Set execution.checkpointing.interval, or trigger checkpoints by hand.',
      ),
    ]
  }
  const timeout = parseDuration(String(description.params['transactionTimeout'] ?? '15 min'))
  if (!timeout.ok || timeout.value > interval) return []
  return [
    warning(
      ['operators', operator.index, 'params', 'transactionTimeout'],
      'The transaction timeout is not longer than the checkpoint interval: transactions are aborted before their commit, and rows are lost.',
      'Make it longer than the interval and the longest downtime together.',
    ),
  ]
}

function upsert({ operator, description }: DescribedOperator, edges: readonly OperatorEdge[]): readonly Problem[] {
  if (description.type !== 'upsert' || operator.parallelism === 1) return []
  const by = String(description.params['by'])
  return edges
    .filter((edge) => edge.to === operator && !(edge.ship === 'hash' && edge.by.length === 1 && edge.by[0] === by))
    .map((edge) => warning(['edges', edge.index], `Several subtasks may write the same "${by}" in any order.`, `Ship by hash of "${by}".`))
}
