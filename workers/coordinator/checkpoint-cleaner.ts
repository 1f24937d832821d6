/**
 * Deletes the files of checkpoints that ended without being kept. Flink: CheckpointsCleaner, CompletedCheckpoint.discard,
 * PendingCheckpoint.discard. How many deletions are under way throttles new checkpoints (behaviour 2.2, rule 2).
 *
 * A completed one goes in the order `_metadata`, private state, directory (5.2): from the first step on nobody can restore from half of it. What
 * else lies in its directory stays, since that is removed only if it is empty; here a directory without files is none. An aborted one goes with all
 * that is below its directory (3.3).
 */
import type { CheckpointId } from '../model/ids.ts'
import type { StorageOp } from '../model/storage.ts'
import { checkpointLocation, isAddressable } from './checkpoint-directory.ts'
import { metadataPath } from './completed-checkpoint.ts'
import type { CompletedCheckpoint } from './completed-checkpoint.ts'
import type { CoordinatorPort } from './coordinator-port.ts'
import { privateFilesOf } from './operator-states.ts'

/** Ours: directories of aborted checkpoints to look at once more. What is forgotten is left to the sweep of the whole job directory. */
const LINGERING_MAX = 1000

export class CheckpointCleaner {
  private readonly port: CoordinatorPort
  private readonly jobDirectory: string | null
  private readonly underWay = new Map<CheckpointId, number>()
  /**
   * A task may still have been writing when its checkpoint was aborted: what arrived after the deletion is deleted at the next completion.
   */
  private lingering = new Map<CheckpointId, string>()

  constructor(port: CoordinatorPort, jobDirectory: string | null) {
    this.port = port
    this.jobDirectory = jobDirectory
  }

  /** Checkpoints that are being deleted. */
  get cleaning(): number {
    return this.underWay.size
  }

  location(id: CheckpointId): string {
    return checkpointLocation(this.jobDirectory, id)
  }

  /** All that lies below the directory of a checkpoint that did not complete. */
  clean(id: CheckpointId, directory: string, mayLinger: boolean): void {
    if (!isAddressable(directory)) return
    if (mayLinger) this.linger(id, directory)
    this.delete(id, { type: 'delete-below', directory, keep: [] })
  }

  /**
   * A completed checkpoint that is not needed any more. One that the job does not own stays as it is. `storedForHa`: its bytes in the
   * high-availability store, if it could be found nowhere else.
   */
  discard(checkpoint: CompletedCheckpoint, storedForHa: string | null): void {
    if (checkpoint.isUnclaimed === true) return
    const { checkpointId: id, location } = checkpoint
    const metadata = isAddressable(location) ? metadataPath(location) : storedForHa
    if (metadata !== null) this.deleteFiles(id, [metadata])
    this.deleteFiles(id, privateFilesOf(checkpoint))
  }

  /** Single files, whatever directory they are in. Requests are carried out in the order in which they are made. */
  deleteFiles(id: CheckpointId, paths: readonly string[]): void {
    if (paths.length > 0) this.delete(id, { type: 'transact', writes: [], deletes: paths, durability: 'relaxed' })
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

  private linger(id: CheckpointId, directory: string): void {
    this.lingering.set(id, directory)
    const [oldest] = this.lingering.keys()
    if (this.lingering.size > LINGERING_MAX && oldest !== undefined) this.lingering.delete(oldest)
  }

  private delete(id: CheckpointId, op: StorageOp): void {
    this.underWay.set(id, (this.underWay.get(id) ?? 0) + 1)
    this.port.storage(op, { kind: 'cleaned', checkpointId: id })
  }
}
