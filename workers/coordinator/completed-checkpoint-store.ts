/**
 * The completed checkpoints that the job can go back to. Flink: DefaultCompletedCheckpointStore, CheckpointSubsumeHelper (behaviour 5.1, 5.2).
 * Holds the list only; the pointer file and the deletion of files are the coordinator's effects.
 */
import { assert } from '../base/assert.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { CheckpointingSettings } from '../model/job-graph.ts'
import type { JobStatus } from '../model/execution.ts'
import type { CompletedCheckpoint } from './completed-checkpoint.ts'

type Checkpoints = readonly CompletedCheckpoint[]

export class CompletedCheckpointStore {
  private readonly numRetained: number
  /** Oldest first. */
  private checkpoints: Checkpoints = []

  constructor(numRetained: number, recovered: Checkpoints = []) {
    assert(numRetained >= 1, 'num-retained must be at least 1')
    this.numRetained = numRetained
    this.checkpoints = [...recovered]
  }

  get latest(): CompletedCheckpoint | null {
    return this.checkpoints.at(-1) ?? null
  }

  get all(): Checkpoints {
    return this.checkpoints
  }

  /** Infinity: there is none. */
  get lowestId(): CheckpointId {
    return this.checkpoints[0]?.checkpointId ?? Infinity
  }

  /** The list as it will be once `checkpoint` has been added, and what is subsumed by that. Changes nothing. */
  preview(checkpoint: CompletedCheckpoint): { readonly retained: Checkpoints; readonly subsumed: Checkpoints } {
    const list = [...this.checkpoints, checkpoint].sort((a, b) => a.checkpointId - b.checkpointId)
    const subsumed: CompletedCheckpoint[] = []
    for (const candidate of list) {
      if (list.length - subsumed.length <= this.numRetained) break
      if (canSubsume(candidate, list)) subsumed.push(candidate)
    }
    return { retained: list.filter((candidate) => !subsumed.includes(candidate)), subsumed }
  }

  /** Adds it; returns the checkpoints that are subsumed. */
  add(checkpoint: CompletedCheckpoint): Checkpoints {
    const { retained, subsumed } = this.preview(checkpoint)
    this.checkpoints = retained
    return subsumed
  }

  /** At the end of the job: what is not kept leaves the store, and is returned. */
  shutdown(isKept: (checkpoint: CompletedCheckpoint) => boolean): Checkpoints {
    const dropped = this.checkpoints.filter((checkpoint) => !isKept(checkpoint))
    this.checkpoints = this.checkpoints.filter(isKept)
    return dropped
  }
}

/**
 * Neither the newest nor, of the job's own, the newest: later incremental checkpoints build on that one. What was restored without being claimed
 * counts as a savepoint in Flink, a claimed savepoint as a checkpoint.
 */
function canSubsume(candidate: CompletedCheckpoint, list: Checkpoints): boolean {
  if (candidate === list.at(-1)) return false
  return candidate.isUnclaimed === true || candidate !== list.findLast((checkpoint) => checkpoint.isUnclaimed !== true)
}

/** Whether the files of checkpoints are kept when the job ends so (behaviour 5.1). Suspended: asked without high availability alone. */
export function retainsCheckpoints(retention: CheckpointingSettings['retention'], end: JobStatus): boolean {
  if (retention === 'RETAIN_ON_CANCELLATION') return end !== 'FINISHED'
  return retention === 'DELETE_ON_CANCELLATION' && end === 'FAILED'
}
