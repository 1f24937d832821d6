/**
 * Who gets which part of an operator's state at restore. Flink: StateAssignmentOperation, RoundRobinOperatorStateRepartitioner,
 * Checkpoints (behaviour 11.2, 11.3). Pure functions over handles: no byte of state is looked at.
 */
import { err, ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { KeyedStateHandle, OperatorRestoreState, OperatorState, OperatorStateHandle, OperatorStateMode } from '../model/state-handles.ts'
import { keyGroupRange } from './key-groups.ts'

/**
 * The state of each new subtask, by its index. `newMaxParallelism` is that of the snapshot (`restoredMaxParallelism` decides it).
 * Keyed handles are handed over whole: the backend reads the key groups of its own range out of them.
 */
export function assignState(old: OperatorState, newParallelism: number, newMaxParallelism: number): OperatorRestoreState[] {
  const subtasks = [...old.subtasks].sort((a, b) => a.index - b.index)
  const keyed = subtasks.flatMap(({ state }) => (state.managedKeyed === null ? [] : [state.managedKeyed]))
  const operator = subtasks.flatMap(({ index, state }) => (state.managedOperator === null ? [] : [{ index, handle: state.managedOperator }]))
  const lists = redistribute(operator, old.parallelism, newParallelism)
  return lists.map((handles, subtask) => ({
    operatorId: old.operatorId,
    keyed: keyed.filter((handle) => overlaps(handle, subtask, newParallelism, newMaxParallelism)),
    operator: handles,
  }))
}

function overlaps(handle: KeyedStateHandle, subtask: number, parallelism: number, maxParallelism: number): boolean {
  const range = keyGroupRange(subtask, parallelism, maxParallelism)
  return handle.range.start <= range.end && range.start <= handle.range.end
}

interface OldHandle {
  readonly index: number
  readonly handle: OperatorStateHandle
}

/** Collects what one new subtask gets: one handle per old file, its states in the order in which they were given. */
class Receiver {
  private readonly parts = new Map<OperatorStateHandle, { name: string; mode: OperatorStateMode; offsets: readonly number[] }[]>()

  give(from: OperatorStateHandle, name: string, mode: OperatorStateMode, offsets: readonly number[]): void {
    const states = this.parts.get(from)
    if (states === undefined) this.parts.set(from, [{ name, mode, offsets }])
    else states.push({ name, mode, offsets })
  }

  handles(order: readonly OldHandle[]): OperatorStateHandle[] {
    return order.flatMap(({ handle }) => {
      const states = this.parts.get(handle)
      return states === undefined ? [] : [{ states, stream: handle.stream }]
    })
  }
}

function redistribute(old: readonly OldHandle[], oldParallelism: number, newParallelism: number): OperatorStateHandle[][] {
  const receivers = Array.from({ length: newParallelism }, () => new Receiver())
  let start = 0
  for (const [name, mode] of stateNames(old)) {
    const holders = old.flatMap(({ index, handle }) => {
      const state = handle.states.find((one) => one.name === name)
      return state === undefined ? [] : [{ index, handle, offsets: state.offsets }]
    })
    switch (mode) {
      case 'UNION':
        for (const receiver of receivers) for (const { handle, offsets } of holders) receiver.give(handle, name, mode, offsets)
        break
      case 'BROADCAST':
        giveCopies(receivers, holders, name, oldParallelism === newParallelism)
        break
      case 'SPLIT_DISTRIBUTE':
        if (oldParallelism === newParallelism) {
          for (const { index, handle, offsets } of holders) receivers[index]?.give(handle, name, mode, offsets)
        } else {
          start = giveRuns(receivers, holders, name, start)
        }
        break
    }
  }
  return receivers.map((receiver) => receiver.handles(old))
}

interface Holder extends OldHandle {
  readonly offsets: readonly number[]
}

/** Each subtask its own copy, or, where there is none or the parallelism has changed, copy `i mod copies`. */
function giveCopies(receivers: readonly Receiver[], holders: readonly Holder[], name: string, unchanged: boolean): void {
  receivers.forEach((receiver, i) => {
    const own = unchanged ? holders.find(({ index }) => index === i) : undefined
    const copy = own ?? holders[i % holders.length]
    if (copy !== undefined) receiver.give(copy.handle, name, 'BROADCAST', copy.offsets)
  })
}

/**
 * All items, in old subtask order, cut into contiguous runs: total div n each, the first (total mod n) receivers one more. Counting
 * starts at receiver `start`; returns where the next state starts: behind the last receiver that got one more.
 */
function giveRuns(receivers: readonly Receiver[], holders: readonly Holder[], name: string, start: number): number {
  const items = holders.flatMap(({ handle, offsets }) => offsets.map((offset) => ({ handle, offset })))
  const base = Math.floor(items.length / receivers.length)
  const extra = items.length % receivers.length
  let next = 0
  for (let i = 0; i < receivers.length; i++) {
    const run = items.slice(next, next + base + (i < extra ? 1 : 0))
    next += run.length
    const receiver = receivers[(start + i) % receivers.length] as Receiver
    for (const { handle } of holders) {
      const offsets = run.filter((item) => item.handle === handle).map(({ offset }) => offset)
      if (offsets.length > 0) receiver.give(handle, name, 'SPLIT_DISTRIBUTE', offsets)
    }
  }
  return (start + extra) % receivers.length
}

/** Named states in the order in which they first appear. */
function stateNames(old: readonly OldHandle[]): Map<string, OperatorStateMode> {
  const names = new Map<string, OperatorStateMode>()
  for (const { handle } of old) for (const { name, mode } of handle.states) if (!names.has(name)) names.set(name, mode)
  return names
}

/**
 * The max parallelism that a restored job runs with: the snapshot's, where the job's was derived; the same, where the user set it. Or why
 * the state cannot be restored. `task` names the vertex in messages.
 */
export function restoredMaxParallelism(
  old: OperatorState,
  task: { readonly name: string; readonly parallelism: number; readonly maxParallelism: number; readonly maxParallelismExplicit: boolean },
): Result<number, string> {
  if (task.maxParallelismExplicit && task.maxParallelism !== old.maxParallelism) {
    return err(
      `Max parallelism mismatch between checkpoint/savepoint state and new program: operator ${old.operatorId} has max parallelism ${old.maxParallelism} in the snapshot, ` +
        `task ${task.name} sets ${task.maxParallelism}. Set it to ${old.maxParallelism}, or leave it out.`,
    )
  }
  if (old.maxParallelism < task.parallelism) {
    return err(
      `The state for task ${task.name} can not be restored. The maximum parallelism (${old.maxParallelism}) of the restored state is lower than ` +
        `the configured parallelism (${task.parallelism}). Reduce the parallelism to at most ${old.maxParallelism}.`,
    )
  }
  return ok(old.maxParallelism)
}
