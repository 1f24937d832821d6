/**
 * The completed checkpoints that the job can go back to. Flink: DefaultCompletedCheckpointStore, CheckpointSubsumeHelper (behaviour 5.1, 5.2).
 * Holds the list only; the pointer file and the deletion of files are the coordinator's effects.
 */
import { assert } from '../base/assert.ts'
import type { CheckpointingSettings } from '../model/job-graph.ts'
import type { JobStatus } from '../model/execution.ts'
import type { CompletedCheckpoint } from './completed-checkpoint.ts'

export class CompletedCheckpointStore {
  private readonly numRetained: number
  /** Oldest first. */
  private checkpoints: CompletedCheckpoint[] = []

  constructor(numRetained: number, recovered: readonly CompletedCheckpoint[] = []) {
    assert(numRetained >= 1, 'num-retained must be at least 1')
    this.numRetained = numRetained
    this.checkpoints = [...recovered]
  }

  get latest(): CompletedCheckpoint | null {
    return this.checkpoints.at(-1) ?? null
  }

  get all(): readonly CompletedCheckpoint[] {
    return this.checkpoints
  }

  /** The list as it will be once `checkpoint` has been added, and what is subsumed by that. Changes nothing. */
  preview(checkpoint: CompletedCheckpoint): { readonly retained: readonly CompletedCheckpoint[]; readonly subsumed: readonly CompletedCheckpoint[] } {
    const list = [...this.checkpoints, checkpoint].sort((a, b) => a.checkpointId - b.checkpointId)
    const surplus = Math.max(0, list.length - this.numRetained)
    return { retained: list.slice(surplus), subsumed: list.slice(0, surplus) }
  }

  /** Adds it; returns the checkpoints that are subsumed. */
  add(checkpoint: CompletedCheckpoint): readonly CompletedCheckpoint[] {
    const { retained, subsumed } = this.preview(checkpoint)
    this.checkpoints = [...retained]
    return subsumed
  }

  /** Empties the store at the end of the job; returns what was in it. */
  clear(): readonly CompletedCheckpoint[] {
    const all = this.checkpoints
    this.checkpoints = []
    return all
  }
}

/** Whether the files of checkpoints are kept when the job ends so (behaviour 5.1). Suspended: asked without high availability alone. */
export function retainsCheckpoints(retention: CheckpointingSettings['retention'], end: JobStatus): boolean {
  if (retention === 'RETAIN_ON_CANCELLATION') return end !== 'FINISHED'
  return retention === 'DELETE_ON_CANCELLATION' && end === 'FAILED'
}
