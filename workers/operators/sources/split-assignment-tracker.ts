/**
 * Which splits were given out since which checkpoint (behaviour 18). Flink: SplitAssignmentTracker. A split that was given out after the
 * enumerator's cut of checkpoint n is in no reader's snapshot of n: when a reader goes back to n, it must be given out again.
 */
export class SplitAssignmentTracker<T> {
  private uncheckpointed: Assignment<T>[] = []
  private checkpointed: { readonly checkpointId: number; readonly assignments: readonly Assignment<T>[] }[] = []

  assign(subtask: number, split: T): void {
    this.uncheckpointed.push({ subtask, split })
  }

  /** The enumerator's cut of that checkpoint: what was given out until now belongs to it. */
  checkpoint(checkpointId: number): void {
    this.checkpointed.push({ checkpointId, assignments: this.uncheckpointed })
    this.uncheckpointed = []
  }

  /** Assignments of completed checkpoints are in the readers' snapshots. */
  complete(checkpointId: number): void {
    this.checkpointed = this.checkpointed.filter((entry) => entry.checkpointId > checkpointId)
  }

  /** The splits that the reader got after checkpoint `restored` (null: ever), oldest first; they are forgotten here. */
  takeBack(subtask: number, restored: number | null): readonly T[] {
    const back: T[] = []
    const keep = (assignments: readonly Assignment<T>[]): Assignment<T>[] =>
      assignments.filter((assignment) => {
        if (assignment.subtask !== subtask) return true
        back.push(assignment.split)
        return false
      })
    this.checkpointed = this.checkpointed.map((entry) =>
      restored !== null && entry.checkpointId <= restored ? entry : { checkpointId: entry.checkpointId, assignments: keep(entry.assignments) },
    )
    this.uncheckpointed = keep(this.uncheckpointed)
    return back
  }
}

interface Assignment<T> {
  readonly subtask: number
  readonly split: T
}
