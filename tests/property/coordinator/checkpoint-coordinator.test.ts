/** The coordinator through a JobManager, under any order of requests, ticks, answers, expiries and failures (behaviour 2, 3, 19.1). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Cluster, SECOND, testJob } from '../../unit/jobmaster/harness.ts'

const C = 'execution.checkpointing.'
const PAUSE = 4 * SECOND

type Act = 'checkpoint' | 'savepoint' | 'tick' | 'acknowledge' | 'acknowledge-all' | 'decline' | 'expire' | 'wait' | 'fail' | 'run'
interface Step {
  readonly act: Act
  /** Picks a checkpoint and a task. */
  readonly at: number
}

const steps = fc.array(
  fc.record({
    act: fc.constantFrom<Act>('checkpoint', 'savepoint', 'tick', 'acknowledge', 'acknowledge-all', 'acknowledge-all', 'decline', 'expire', 'wait', 'fail', 'run'),
    at: fc.nat({ max: 1000 }),
  }),
  { minLength: 20, maxLength: 60, size: 'max' },
)

function perform(cluster: Cluster, { act, at }: Step, index: number): void {
  const pending = cluster.machine.job!.coordinator.pending
  const id = pending[at % Math.max(1, pending.length)]?.id ?? null
  const attempt = cluster.execution(at % cluster.machine.executions.length)
  const triggerId = index.toString(16).padStart(32, '0')
  if (act === 'checkpoint') cluster.trigger(triggerId)
  else if (act === 'savepoint') cluster.input({ type: 'trigger-savepoint', triggerId, directory: '/savepoints' })
  else if (act === 'tick' && cluster.timers.has('checkpoint-periodic')) cluster.fire('checkpoint-periodic')
  else if (act === 'wait') cluster.now += (at % 7) * SECOND
  else if (act === 'fail') cluster.fail(attempt)
  else if (act === 'run') run(cluster)
  else if (id !== null && act === 'acknowledge') cluster.ack(attempt, id)
  else if (id !== null && act === 'acknowledge-all') cluster.ackAll(id)
  else if (id !== null && act === 'expire') cluster.input({ type: 'timer', timer: `checkpoint-timeout:${id}` })
  else if (id !== null && act === 'decline') cluster.message({ type: 'decline', attempt, checkpointId: id, reason: 'CHECKPOINT_DECLINED_TASK_NOT_READY', message: 'not ready' })
}

/** A job that has failed meanwhile restarts. */
function run(cluster: Cluster): void {
  cluster.tasksCancel()
  if (cluster.timers.has('restart')) cluster.fire('restart')
  cluster.tasksRun()
}

describe.each([[1, false], [2, false], [1, true]])('with %i at once, unaligned %s', (maxConcurrent, unaligned) => {
  const document = testJob({
    [`${C}max-concurrent-checkpoints`]: maxConcurrent, [`${C}unaligned.enabled`]: unaligned, [`${C}min-pause`]: '4 s', [`${C}tolerable-failed-checkpoints`]: 1000,
    [`${C}num-retained`]: 2, 'restart-strategy.fixed-delay.attempts': 1000,
  })

  it('ids follow each other, each ends once, counts add up, limits and pauses hold, and the store has the newest checkpoints that completed', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const cluster = new Cluster().running(document)
        script.forEach((step, index) => {
          const before = { now: cluster.now, triggered: cluster.all('CheckpointTriggered').length, done: lastCompletion(cluster) }
          perform(cluster, step, index)
          check(cluster, before.triggered, Math.max(before.done, lastCompletion(cluster)))
        })
      }),
      { numRuns: 40 },
    )
  })

  const completedAt = new WeakMap<Cluster, { count: number; at: number }>()
  /** When a checkpoint or a savepoint completed last; what is new has completed now. */
  function lastCompletion(cluster: Cluster): number {
    const count = cluster.all('CheckpointCompleted').length
    const known = completedAt.get(cluster) ?? { count: 0, at: -Infinity }
    if (count > known.count) completedAt.set(cluster, { count, at: cluster.now })
    return count > known.count ? cluster.now : known.at
  }

  function check(cluster: Cluster, triggeredBefore: number, completion: number): void {
    const { coordinator } = cluster.machine.job!
    const { statistics, pending, store } = coordinator
    const triggered = cluster.all('CheckpointTriggered')
    expect(triggered.map(({ checkpointId }) => checkpointId)).toEqual(triggered.map((_, index) => index + 1))
    const ended = [...cluster.all('CheckpointCompleted'), ...cluster.all('CheckpointAborted')].map(({ checkpointId }) => checkpointId)
    expect(new Set(ended).size).toBe(ended.length)
    expect([...ended, ...pending.map(({ id }) => id)].sort((a, b) => a - b)).toEqual(triggered.map(({ checkpointId }) => checkpointId))
    expect(statistics.total).toBe(statistics.completed + statistics.failed + pending.length)
    expect(statistics.inProgress).toBe(pending.length)
    expect(statistics.history.map(({ id }) => id)).toEqual(triggered.map(({ checkpointId }) => checkpointId).reverse().slice(0, 10))
    expect(pending.filter(({ request }) => !request.forced).length).toBeLessThanOrEqual(maxConcurrent)
    for (const { periodic } of triggered.slice(triggeredBefore)) if (periodic) expect(cluster.now - completion).toBeGreaterThanOrEqual(PAUSE)
    const checkpoints = cluster.all('CheckpointCompleted').flatMap(({ checkpointId, savepoint }) => (savepoint === true ? [] : [checkpointId]))
    const newest = Math.max(0, ...checkpoints)
    expect(pending.filter(({ id, request }) => id < newest && !request.savepoint)).toEqual([])
    for (const { id } of pending) expect(cluster.timers.has(`checkpoint-timeout:${id}`)).toBe(true)
    expect(store.all.map(({ checkpointId }) => checkpointId)).toEqual(checkpoints.sort((a, b) => a - b).slice(-2))
  }
})
