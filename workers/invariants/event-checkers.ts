import { Alignment } from './alignment.ts'
import { CheckpointLifecycle } from './checkpoint-lifecycle.ts'
import type { EventChecker } from './checker.ts'
import { EventOrder } from './event-order.ts'
import { JobStates } from './job-states.ts'
import { References } from './references.ts'
import { SnapshotOrder } from './snapshot-order.ts'
import { StopWithSavepointOrder } from './stop-with-savepoint.ts'
import { TaskStates } from './task-states.ts'
import { Transactions } from './transactions.ts'

/** Fresh checkers of everything that can be said of the event log alone: used by simulator, tests and, live, by the observer. */
export function eventCheckers(): readonly EventChecker[] {
  return [
    new EventOrder(),
    new References(),
    new JobStates(),
    new TaskStates(),
    new CheckpointLifecycle(),
    new SnapshotOrder(),
    new Alignment(),
    new Transactions(),
    new StopWithSavepointOrder(),
  ]
}
