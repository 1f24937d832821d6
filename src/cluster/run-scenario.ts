/** Runs a scenario document on the live cluster: its steps in order, then its expectations. What depends on the host is "not compared". */
import { describeStep, problemOfStep } from '../../workers/invariants/scenario-conditions.ts'
import { judge } from '../../workers/invariants/scenario-expectations.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { Expectation, ExpectationOutcome, ScenarioDocument, ScenarioReport } from '../../workers/model/scenario-document.ts'
import type { Cluster } from './cluster-types.ts'
import { LiveSteps } from './live-steps.ts'
import { LiveView } from './live-view.ts'

/** Starts the job and resolves when the last expectation has been judged. A step that fails ends the steps, not the judging. */
export async function runScenario(cluster: Cluster, scenario: ScenarioDocument, document: JobDocument): Promise<ScenarioReport> {
  const seed = scenario.seed ?? 1
  const view = new LiveView(cluster, document)
  try {
    const checked: ExpectationOutcome[] = []
    const live = new LiveSteps(cluster, view, document, seed)
    const steps = await runSteps(scenario, view, live, checked)
    const expectations = [...checked, ...(await judgeNow(scenario.expect, view, live))]
    const ok = steps.every((step) => step.ok) && expectations.every((expectation) => expectation.outcome !== 'failed')
    return { scenario: scenario.name, host: 'live', seed, runHash: null, ok, endedAtMicros: view.now, steps, expectations }
  } finally {
    view.stop()
  }
}

/** What is checked on the way is added to `checked`. */
async function runSteps(scenario: ScenarioDocument, view: LiveView, live: LiveSteps, checked: ExpectationOutcome[]): Promise<ScenarioReport['steps']> {
  const refused = await live.begin()
  if (refused !== null) return [{ step: 'start the job', ok: false, atMicros: view.now, message: refused }]
  const steps: ScenarioReport['steps'][number][] = []
  for (const step of scenario.steps) {
    const message = problemOfStep(step, await live.carryOut(step))
    steps.push({ step: describeStep(step), ok: message === null, atMicros: view.now, ...(message === null ? {} : { message }) })
    if (message !== null) break
    if (!('check' in step)) continue
    checked.push(...(await judgeNow(step.check, view, live)))
  }
  return steps
}

async function judgeNow(expectations: readonly Expectation[], view: LiveView, live: LiveSteps): Promise<readonly ExpectationOutcome[]> {
  await view.refresh(true)
  await view.ask(expectations, live)
  return judge(expectations, view)
}
