/**
 * Deletes the files of checkpoints that ended without being kept. Flink: CheckpointsCleaner. How many deletions are under way throttles
 * new checkpoints (behaviour 2.2, rule 2).
 */
import type { CheckpointId } from '../model/ids.ts'
import type { CoordinatorPort } from './coordinator-port.ts'

export class CheckpointCleaner {
  private readonly port: CoordinatorPort
  private readonly jobDirectory: string
  private readonly underWay = new Map<CheckpointId, number>()
  /**
   * A task may still have been writing when its checkpoint was aborted: what arrived after the deletion is deleted at the next completion.
   */
  private lingering = new Map<CheckpointId, string>()

  constructor(port: CoordinatorPort, jobDirectory: string) {
    this.port = port
    this.jobDirectory = jobDirectory
  }

  /** Checkpoints that are being deleted. */
  get cleaning(): number {
    return this.underWay.size
  }

  location(id: CheckpointId): string {
    return `${this.jobDirectory}/chk-${id}`
  }

  clean(id: CheckpointId, directory: string, mayLinger: boolean): void {
    if (mayLinger) this.lingering.set(id, directory)
    this.underWay.set(id, (this.underWay.get(id) ?? 0) + 1)
    this.port.storage({ type: 'delete-below', directory, keep: [] }, { kind: 'cleaned', checkpointId: id })
  }

  /** A failed deletion is not tried again here: the sweep at the next completion, or of the next leader, finds the files. */
  cleaned(id: CheckpointId): void {
    const left = (this.underWay.get(id) ?? 1) - 1
    if (left <= 0) this.underWay.delete(id)
    else this.underWay.set(id, left)
  }

  sweepLingering(): void {
    const found = this.lingering
    this.lingering = new Map()
    for (const [id, directory] of found) this.clean(id, directory, false)
  }
}
