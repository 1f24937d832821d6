/**
 * What completed checkpoints take of the JobManager's memory: the bytes that stand in their handles. With JobManager storage that is all state, with
 * filesystem storage what stayed below the inline threshold. Lost with the JobManager (behaviour 10.2).
 */
import type { CompletedCheckpoint } from './completed-checkpoint.ts'
import type { CoordinatorPort } from './coordinator-port.ts'
import { inlineBytesOf } from './operator-states.ts'

export class HeldMemory {
  private readonly port: CoordinatorPort
  private lastTold = ''

  constructor(port: CoordinatorPort) {
    this.port = port
  }

  /** Tells of a change; `held` is what the store has now. */
  update(held: readonly CompletedCheckpoint[]): void {
    const checkpoints = held.map(({ checkpointId, operatorStates }) => ({ checkpointId, bytes: inlineBytesOf(operatorStates) }))
    const told = checkpoints.map(({ checkpointId, bytes }) => `${checkpointId}:${bytes}`).join()
    if (told === this.lastTold) return
    this.lastTold = told
    this.port.event({ type: 'SnapshotMemoryChanged', checkpoints, totalBytes: checkpoints.reduce((sum, { bytes }) => sum + bytes, 0) })
  }
}
