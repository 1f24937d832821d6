/**
 * Which files several checkpoints use, and when the last of them lets go. Flink: SharedStateRegistryImpl (behaviour 5.3). Keeps the books alone:
 * whoever asks deletes the files that it hands out. Keyed by the physical identity of a file, its path.
 *
 * A backend that shares files (incremental checkpoints) names them in `OperatorSubtaskState.shared`; the heap backend has none.
 */
import type { CheckpointId } from '../model/ids.ts'
import type { SharedStateFile, SharedStateHandle, TaskStateSnapshot } from '../model/state-handles.ts'
import type { CompletedCheckpoint } from './completed-checkpoint.ts'

interface Entry {
  readonly handle: SharedStateHandle
  readonly createdBy: CheckpointId
  lastUsedBy: CheckpointId
  /** Its creator, a claimed savepoint, stays whole as long as this is used. */
  readonly keepsCreator: boolean
}

export interface Unregistered {
  /** Paths of files that no checkpoint uses any more. */
  readonly files: readonly string[]
  /** Claimed savepoints of which something is still used: their deletion has to wait. */
  readonly creatorsInUse: ReadonlySet<CheckpointId>
}

export class SharedStateRegistry {
  private readonly entries = new Map<string, Entry>()
  /** Files that snapshots up to this one brought are not the job's to delete. Flink: highestNotClaimedCheckpointID. */
  private highestUnclaimed = -1

  /** Paths of all files that are registered, oldest registration first. */
  get files(): readonly string[] {
    return [...this.entries.keys()]
  }

  /**
   * A checkpoint uses the file. Gives back the handle to use; for a placeholder that is the one registered before. Throws where a placeholder names
   * a file that nobody has registered, or the file is known with another length: illegal states in Flink too.
   */
  register(handle: SharedStateHandle, checkpointId: CheckpointId): SharedStateHandle {
    return this.registerEntry(handle, checkpointId, false)
  }

  /** All shared files of an acknowledgement, also of one that comes too late; placeholders in it are replaced. */
  registerAll(snapshot: TaskStateSnapshot, checkpointId: CheckpointId): TaskStateSnapshot {
    if (snapshot.operators.every(({ state }) => state.shared === undefined)) return snapshot
    const registered = (file: SharedStateFile): SharedStateFile => ({ name: file.name, handle: this.register(file.handle, checkpointId) })
    return {
      ...snapshot,
      operators: snapshot.operators.map(({ operatorId, state }) => ({
        operatorId,
        state: state.shared === undefined ? state : { ...state, shared: state.shared.map(registered) },
      })),
    }
  }

  /** What the job was restored from. The files of one that is not claimed are never handed out for deletion. */
  registerRestored(checkpoint: CompletedCheckpoint): void {
    const { checkpointId } = checkpoint
    const isUnclaimed = checkpoint.isUnclaimed === true
    const keepsCreator = checkpoint.isSavepoint === true && !isUnclaimed
    for (const file of sharedFilesOf(checkpoint)) this.registerEntry(file.handle, checkpointId, keepsCreator)
    if (isUnclaimed) this.highestUnclaimed = Math.max(this.highestUnclaimed, checkpointId)
  }

  /** Checkpoints below `lowest` are gone: what none of the others uses is forgotten. */
  unregisterUnused(lowest: CheckpointId): Unregistered {
    const files: string[] = []
    const creatorsInUse = new Set<CheckpointId>()
    for (const [path, entry] of this.entries) {
      if (entry.lastUsedBy >= lowest) {
        if (entry.keepsCreator) creatorsInUse.add(entry.createdBy)
        continue
      }
      this.entries.delete(path)
      if (entry.createdBy > this.highestUnclaimed) files.push(path)
    }
    return { files, creatorsInUse }
  }

  private registerEntry(handle: SharedStateHandle, checkpointId: CheckpointId, keepsCreator: boolean): SharedStateHandle {
    const entry = this.entries.get(handle.path)
    if (entry === undefined) {
      if (handle.kind === 'placeholder') throw new RangeError(`Attempt to reference unknown state: ${handle.path}`)
      this.entries.set(handle.path, { handle, createdBy: checkpointId, lastUsedBy: checkpointId, keepsCreator })
      return handle
    }
    if (entry.handle.size !== handle.size) {
      throw new RangeError(`The shared file ${handle.path} is registered with ${entry.handle.size} bytes, checkpoint ${checkpointId} says ${handle.size}`)
    }
    entry.lastUsedBy = Math.max(entry.lastUsedBy, checkpointId)
    return entry.handle
  }
}

export function sharedFilesOf({ operatorStates }: CompletedCheckpoint): readonly SharedStateFile[] {
  return operatorStates.flatMap(({ subtasks }) => subtasks.flatMap(({ state }) => state.shared ?? []))
}
