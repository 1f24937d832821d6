/** Public field cases of Flink (barriers, coordinator, storage, restoring) as scenarios: each one must meet every check on the simulator. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prepareScenario } from '../../../scripts/prepare-scenario.ts'
import { runScenario } from '../../../workers/hosts/simulator/scenario-runner.ts'

const FOLDER = join(import.meta.dirname, '../../../public/scenarios/cases')
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).toSorted()
/** Every case of the topics barriers (A), coordinator (B), storage (C) and restoring (D), apart from those that need another state backend, timers or time-to-live; of exactly-once (F) and failover (H) those about transactions, savepoints, restarts and directories. */
const CASES = [
  '001', '002', '003', '005', '006', '008', '009', '010', '013', '015', '018', '019', '020', '021', '022', '024', '025', '026', '030', '031',
  '032', '034', '035', '038', '039', '041', '047', '048', '050', '051', '052', '053', '056', '057', '059', '061',
  '074', '075', '076', '081', '082', '083', '084', '087', '089', '102', '103', '105', '107', '108', '109', '110',
]

describe('field cases', () => {
  it.each(CASES)('FC-%s has a scenario', (id) => {
    expect(names.some((name) => name.startsWith(`fc-${id}`))).toBe(true)
  })

  it.each(names)('%s', async (name) => {
    const prepared = await prepareScenario(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')))
    if (!prepared.ok) throw new Error(JSON.stringify(prepared.error))
    const { report } = runScenario(prepared.value)
    expect(report.steps.filter((step) => !step.ok)).toEqual([])
    expect(report.expectations.filter((expectation) => expectation.outcome !== 'met')).toEqual([])
  }, 120_000)
})
