/**
 * `npm run simulate -- --seeds N [--from S]`: random small jobs with random faults, every invariant checked. Exit status 1 at the first failure,
 * or when too few of the seeds restored, aborted or committed for the run to mean anything.
 */
import { parseArgs } from 'node:util'
import { randomRun, type RandomRunResult } from '../workers/hosts/simulator/random/random-run.ts'
import { summarize } from '../workers/hosts/simulator/random/summary.ts'

function wholeNumber(text: string, name: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return value
  console.error(`--${name}: "${text}" is not a whole number`)
  process.exit(2)
}

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '200' }, from: { type: 'string', default: '1' }, 'keep-going': { type: 'boolean', default: false } },
})
const seeds = wholeNumber(values.seeds, 'seeds')
const from = wholeNumber(values.from, 'from')
const results: RandomRunResult[] = []
const durations: number[] = []
let failures = 0

for (let seed = from; seed < from + seeds; seed++) {
  const started = performance.now()
  const result = randomRun(seed)
  durations.push(performance.now() - started)
  results.push(result)
  if (result.violation === null) continue
  failures++
  const { invariant, message, at } = result.violation
  console.error(`seed ${seed}: ${invariant} violated at ${at / 1000} ms: ${message}`)
  console.error(`  replay: npm run simulate -- --seeds 1 --from ${seed}`)
  if (!values['keep-going']) break
}

const summary = summarize(results)
const median = durations.toSorted((a, b) => a - b)[durations.length >> 1] ?? 0
console.log(summary.text)
console.log(`median ${median.toFixed(1)} ms a seed`)
if (results.length === 1) console.log(`run hash ${results[0]?.runHash()}`)
if (failures > 0) {
  console.error(`${failures} of ${results.length} seeds failed`)
  process.exitCode = 1
} else if (summary.tooFew !== null) {
  console.error(summary.tooFew)
  process.exitCode = 1
}
