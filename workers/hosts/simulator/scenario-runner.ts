/** Runs a scenario document on the simulator: its steps in order, then its expectations. Deterministic: document and seed decide everything. */
import { DEFAULT_TIMEOUT, describeStep, Wait } from '../../invariants/scenario-conditions.ts'
import { judge } from '../../invariants/scenario-expectations.ts'
import type { JobDocument } from '../../model/job-document.ts'
import type { TopicContent } from '../../model/outside.ts'
import type { ScenarioDocument, ScenarioReport, ScenarioStep } from '../../model/scenario-document.ts'
import { durationMicros } from '../../model/scenario-parser.ts'
import type { Latencies } from './latencies.ts'
import { SimulatorView } from './simulator-view.ts'
import { Simulator } from './simulator.ts'

export interface ScenarioRun {
  readonly report: ScenarioReport
  readonly simulator: Simulator
}

export interface ScenarioInput {
  readonly scenario: ScenarioDocument
  /** The scenario's job, looked up where it is a name. */
  readonly document: JobDocument
  readonly topics: readonly TopicContent[]
  /** Instead of the scenario's own. */
  readonly seed?: number
  readonly latencies?: Partial<Latencies>
}

/** A step that fails ends the steps; the expectations are judged all the same, since they tell why. */
export function runScenario({ scenario, document, topics, seed = scenario.seed ?? 1, latencies = {} }: ScenarioInput): ScenarioRun {
  const taskStart = scenario.latencies?.taskStart
  const own = taskStart === undefined ? {} : { taskStartMicros: durationMicros(taskStart) }
  const simulator = new Simulator({ document, seed, topics, latencies: { ...own, ...latencies } })
  const view = new SimulatorView(simulator)
  const steps: ScenarioReport['steps'][number][] = []
  for (const step of scenario.steps) {
    const message = carryOut(step, simulator, view)
    steps.push({ step: describeStep(step), ok: message === null, atMicros: simulator.now, ...(message === null ? {} : { message }) })
    if (message !== null) break
  }
  const expectations = judge(scenario.expect, view)
  const violation = simulator.watch.first
  if (violation !== null) {
    steps.push({ step: `invariant ${violation.invariant}`, ok: false, atMicros: violation.at, message: violation.message })
  }
  const ok = steps.every((step) => step.ok) && expectations.every((expectation) => expectation.outcome !== 'failed')
  const report = { scenario: scenario.name, host: 'simulator', seed, runHash: simulator.runHash, ok, endedAtMicros: simulator.now, steps, expectations } as const
  return { report, simulator }
}

/** Null, or why the step failed. */
function carryOut(step: ScenarioStep, simulator: Simulator, view: SimulatorView): string | null {
  if ('wait' in step) {
    const wait = new Wait(step.wait, view)
    const limit = simulator.now + durationMicros(step.timeout ?? DEFAULT_TIMEOUT)
    const due = wait.dueAt
    if (due !== null) {
      simulator.runTo(Math.min(due, limit))
      return due <= limit ? null : 'the wait takes longer than its timeout'
    }
    return waitFor(wait, simulator, view, limit) ? null : `not within ${step.timeout ?? DEFAULT_TIMEOUT} of engine time; the job is ${simulator.status ?? 'without a leader'}`
  }
  if ('inject' in step) return simulator.inject(step.inject) ? null : 'there is nothing that this fault could hit now'
  if ('trigger' in step) {
    if (step.trigger === 'savepoint') simulator.triggerSavepoint('/savepoints')
    else simulator.triggerCheckpoint()
  }
  else if ('cancel' in step) simulator.cancel()
  return null
}

/** Asks after every event; conditions that no event announces (a sink's rows, offsets) at least every so many steps. */
function waitFor(wait: Wait, simulator: Simulator, view: SimulatorView, limit: number): boolean {
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
