/** Runs a scenario document on the live cluster: its steps in order, then its expectations. What depends on the host is "not compared". */
import { DEFAULT_TIMEOUT, describeStep, Wait } from '../../workers/invariants/scenario-conditions.ts'
import { judge } from '../../workers/invariants/scenario-expectations.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { ScenarioDocument, ScenarioReport, ScenarioStep } from '../../workers/model/scenario-document.ts'
import { durationMicros } from '../../workers/model/scenario-parser.ts'
import type { Cluster } from './cluster-types.ts'
import { LiveView } from './live-view.ts'

const ASK_EVERY_MS = 100

/** Starts the job and resolves when the last expectation has been judged. A step that fails ends the steps, not the judging. */
export async function runScenario(cluster: Cluster, scenario: ScenarioDocument, document: JobDocument): Promise<ScenarioReport> {
  const seed = scenario.seed ?? 1
  const view = new LiveView(cluster, document)
  try {
    const steps = await runSteps(cluster, scenario, view, document, seed)
    await view.refresh(true)
    const expectations = judge(scenario.expect, view)
    const ok = steps.every((step) => step.ok) && expectations.every((expectation) => expectation.outcome !== 'failed')
    return { scenario: scenario.name, host: 'live', seed, runHash: null, ok, endedAtMicros: view.now, steps, expectations }
  } finally {
    view.stop()
  }
}

async function runSteps(
  cluster: Cluster,
  scenario: ScenarioDocument,
  view: LiveView,
  document: JobDocument,
  seed: number,
): Promise<ScenarioReport['steps']> {
  const started = await cluster.start(document, { seed })
  if (!started.ok) {
    const message = started.problems.map((problem) => `${problem.path}: ${problem.message}`).join('; ')
    return [{ step: 'start the job', ok: false, atMicros: view.now, message }]
  }
  const steps: ScenarioReport['steps'][number][] = []
  for (const step of scenario.steps) {
    const message = await carryOut(step, cluster, view)
    steps.push({ step: describeStep(step), ok: message === null, atMicros: view.now, ...(message === null ? {} : { message }) })
    if (message !== null) break
  }
  return steps
}

/** Null, or why the step failed. */
async function carryOut(step: ScenarioStep, cluster: Cluster, view: LiveView): Promise<string | null> {
  try {
    if ('wait' in step) return await waitFor(step.wait, step.timeout ?? DEFAULT_TIMEOUT, view)
    if ('inject' in step) await cluster.inject(step.inject)
    else if ('trigger' in step) {
      if (step.trigger === 'savepoint') throw new Error('savepoints are taken on the simulator only')
      await cluster.triggerCheckpoint()
    }
    else if ('cancel' in step) await cluster.cancel()
    else if ('pace' in step) await cluster.setPace(step.pace)
    else throw new Error('this step is not known to live workers')
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function waitFor(condition: Wait['condition'], timeout: string, view: LiveView): Promise<string | null> {
  const wait = new Wait(condition, view)
  const limit = view.now + durationMicros(timeout)
  while (!wait.holds(view)) {
    if (view.now > limit) return `not within ${timeout} of engine time; the job is ${view.status ?? 'without a leader'}`
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
    // While no JobManager leads there is nobody to ask; the condition is asked again afterwards.
    await view.refresh(false).catch(() => undefined)
  }
  return null
}
