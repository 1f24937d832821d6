/** From parsed JSON to what the simulator runs: the scenario checked, its job looked up and compiled, its topics loaded. */
import { err, ok, type Result } from '../workers/base/result.ts'
import type { ScenarioInput } from '../workers/hosts/simulator/scenario-runner.ts'
import { loadDataSets } from '../workers/hosts/node/load-data-set.ts'
import { BUILTIN_JOBS } from '../workers/model/builtin-jobs/builtin-jobs.ts'
import { compileJob } from '../workers/model/compile-job.ts'
import type { JobDocument } from '../workers/model/job-document.ts'
import type { Problem } from '../workers/model/job-graph.ts'
import { parseScenario } from '../workers/model/scenario-parser.ts'
import { topicContents } from '../workers/outside/topics.ts'

const problem = (path: string, message: string, cure: string): Problem => ({ severity: 'error', path, message, cure })

/** The errors' paths are pointers into the scenario document. */
export async function prepareScenario(json: unknown): Promise<Result<ScenarioInput, readonly Problem[]>> {
  const parsed = parseScenario(json)
  if (!parsed.ok) return parsed
  const scenario = parsed.value
  const document = typeof scenario.job === 'string' ? builtinJob(scenario.job) : scenario.job
  if (document === null) {
    return err([problem('/job', `there is no built-in job "${String(scenario.job)}"`, `one of ${Object.keys(BUILTIN_JOBS).join(', ')}, or a job document`)])
  }
  const { graph, problems } = compileJob(document)
  if (graph === null) return err(problems.filter(({ severity }) => severity === 'error').map((one) => ({ ...one, path: `/job${one.path}` })))
  const unknown = unknownUids(scenario, document)
  if (unknown.length > 0) return err(unknown)
  const topics = topicContents(document.topics ?? [], await loadDataSets(document.topics ?? []))
  return topics.ok ? ok({ scenario, document, topics: topics.value }) : err([problem('/job/topics', topics.error, 'name a data set that is there')])
}

const builtinJob = (name: string): JobDocument | null => (Object.hasOwn(BUILTIN_JOBS, name) ? (BUILTIN_JOBS[name] ?? null) : null)

function uidsOfNextJob(step: ScenarioInput['scenario']['steps'][number]): readonly string[] {
  if (!('start' in step)) return []
  const changed = step.start.change?.['operators']
  const uids = typeof changed === 'object' && changed !== null && !Array.isArray(changed) ? Object.keys(changed) : []
  return [...uids, ...(step.start.job?.operators.map(({ uid }) => uid) ?? [])]
}

/** A uid that the job does not have is a mistake in the scenario, wherever it stands in its steps and expectations. */
function unknownUids(scenario: ScenarioInput['scenario'], document: JobDocument): readonly Problem[] {
  const known = [...document.operators.map((operator) => operator.uid), ...scenario.steps.flatMap(uidsOfNextJob)]
  const problems: Problem[] = []
  const look = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, item] of Object.entries(value)) {
      if (key === 'uid' && typeof item === 'string' && !known.includes(item)) {
        problems.push(problem(`${path}/uid`, `the job has no operator "${item}"`, `one of ${known.join(', ')}`))
        // The documents of next jobs have a compiler of their own.
      } else if (key !== 'job' && key !== 'change') look(item, `${path}/${key}`)
    }
  }
  look(scenario.steps, '/steps')
  look(scenario.expect, '/expect')
  return problems
}
