/** Carries out the steps of a scenario on the simulator. A step that names a snapshot ends when that is complete. */
import { DEFAULT_TIMEOUT, Wait } from '../../invariants/scenario-conditions.ts'
import { must } from '../../base/assert.ts'
import { nextDocument } from '../../model/next-document.ts'
import type { Condition, ScenarioStart, ScenarioStep } from '../../model/scenario-document.ts'
import type { FileWrite } from '../../model/storage.ts'
import { durationMicros } from '../../model/scenario-parser.ts'
import type { SimulatorView } from './simulator-view.ts'
import type { Simulator } from './simulator.ts'

/** Where a savepoint goes whose step names no directory. */
const SAVEPOINTS = '/savepoints'

export class ScenarioSteps {
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
    if ('inject' in step && step.after !== undefined) {
      simulator.faults.arm(step.inject, step.after)
      return null
    }
    if ('inject' in step) return simulator.inject(step.inject) ? null : 'there is nothing that this fault could hit now'
    if ('trigger' in step) return this.trigger(step)
    if ('stop' in step) {
      const { directory = SAVEPOINTS, drain = false, format = 'CANONICAL' } = step.stop
      return this.complete(simulator.stopWithSavepoint(directory, { drain, format }), step.as)
    }
    if ('dispose' in step) return this.complete(simulator.disposeSavepoint(this.view.pathOf(step.dispose)))
    if ('start' in step) return this.start(step.start)
    if ('files' in step) return this.files(step.files)
    if ('cancel' in step) simulator.cancel()
    return null
  }

  private trigger(step: Extract<ScenarioStep, { readonly trigger: unknown }>): string | null {
    const { simulator } = this
    const id = step.trigger === 'checkpoint' ? simulator.triggerCheckpoint() : simulator.triggerSavepoint(step.directory ?? SAVEPOINTS, step.format)
    return step.as === undefined ? null : this.complete(id, step.as)
  }

  /** Waits until the job before is over. */
  private start(start: ScenarioStart): string | null {
    const { simulator } = this
    if (!simulator.runUntil(() => simulator.isOver, simulator.now + durationMicros(DEFAULT_TIMEOUT))) return `the job before is ${simulator.status ?? 'without a leader'}: stop or cancel it first`
    try {
      simulator.submitNext({
        document: nextDocument(simulator.document, start),
        ...(start.seed === undefined ? {} : { seed: start.seed }),
        restore: this.view.restoreOf(start),
      })
      // Until then the leader knows the job before.
      simulator.runUntil(() => simulator.status !== null, simulator.now + durationMicros(DEFAULT_TIMEOUT))
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  private files({ copy, move, delete: gone }: Extract<ScenarioStep, { readonly files: unknown }>['files']): string | null {
    const pair = copy ?? move
    const from = this.view.pathOf(pair?.[0] ?? gone ?? '')
    const below = this.simulator.files().filter(({ path }) => path === from || path.startsWith(`${from}/`))
    if (below.length === 0) return `there is nothing at ${from}`
    const to = pair === undefined ? null : this.view.pathOf(pair[1])
    const { files } = this.simulator.cluster.storage
    const writes = to === null ? [] : below.map(({ path }): FileWrite => {
      const read = files.execute({ type: 'read', path }, null)
      return { path: `${to}${path.slice(from.length)}`, bytes: must(read.ok ? read.bytes : undefined, path), createNew: true }
    })
    const deletes = copy === undefined ? below.map(({ path }) => path) : []
    if (copy === undefined) this.simulator.inspection.takeAway(from)
    const result = files.execute({ type: 'transact', writes, deletes, durability: 'relaxed' }, null)
    return result.ok ? null : result.message
  }

  /** Runs until the request is over. */
  private complete(triggerId: string, name?: string): string | null {
    const { simulator } = this
    const before = simulator.events.length
    const isOver = (): boolean => (simulator.operation(triggerId)?.status ?? 'IN_PROGRESS') !== 'IN_PROGRESS'
    const result = simulator.runUntil(isOver, simulator.now + durationMicros(DEFAULT_TIMEOUT)) ? simulator.operation(triggerId) : null
    if (result === null || result.status === 'IN_PROGRESS') return `no answer within ${DEFAULT_TIMEOUT} of engine time: the JobManager that was asked is gone, or waits itself`
    const location = result.status === 'FAILED' ? this.savepointOfStop(before) : result.location
    if (name !== undefined && location !== null) this.view.names.set(name, location)
    if (result.status === 'FAILED') return result.message
    return null
  }

  /** A stop that fails may have made a savepoint. */
  private savepointOfStop(before: number): string | null {
    const made = this.simulator.events.slice(before).findLast(({ body }) => body.type === 'CheckpointCompleted' && body.stops === true)?.body
    return made?.type === 'CheckpointCompleted' ? made.externalPath : null
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
