import type { EngineEvent } from '../model/events.ts'
import type { EventChecker } from './checker.ts'

const STEPS = ['BarrierEmitted', 'SyncSnapshotStarted', 'SyncSnapshotEnded', 'AsyncSnapshotEnded'] as const

/**
 * The subtask's snapshot procedure goes in order (behaviour 7.1): barrier first, then the synchronous part, then the asynchronous one; a task with
 * inputs emits its barrier only after the last one has arrived.
 */
export class SnapshotOrder implements EventChecker {
  readonly invariant = 'snapshot-order'
  /** By attempt: checkpoint → index of the last step. */
  private steps = new Map<string, Map<number, number>>()
  private missing = new Map<string, Map<number, number>>()

  startJob(): void {
    this.steps.clear()
    this.missing.clear()
  }

  check(event: EngineEvent): string | null {
    const body = event.body
    if (body.type === 'LeadershipGranted') this.startJob()
    if (body.type === 'BarrierArrived') {
      inner(this.missing, body.attempt).set(body.checkpointId, body.expected - body.arrived)
      return null
    }
    // Unaligned: at the first barrier.
    if (body.type === 'UnalignedSnapshotStarted') {
      inner(this.missing, body.attempt).delete(body.checkpointId)
      return null
    }
    const step = STEPS.indexOf(body.type as (typeof STEPS)[number])
    if (step < 0 || !('attempt' in body) || !('checkpointId' in body)) return null
    const known = inner(this.steps, body.attempt)
    const last = known.get(body.checkpointId) ?? -1
    known.set(body.checkpointId, step)
    const missing = this.missing.get(body.attempt)?.get(body.checkpointId) ?? 0
    if (step === 0 && missing > 0) return `${body.attempt} emitted barrier ${body.checkpointId} while ${missing} of its channels had none`
    // A task without outputs emits no barrier.
    const inOrder = step === last + 1 || (step === 1 && last === -1)
    return inOrder ? null : `${body.attempt}: ${body.type} of checkpoint ${body.checkpointId} after ${STEPS[last] ?? 'nothing'}`
  }
}

function inner<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = new Map()))
  return value
}
