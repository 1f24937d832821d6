/**
 * Invariants: observers that are not part of the engine (DESIGN 7). A checker over events sees the log, one event at a time, and says what is
 * wrong with it; the same checkers watch the simulator, the tests and a live run. Plain classes: a simulator is cloned with its checkers.
 */
import type { EngineEvent } from '../model/events.ts'
import { isGloballyTerminal } from '../model/execution.ts'
import type { EngineTime } from '../model/time.ts'
import type { TraceEvent } from '../model/trace.ts'

export interface Violation {
  /** Name of the invariant, as in docs/INVARIANTS.md. */
  readonly invariant: string
  readonly message: string
  readonly at: EngineTime
}

export interface EventChecker {
  readonly invariant: string
  /** Null, or what is wrong. */
  check(event: EngineEvent): string | null
  /** Likewise for the record trace, while records are traced. */
  checkTrace?(trace: TraceEvent): string | null
  /** The next job begins, once the one before has ended or is known to nobody: its tasks and its checkpoints are others, whose names may be the same. */
  startJob?(): void
}

/** Feeds every event to every checker and keeps what they find: the first violation is the one to look at. */
export class Watch {
  readonly checkers: readonly EventChecker[]
  readonly violations: Violation[] = []
  private hasEnded = false

  constructor(checkers: readonly EventChecker[]) {
    this.checkers = checkers
  }

  observe(event: EngineEvent): void {
    const { body } = event
    if (body.type === 'JobStatusChanged') this.hasEnded = isGloballyTerminal(body.to)
    // A leader without high availability knows nothing of the job before.
    if (body.type === 'LeadershipGranted' && body.recoveredJob === null) this.hasEnded = true
    if (body.type === 'JobSubmitted' && this.hasEnded) {
      this.hasEnded = false
      for (const checker of this.checkers) checker.startJob?.()
    }
    for (const checker of this.checkers) {
      const message = checker.check(event)
      if (message !== null) this.report(checker.invariant, message, event.at)
    }
  }

  observeTrace(trace: TraceEvent): void {
    for (const checker of this.checkers) {
      const message = checker.checkTrace?.(trace) ?? null
      if (message !== null) this.report(checker.invariant, message, trace.at)
    }
  }

  /** For what is checked from outside the log: files, state, queues. */
  report(invariant: string, message: string, at: EngineTime): void {
    if (this.violations.length < VIOLATIONS_MAX) this.violations.push({ invariant, message, at })
  }

  get first(): Violation | null {
    return this.violations[0] ?? null
  }
}

export const VIOLATIONS_MAX = 100
