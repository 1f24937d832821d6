import type { TaskDeployment } from '../model/deployment.ts'
import type { KeyedStateReport, TaskReport } from '../model/report.ts'
import type { EngineTime } from '../model/time.ts'
import type { StreamTaskEnvironment } from './task-environment.ts'
import type { TaskInput, TaskOut, WaitingState } from './task-io.ts'

/**
 * The stream task machine: one chain of operators between input gates and result partitions. Flink: StreamTask.
 *
 * How a host drives it:
 * 1. `new StreamTask(deployment, environment)`, then `handle({ type: 'start' }, now, out)`. Messages and feedback may come before `start`.
 * 2. Every message, feedback, command, reply and timer goes to `handle`, in the order of its arrival per channel.
 * 3. After every `handle` and every `run`, ask `waiting(now)`: call `run(budget, now, out)` while it says `ready` (let messages in
 *    between two calls); in every other state an input has to come first (for `busyUntil` the timer `busy`, which the task has set).
 * 4. `background(budget, now, out)` is the asynchronous part of snapshots: call it between two `run`s and when idle, also while the
 *    task is blocked, as long as it answers true.
 * 5. `report(now)` a few times a second. After `ended` nothing has an effect any more.
 * `now` never goes back. `out` is used during the call only.
 */
export class StreamTask {
  readonly deployment: TaskDeployment

  constructor(deployment: TaskDeployment, _environment: StreamTaskEnvironment) {
    this.deployment = deployment
  }

  handle(_input: TaskInput, _now: EngineTime, _out: TaskOut): void {
    throw new Error('to be written')
  }

  /** The default action: works on at most `budget` records and returns early when it has to wait. */
  run(_budget: number, _now: EngineTime, _out: TaskOut): void {
    throw new Error('to be written')
  }

  /** Writes up to `budget` entries of a snapshot that is under way; true while there is more to write. */
  background(_budget: number, _now: EngineTime, _out: TaskOut): boolean {
    throw new Error('to be written')
  }

  waiting(_now: EngineTime): WaitingState {
    throw new Error('to be written')
  }

  report(_now: EngineTime): TaskReport {
    throw new Error('to be written')
  }

  /** Every entry of an operator's keyed state, for queries; null where the operator is not here or keeps no keyed state. */
  keyedEntries(_uid: string): KeyedStateReport['rows'] | null {
    throw new Error('to be written')
  }
}
