/**
 * `npm run scenario -- FILE [--seed N] [--json]`: runs a scenario on the simulator and prints each expectation with its outcome. Exit status
 * 0: all are met; 1: one is not, or a step failed; 2: the file cannot be used, with the place and the cure.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { runScenario } from '../workers/hosts/simulator/scenario-runner.ts'
import { prepareScenario } from './prepare-scenario.ts'
import { printReport } from './print-report.ts'

function stop(message: string): never {
  console.error(message)
  process.exit(2)
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: Error) => stop(`${path}: ${error.message}`))
  try {
    return JSON.parse(text)
  } catch (error) {
    return stop(`${path}: no JSON: ${(error as Error).message}`)
  }
}

function parseCommandLine() {
  try {
    return parseArgs({ allowPositionals: true, options: { seed: { type: 'string' }, json: { type: 'boolean', default: false } } })
  } catch (error) {
    return stop(`${(error as Error).message}\nusage: npm run scenario -- FILE [--seed N] [--json]`)
  }
}

const { positionals, values } = parseCommandLine()
const [path, ...more] = positionals
if (path === undefined || more.length > 0) stop('usage: npm run scenario -- FILE [--seed N] [--json]')
const seed = values.seed === undefined ? undefined : Number(values.seed)
if (seed !== undefined && !(Number.isSafeInteger(seed) && seed >= 0)) stop(`--seed: "${values.seed}" is not a whole number`)

const prepared = await prepareScenario(await readJson(path))
if (!prepared.ok) {
  stop(prepared.error.map((problem) => `${path}${problem.path === '' ? '' : ` at ${problem.path}`}: ${problem.message} (${problem.cure})`).join('\n'))
}
const { report } = runScenario({ ...prepared.value, ...(seed === undefined ? {} : { seed }) })
if (values.json) console.log(JSON.stringify(report, null, 2))
else printReport(report)
process.exitCode = report.ok ? 0 : 1
