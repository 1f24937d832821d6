/** A scenario's report for readers: one line for each step and each expectation. */
import type { ScenarioReport } from '../workers/model/scenario-document.ts'

const MARKS = { met: 'ok  ', failed: 'FAIL', 'not compared': '-   ' } as const

export function printReport(report: ScenarioReport): void {
  console.log(`${report.scenario} (seed ${report.seed})`)
  for (const step of report.steps) {
    const time = `${(step.atMicros / 1000).toFixed(3)} ms`.padStart(16)
    console.log(`  ${step.ok ? 'done' : 'FAIL'} ${time}  ${step.step}${step.message === undefined ? '' : `: ${step.message}`}`)
  }
  for (const { outcome, expectation, expected, actual } of report.expectations) {
    const difference = outcome === 'failed' ? `: expected ${expected}, was ${actual}` : `: ${actual}`
    console.log(`  ${MARKS[outcome]} ${expectation}${difference}`)
  }
  console.log(`run hash ${report.runHash ?? '-'}`)
  console.log(report.ok ? 'all met' : 'FAILED')
}
