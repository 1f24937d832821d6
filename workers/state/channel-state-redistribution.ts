/**
 * Who gets which in-flight data at restore. Flink: StateAssignmentOperation.reDistributeInputChannelStates and its sibling, SubtaskStateMapper
 * (behaviour 11.4). Pure, over handles. With unchanged parallelism everything goes back to where it was. Else, by the edge:
 *
 *   hash        input data to every subtask whose key groups overlap (each drops what is not its own), output data is partitioned anew
 *   rebalance   old subtask i to new subtask i mod n, old channel i to channel i mod n
 *   others      cannot be done; they hold none, because their barriers never overtake (behaviour 6.6)
 */
import { err, ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { Ship } from '../model/job-document.ts'
import type { ChannelStateHandle, OperatorState } from '../model/state-handles.ts'
import { keyGroupRange } from './key-groups.ts'

/** One input edge of the head, or one output edge of the tail, as the job has it now. */
export interface Exchange {
  readonly ship: Ship
  /** Of the other side. */
  readonly parallelism: number
  readonly oldParallelism: number
}

export interface Exchanges {
  /** By gate. */
  readonly inputs: readonly Exchange[]
  /** By partition. */
  readonly outputs: readonly Exchange[]
}

export interface AssignedChannelState {
  readonly inputChannel: readonly ChannelStateHandle[]
  readonly resultSubpartition: readonly ChannelStateHandle[]
}

const CHAINED =
  'Cannot recover from unaligned checkpoint when topology changes, such that data exchanges with persisted data are now chained or gone. ' +
  'Restore the job from an aligned checkpoint or a savepoint.'

/** The in-flight data of each new subtask, by its index. */
export function assignChannelState(
  old: OperatorState,
  newParallelism: number,
  maxParallelism: number,
  exchanges: Exchanges,
): Result<AssignedChannelState[], string> {
  const inputs = Array.from({ length: newParallelism }, (): ChannelStateHandle[] => [])
  const outputs = Array.from({ length: newParallelism }, (): ChannelStateHandle[] => [])
  for (const { index, state } of old.subtasks) {
    for (const handle of state.inputChannel ?? []) {
      const exchange = exchanges.inputs[handle.major]
      if (exchange === undefined) return err(CHAINED)
      if (isChanged(exchange, old, newParallelism) && !isMappable(exchange)) return err(unmappable(old, exchange))
      for (const target of receiversOf(index, exchange.ship, old, newParallelism, maxParallelism)) {
        inputs[target]?.push({ ...handle, subtask: target, minor: handle.minor % exchange.parallelism })
      }
    }
    for (const handle of state.resultSubpartition ?? []) {
      const exchange = exchanges.outputs[handle.major]
      if (exchange === undefined) return err(CHAINED)
      if (isChanged(exchange, old, newParallelism) && !isMappable(exchange)) return err(unmappable(old, exchange))
      const target = index % newParallelism
      outputs[target]?.push({ ...handle, subtask: target, minor: handle.minor % exchange.parallelism })
    }
  }
  return ok(inputs.map((inputChannel, subtask) => ({ inputChannel, resultSubpartition: outputs[subtask] ?? [] })))
}

/** Whether one channel may now hold what several held before: their watermarks say nothing then. */
export const isRescaled = (old: OperatorState, newParallelism: number, { inputs, outputs }: Exchanges): boolean =>
  [...inputs, ...outputs].some((exchange) => isChanged(exchange, old, newParallelism))

const isChanged = (exchange: Exchange, old: OperatorState, newParallelism: number): boolean =>
  old.parallelism !== newParallelism || exchange.oldParallelism !== exchange.parallelism

const isMappable = ({ ship }: Exchange): boolean => ship === 'hash' || ship === 'rebalance'

const unmappable = (old: OperatorState, { ship }: Exchange): string =>
  `Cannot rescale operator ${old.operatorId} ("${old.uid}"): the ${ship} edge holds in-flight data of an unaligned checkpoint. ` +
  'Restore with the same parallelism, or from an aligned checkpoint or a savepoint.'

function receiversOf(index: number, ship: Ship, old: OperatorState, newParallelism: number, maxParallelism: number): readonly number[] {
  if (old.parallelism === newParallelism) return [index]
  if (ship !== 'hash') return [index % newParallelism]
  const held = keyGroupRange(index, old.parallelism, maxParallelism)
  return Array.from({ length: newParallelism }, (_, subtask) => subtask).filter((subtask) => {
    const range = keyGroupRange(subtask, newParallelism, maxParallelism)
    return held.start <= range.end && range.start <= held.end
  })
}
