/**
 * Switches the record trace of a task off for the rest of the interval when it has traced as much as the eye can follow, so that a task that
 * works flat out does so the fast way; says how many records went by untraced. The machine knows of no limit: it is told as the JobManager
 * would tell it.
 */
import type { EventBody } from '../../model/events.ts'

export interface TracedTask {
  /** Records in and out so far. */
  passed(): number
  setTraced(traced: boolean): void
}

export interface TraceBudget {
  readonly isTraceSpent: boolean
  event(body: EventBody): void
}

export class TraceGate {
  private readonly task: TracedTask
  private readonly budget: TraceBudget
  /** What the JobManager wants. */
  private wanted: boolean
  private isTraced: boolean
  /** Records that had passed when the gate was closed; null: it is open. */
  private closedAt: number | null = null

  constructor(task: TracedTask, budget: TraceBudget, wanted: boolean) {
    this.task = task
    this.budget = budget
    this.wanted = wanted
    this.isTraced = wanted
  }

  /** The machine has been told by the JobManager. */
  told(traced: boolean): void {
    if (!traced) this.settle()
    this.wanted = traced
    this.isTraced = traced
  }

  /** Cheap: for every turn and every run of records. */
  update(): void {
    const isOpen = this.wanted && !this.budget.isTraceSpent
    if (isOpen === this.isTraced) return
    this.isTraced = isOpen
    this.task.setTraced(isOpen)
    if (isOpen) this.settle()
    else this.closedAt ??= this.task.passed()
  }

  /** Says what went by while it was closed. */
  settle(): void {
    if (this.closedAt === null) return
    const count = this.task.passed() - this.closedAt
    this.closedAt = null
    if (count > 0) this.budget.event({ type: 'EventsDropped', count, level: 'trace' })
  }
}
