import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prepareScenario } from '../../../scripts/prepare-scenario.ts'
import { runScenario } from '../../../workers/hosts/simulator/scenario-runner.ts'
import { eventLines } from './event-lines.ts'

const FOLDER = join(import.meta.dirname, '../../../public/scenarios')
/** Runs of minutes of engine time: their expectations are checked, their logs are too long to read. */
const NO_LOG = new Set(['first-light.json', 'flights-to-the-end.json'])

async function run(name: string, seed?: number) {
  const prepared = await prepareScenario(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')))
  if (!prepared.ok) throw new Error(`${name}: ${JSON.stringify(prepared.error)}`)
  return runScenario({ ...prepared.value, ...(seed === undefined ? {} : { seed }) })
}

describe('every scenario of the playground', () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).toSorted()

  it('is there', () => {
    expect(names).toContain('first-light.json')
    expect(names.length).toBeGreaterThanOrEqual(8)
  })

  for (const name of names) {
    it(`${name} meets its expectations and writes its log`, async () => {
      const { report, simulator } = await run(name)
      expect(report.steps.filter((step) => !step.ok)).toEqual([])
      expect(report.expectations.filter((expectation) => expectation.outcome !== 'met')).toEqual([])
      if (!NO_LOG.has(name)) await expect(eventLines(simulator.events, simulator.graph)).toMatchFileSnapshot(`logs/${name.replace('.json', '.txt')}`)
    }, 60_000)
  }

  for (const name of names.filter((candidate) => !NO_LOG.has(candidate))) {
    it(`${name} meets its expectations of class "always" with other seeds`, async () => {
      for (const seed of [2, 3, 4]) {
        const { report } = await run(name, seed)
        const failed = report.expectations.filter((expectation) => expectation.outcome === 'failed' && expectation.class === 'always')
        expect(failed, `seed ${seed}`).toEqual([])
      }
    }, 60_000)
  }
})
