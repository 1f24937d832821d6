import { describe, expect, it } from 'vitest'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import { cancel, checkpoint, committed, readAll, restoreFrom, SECOND, start, untilRunning, wordJob, withOperators } from '../../simulation/restore/restore-runs.ts'

const job = (config: JobDocument['config'] = {}): JobDocument =>
  withOperators(wordJob({ rows: 240, rate: 400, config: { 'execution.checkpointing.unaligned.enabled': true, ...config } }), (one) => (one.uid === 'count' ? { ...one, cost: '20 ms' } : one))

/** Rows that are committed in the end, and records that came back from channels. */
function restoredWith(config: JobDocument['config']): { readonly rows: number; readonly records: number } {
  const simulator = start(job())
  untilRunning(simulator)
  simulator.runTo(simulator.now + SECOND / 5)
  const path = checkpoint(simulator)
  cancel(simulator)
  simulator.submitNext({ document: job(config), restore: restoreFrom(path) })
  untilRunning(simulator)
  readAll(simulator)
  return { rows: committed(simulator).length, records: simulator.events.reduce((sum, { body }) => sum + (body.type === 'InFlightRestored' ? body.records : 0), 0) }
}

const KEY = 'execution.state-recovery.without-channel-state.checkpoint-id'

describe(`${KEY} (behaviour 11.4)`, () => {
  it('the in-flight data of that checkpoint is left behind, and its records are lost', () => {
    const complete = restoredWith({})
    expect(complete.rows).toBe(240)
    expect(complete.records).toBeGreaterThan(0)
    expect(restoredWith({ [KEY]: 1 })).toEqual({ rows: 240 - complete.records, records: 0 })
  })

  it('of another checkpoint, it comes back', () => {
    expect(restoredWith({ [KEY]: 2 }).rows).toBe(240)
  })

  it('the older key is read too', () => {
    expect(restoredWith({ 'execution.checkpointing.recover-without-channel-state.checkpoint-id': 1 }).records).toBe(0)
  })
})
