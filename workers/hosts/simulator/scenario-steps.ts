/** Carries out the steps of a scenario on the simulator. A step that names a snapshot ends when that is complete. */
import { DEFAULT_TIMEOUT, Wait } from '../../invariants/scenario-conditions.ts'
import type { Condition, ScenarioStep } from '../../model/scenario-document.ts'
import { durationMicros } from '../../model/scenario-parser.ts'
import type { SimulatorView } from './simulator-view.ts'
import type { Simulator } from './simulator.ts'

/** Where a savepoint goes whose step names no directory. */
const SAVEPOINTS = '/savepoints'

export class ScenarioSteps {
  /** Directories of snapshots, by the names that `as` gave. */
  readonly snapshots = new Map<string, string>()
  private readonly simulator: Simulator
  private readonly view: SimulatorView

  constructor(simulator: Simulator, view: SimulatorView) {
    this.simulator = simulator
    this.view = view
  }

  /** Null, or why the step failed. */
  carryOut(step: ScenarioStep): string | null {
    const { simulator } = this
    if ('wait' in step) return this.wait(step.wait, step.timeout ?? DEFAULT_TIMEOUT)
    if ('inject' in step) return simulator.inject(step.inject) ? null : 'there is nothing that this fault could hit now'
    if ('trigger' in step) return this.trigger(step)
    if ('stop' in step) {
      const { directory = SAVEPOINTS, drain = false, format = 'CANONICAL' } = step.stop
      return this.complete(simulator.stopWithSavepoint(directory, { drain, format }), step.as)
    }
    if ('dispose' in step) return this.complete(simulator.disposeSavepoint(this.pathOf(step.dispose)))
    if ('start' in step || 'files' in step) return 'this step is not known to the simulator'
    if ('cancel' in step) simulator.cancel()
    return null
  }

  /** A path, or the path of what `as` named. */
  pathOf(name: string): string {
    return this.snapshots.get(name) ?? name
  }

  private trigger(step: Extract<ScenarioStep, { readonly trigger: unknown }>): string | null {
    const { simulator } = this
    const id = step.trigger === 'checkpoint' ? simulator.triggerCheckpoint() : simulator.triggerSavepoint(step.directory ?? SAVEPOINTS, step.format)
    return step.as === undefined ? null : this.complete(id, step.as)
  }

  /** Runs until the request is over. */
  private complete(triggerId: string, name?: string): string | null {
    const { simulator } = this
    const isOver = (): boolean => (simulator.operation(triggerId)?.status ?? 'IN_PROGRESS') !== 'IN_PROGRESS'
    const result = simulator.runUntil(isOver, simulator.now + durationMicros(DEFAULT_TIMEOUT)) ? simulator.operation(triggerId) : null
    if (result === null || result.status === 'IN_PROGRESS') return `no answer within ${DEFAULT_TIMEOUT} of engine time: the JobManager that was asked is gone, or waits itself`
    if (result.status === 'FAILED') return result.message
    if (name !== undefined) this.snapshots.set(name, result.location)
    return null
  }

  private wait(condition: Condition, timeout: string): string | null {
    const { simulator, view } = this
    const wait = new Wait(condition, view)
    const limit = simulator.now + durationMicros(timeout)
    const due = wait.dueAt
    if (due !== null) {
      simulator.runTo(Math.min(due, limit))
      return due <= limit ? null : 'the wait takes longer than its timeout'
    }
    return this.waitFor(wait, limit) ? null : `not within ${timeout} of engine time; the job is ${simulator.status ?? 'without a leader'}`
  }

  /** Asks after every event; conditions that no event announces (a sink's rows, offsets) at least every so many steps. */
  private waitFor(wait: Wait, limit: number): boolean {
    const { simulator, view } = this
    let events = -1
    let steps = 0
    const quiet = 'sink' in wait.condition || 'sources' in wait.condition ? 64 : Infinity
    return simulator.runUntil(() => {
      if (simulator.events.length === events && ++steps < quiet) return false
      events = simulator.events.length
      steps = 0
      return wait.holds(view)
    }, limit)
  }
}
