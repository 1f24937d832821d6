/** Runs a scenario document on the simulator: its steps in order, then its expectations. Deterministic: document and seed decide everything. */
import { describeStep, problemOfStep } from '../../invariants/scenario-conditions.ts'
import { judge } from '../../invariants/scenario-expectations.ts'
import type { JobDocument } from '../../model/job-document.ts'
import type { TopicContent } from '../../model/outside.ts'
import type { ExpectationOutcome, ScenarioDocument, ScenarioReport } from '../../model/scenario-document.ts'
import { durationMicros } from '../../model/scenario-parser.ts'
import type { Latencies } from './latencies.ts'
import { ScenarioSteps } from './scenario-steps.ts'
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
  const stage = new ScenarioSteps(simulator, view)
  const steps: ScenarioReport['steps'][number][] = []
  const checked: ExpectationOutcome[] = []
  for (const step of scenario.steps) {
    const message = problemOfStep(step, stage.carryOut(step))
    steps.push({ step: describeStep(step), ok: message === null, atMicros: simulator.now, ...(message === null ? {} : { message }) })
    if (message !== null) break
    if ('check' in step) checked.push(...judge(step.check, view))
  }
  const expectations = [...checked, ...judge(scenario.expect, view)]
  const violation = simulator.watch.first
  if (violation !== null) {
    steps.push({ step: `invariant ${violation.invariant}`, ok: false, atMicros: violation.at, message: violation.message })
  }
  const ok = steps.every((step) => step.ok) && expectations.every((expectation) => expectation.outcome !== 'failed')
  const report = { scenario: scenario.name, host: 'simulator', seed, runHash: simulator.runHash, ok, endedAtMicros: simulator.now, steps, expectations } as const
  return { report, simulator }
}
