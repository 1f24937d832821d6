/** Random faults at random moments: at a virtual time, or right after the n-th event of a kind, which hits the middle of things. */
import type { Prng } from '../../../base/prng.ts'
import type { EventType } from '../../../model/events.ts'
import type { JobDocument } from '../../../model/job-document.ts'
import type { Fault } from '../../../model/scenario-document.ts'
import type { PlannedFault } from '../fault-injector.ts'


const MOMENTS: readonly EventType[] = [
  'CheckpointTriggered',
  'BarrierArrived',
  'BarrierEmitted',
  'SyncSnapshotStarted',
  'SyncSnapshotEnded',
  'AsyncSnapshotEnded',
  'CheckpointAcknowledged',
  'CheckpointCompleted',
  'CheckpointCompleteNotified',
  'CheckpointRestored',
  'TaskStateChanged',
  'StateRestored',
  'RestartScheduled',
  'TransactionPreCommitted',
  'TransactionCommitted',
]

const LAST_FAULT_MICROS = 180_000

export function randomFaults(random: Prng, document: JobDocument): readonly PlannedFault[] {
  const faults: PlannedFault[] = []
  const count = random.pick([0, 1, 1, 2, 2, 3, 4])
  for (let i = 0; i < count; i++) {
    const when = random.chance(0.4) ? { at: random.int(0, LAST_FAULT_MICROS) } : { event: random.pick(MOMENTS), count: random.int(1, 12) }
    faults.push({ fault: randomFault(random, document), when })
  }
  return faults
}

function randomFault(random: Prng, document: JobDocument): Fault {
  switch (random.pick(['subtask', 'subtask', 'subtask', 'task-manager', 'job-manager', 'storage', 'reply', 'stall', 'outage'] as const)) {
    case 'subtask': {
      const operator = random.pick(document.operators)
      return { kind: 'kill-subtask', uid: operator.uid, subtask: random.int(0, (operator.parallelism ?? 1) - 1) }
    }
    case 'task-manager':
      return { kind: 'kill-task-manager', index: random.int(0, 3) }
    case 'job-manager':
      return { kind: 'kill-job-manager' }
    case 'storage':
      return { kind: 'fail-storage', reason: random.pick(['QUOTA_EXCEEDED', 'UNAVAILABLE', 'ABORTED']), count: random.int(1, 3) }
    case 'reply':
      return { kind: 'lose-storage-reply', applied: random.chance(0.5) }
    case 'stall':
      return { kind: 'stall-storage', for: `${random.int(1, 60)} ms` }
    case 'outage':
      return { kind: 'outside-outage', for: `${random.int(1, 40)} ms` }
  }
}
