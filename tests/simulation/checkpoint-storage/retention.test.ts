/** Retention policy × how the job ends, on the whole simulated cluster (behaviour 5.1). The same on the JobManager alone: tests/unit/jobmaster/checkpoint-files.test.ts. */
import { describe, expect, it } from 'vitest'
import type { Simulator } from '../../../workers/hosts/simulator/simulator.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import { C, SECOND, all, checkpoint, countJob, start } from './storage-jobs.ts'

const RETENTIONS = ['NO_EXTERNALIZED_CHECKPOINTS', 'DELETE_ON_CANCELLATION', 'RETAIN_ON_CANCELLATION'] as const
const ENDS = ['FINISHED', 'CANCELED', 'FAILED', 'SUSPENDED'] as const
const KEPT: Readonly<Record<(typeof RETENTIONS)[number], readonly string[]>> = {
  NO_EXTERNALIZED_CHECKPOINTS: [],
  DELETE_ON_CANCELLATION: ['FAILED'],
  RETAIN_ON_CANCELLATION: ['CANCELED', 'FAILED', 'SUSPENDED'],
}

/** FINISHED: its sources end. Without high availability, since SUSPENDED keeps everything with it. */
function jobEnding(end: (typeof ENDS)[number], config: JobDocument['config']): JobDocument {
  const job = countJob({ [`${C}dir`]: 'file:///checkpoints', 'high-availability.type': 'NONE', 'restart-strategy.type': 'none', ...config }, { rows: 300 })
  const isBounded = end === 'FINISHED'
  return { ...job, operators: job.operators.map((operator) => (operator.type === 'log' && isBounded ? { ...operator, params: { ...operator.params, bounded: true } } : operator)) }
}

function bringToEnd(simulator: Simulator, end: (typeof ENDS)[number]): void {
  if (end === 'CANCELED') simulator.cancel()
  if (end === 'FAILED') simulator.inject({ kind: 'kill-subtask', uid: 'count', subtask: 0 })
  if (end === 'SUSPENDED') simulator.inject({ kind: 'lose-leadership', for: '1 s' })
  const hasEnded = (): boolean => all(simulator, 'JobStatusChanged').some(({ to }) => to === end)
  expect(simulator.runUntil(hasEnded, simulator.now + 60 * SECOND)).toBe(true)
  simulator.runTo(simulator.now + SECOND)
}

describe.each(RETENTIONS)('%s', (retention) => {
  it.each(ENDS)(`%s: files are ${KEPT[retention].length === 0 ? 'deleted' : `kept if ${KEPT[retention].join(', ')}`}`, (end) => {
    const config = { [`${C}externalized-checkpoint-retention`]: retention, ...(end === 'FINISHED' ? { [`${C}interval`]: '2 s', [`${C}min-pause`]: '0 ms' } : {}) }
    const simulator = start(jobEnding(end, config))
    simulator.runTo(SECOND)
    expect(checkpoint(simulator)).toMatchObject({ type: 'CheckpointCompleted' })
    expect(simulator.files('/checkpoints/').length).toBeGreaterThan(0)
    bringToEnd(simulator, end)
    const left = simulator.files('/checkpoints/').map(({ path }) => path)
    if (KEPT[retention].includes(end)) expect(left.filter((path) => path.endsWith('/_metadata'))).toHaveLength(1)
    else expect(left).toEqual([])
  })
})
