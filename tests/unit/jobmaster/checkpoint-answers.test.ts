/** What stands in each field of the checkpoint calls (behaviour 19.1, 19.2): every figure another one, so that none can stand for another. */
import { describe, expect, it } from 'vitest'
import type { CheckpointMetrics } from '../../../workers/model/checkpoint.ts'
import { Cluster, JOB, SECOND, testJob } from './harness.ts'

const MS = 1000
const C = 'execution.checkpointing.'
const TOLERANT = testJob({ [`${C}tolerable-failed-checkpoints`]: 9, [`${C}max-concurrent-checkpoints`]: 3 })

/** Durations of n ms and so many bytes, all different within a subtask. */
const metricsOf = (n: number): CheckpointMetrics => ({
  startDelayMicros: n * MS, alignmentMicros: (n + 1) * MS, syncMicros: (n + 2) * MS, asyncMicros: (n + 3) * MS,
  processedBytes: n + 4, persistedBytes: n + 5, checkpointedBytes: n + 6, stateBytes: n + 7, measured: false,
})
const acknowledge = (cluster: Cluster, index: number, checkpointId: number, metrics: CheckpointMetrics): void =>
  cluster.message({ type: 'acknowledge', attempt: cluster.execution(index), checkpointId, metrics, snapshot: { operators: [] } })
const get = (cluster: Cluster, path: string): unknown => cluster.rest(`/jobs/${JOB}/checkpoints${path}`).body
const NONE = { p50: 'NaN', p90: 'NaN', p95: 'NaN', p99: 'NaN', p999: 'NaN' }
const spread = (min: number, max: number, avg: number) => ({ min, max, avg, ...NONE })

/** Checkpoint 1, triggered at 2 s; the two sources have acknowledged at 3 s (figures from 100 on) and 5 s (from 200 on). */
function halfway(): Cluster {
  const cluster = new Cluster().running(TOLERANT)
  cluster.now = 2 * SECOND + 999
  cluster.trigger()
  cluster.now = 3 * SECOND
  acknowledge(cluster, 0, 1, metricsOf(100))
  cluster.now = 5 * SECOND
  acknowledge(cluster, 1, 1, metricsOf(200))
  return cluster
}

describe('a checkpoint in progress', () => {
  it('counts what has been acknowledged: its sizes grow, it ends with the latest acknowledgement', () => {
    const cluster = halfway()
    const expected = {
      className: 'in_progress', id: 1, status: 'IN_PROGRESS', is_savepoint: false, savepointFormat: null, trigger_timestamp: 2000, latest_ack_timestamp: 5000,
      checkpointed_size: 312, state_size: 314, end_to_end_duration: 3000, alignment_buffered: 0, processed_data: 308, persisted_data: 310,
      num_subtasks: 5, num_acknowledged_subtasks: 2, checkpoint_type: 'UNALIGNED_CHECKPOINT', tasks: {},
    }
    expect(get(cluster, '')).toMatchObject({ history: [expected], counts: { total: 1, in_progress: 1, completed: 0, failed: 0 } })
    expect((get(cluster, '') as { history: { tasks: object }[] }).history[0]?.tasks).toEqual({})
    acknowledge(cluster, 2, 1, metricsOf(300))
    expect(get(cluster, '')).toMatchObject({ history: [{ checkpointed_size: 618, num_acknowledged_subtasks: 3 }] })
  })

  it('without any acknowledgement has neither end nor duration', () => {
    const cluster = new Cluster().running()
    cluster.now = SECOND
    cluster.trigger()
    const { vertex } = cluster.machine.executions[0]!
    const nothing = { latest_ack_timestamp: -1, end_to_end_duration: -1, num_acknowledged_subtasks: 0 }
    expect(get(cluster, '/details/1')).toMatchObject({ ...nothing, trigger_timestamp: 1000, tasks: { [vertex]: { ...nothing, num_subtasks: 2 } } })
  })
})

describe('the figures of a vertex and of its subtasks', () => {
  const TASK = {
    id: 1, status: 'IN_PROGRESS', latest_ack_timestamp: 5000, checkpointed_size: 312, state_size: 314, end_to_end_duration: 3000, alignment_buffered: 0,
    processed_data: 308, persisted_data: 310, num_subtasks: 2, num_acknowledged_subtasks: 2,
  }

  it('are sums over the subtasks, and stand by vertex in the details alone', () => {
    const cluster = halfway()
    const [source, count, out] = cluster.machine.graph!.vertices.map(({ id }) => id)
    const { tasks } = get(cluster, '/details/1') as { tasks: Record<string, unknown> }
    expect(tasks[source!]).toEqual(TASK)
    expect(Object.keys(tasks)).toEqual([source, count, out])
  })

  it('one subtask, one row; summaries without percentiles but those of the times of the acknowledgements', () => {
    const cluster = halfway()
    const row = (index: number, ack: number, n: number) => ({
      className: 'completed', index, status: 'completed', ack_timestamp: ack, end_to_end_duration: ack - 2000, checkpointed_size: n + 6, state_size: n + 7,
      checkpoint: { sync: n + 2, async: n + 3 }, alignment: { buffered: 0, processed: n + 4, persisted: n + 5, duration: n + 1 }, start_delay: n,
      unaligned_checkpoint: true, aborted: false,
    })
    expect(get(cluster, `/details/1/subtasks/${cluster.machine.executions[0]!.vertex}`)).toEqual({
      ...TASK,
      summary: {
        checkpointed_size: spread(106, 206, 156), state_size: spread(107, 207, 157),
        end_to_end_duration: { min: 1000, max: 3000, avg: 2000, p50: 4000, p90: 5000, p95: 5000, p99: 5000, p999: 5000 },
        checkpoint_duration: { sync: spread(102, 202, 152), async: spread(103, 203, 153) },
        alignment: { buffered: spread(0, 0, 0), processed: spread(104, 204, 154), persisted: spread(105, 205, 155), duration: spread(101, 201, 151) },
        start_delay: spread(100, 200, 150),
      },
      subtasks: [row(0, 3000, 100), row(1, 5000, 200)],
    })
  })
})

describe('the type of a checkpoint', () => {
  it.each([
    ['aligned where nothing was persisted, though data was processed', 'CHECKPOINT', [{ processedBytes: 9 }, {}]],
    ['unaligned as soon as one subtask has persisted in-flight data', 'UNALIGNED_CHECKPOINT', [{}, { persistedBytes: 1 }]],
  ] as const)('%s', (_, type, differences) => {
    const cluster = new Cluster().running()
    cluster.trigger()
    for (const [index, difference] of differences.entries()) acknowledge(cluster, index, 1, { ...metricsOf(0), processedBytes: 0, persistedBytes: 0, ...difference })
    expect(get(cluster, '/details/1')).toMatchObject({ checkpoint_type: type })
    const { subtasks } = get(cluster, `/details/1/subtasks/${cluster.machine.executions[0]!.vertex}`) as { subtasks: { unaligned_checkpoint: boolean }[] }
    expect(subtasks.map((subtask) => subtask.unaligned_checkpoint)).toEqual(differences.map((difference) => 'persistedBytes' in difference))
  })
})

describe('how a checkpoint ended', () => {
  it('completed: from the trigger to the latest acknowledgement, not to the end of its completion', () => {
    const cluster = halfway()
    cluster.now = 7 * SECOND
    for (const index of [2, 3]) acknowledge(cluster, index, 1, metricsOf(0))
    const last = { type: 'acknowledge', attempt: cluster.execution(4), checkpointId: 1, metrics: metricsOf(0), snapshot: { operators: [] } } as const
    cluster.feed({ type: 'task-message', message: last })
    cluster.now = 30 * SECOND
    cluster.settle()
    const { latest } = get(cluster, '') as { latest: Record<string, unknown> }
    expect(latest['completed']).toMatchObject({
      className: 'completed', status: 'COMPLETED', latest_ack_timestamp: 7000, end_to_end_duration: 5000, external_path: `/checkpoints/${JOB}/chk-1`, discarded: false,
    })
    expect(Object.keys(latest['completed'] as object)).not.toEqual(expect.arrayContaining(['failure_message']))
    expect(latest['failed']).toBeNull()
  })

  it('failed: from the trigger to the failure; what comes late fills in and is marked', () => {
    const cluster = halfway()
    cluster.now = 9 * SECOND
    cluster.message({ type: 'decline', attempt: cluster.execution(2), checkpointId: 1, reason: 'CHECKPOINT_DECLINED_TASK_NOT_READY', message: 'not ready' })
    cluster.now = 11 * SECOND
    acknowledge(cluster, 4, 1, metricsOf(300))
    expect(get(cluster, '')).toMatchObject({
      latest: {
        completed: null,
        failed: {
          className: 'failed', status: 'FAILED', trigger_timestamp: 2000, latest_ack_timestamp: 11_000, end_to_end_duration: 7000, failure_timestamp: 9000,
          failure_message: 'not ready', checkpointed_size: 618, num_acknowledged_subtasks: 3,
        },
      },
      counts: { failed: 1, in_progress: 0 },
    })
    expect(get(cluster, `/details/1/subtasks/${cluster.machine.executions[4]!.vertex}`)).toMatchObject({ status: 'FAILED', subtasks: [{ aborted: true }] })
    expect(get(cluster, `/details/1/subtasks/${cluster.machine.executions[0]!.vertex}`)).toMatchObject({ subtasks: [{ aborted: false }, { aborted: false }] })
  })

  it('latest.failed is of either kind, latest.savepoint also one that stops the job; each the newest', () => {
    const cluster = new Cluster().running(TOLERANT)
    cluster.checkpoint()
    cluster.checkpoint()
    cluster.trigger('1'.repeat(32))
    cluster.fire('checkpoint-timeout:3')
    cluster.savepoint()
    cluster.fire('checkpoint-timeout:4')
    cluster.ackAll(cluster.savepoint('a'.repeat(32)))
    expect(get(cluster, '')).toMatchObject({ latest: { completed: { id: 2 }, failed: { id: 4, is_savepoint: true }, savepoint: { id: 5, checkpoint_type: 'SAVEPOINT' } } })
    cluster.input({ type: 'stop-with-savepoint', triggerId: 'b'.repeat(32), directory: '/savepoints', drain: false })
    cluster.ackAll(6)
    expect(get(cluster, '')).toMatchObject({ latest: { completed: { id: 2 }, savepoint: { id: 6, is_savepoint: true, checkpoint_type: 'SYNC_SAVEPOINT' } } })
  })
})

describe('the summary', () => {
  it('is over completed ones, savepoints among them; failed ones and those in progress are left out', () => {
    const cluster = new Cluster().running(TOLERANT)
    const complete = (checkpointId: number, n: number): void => {
      cluster.now += n * MS
      for (let index = 0; index < 5; index++) acknowledge(cluster, index, checkpointId, index === 0 ? metricsOf(n) : { ...metricsOf(0), processedBytes: 0, persistedBytes: 0, checkpointedBytes: 0, stateBytes: 0 })
    }
    cluster.trigger()
    complete(1, 100)
    complete(cluster.savepoint(), 301)
    cluster.trigger('1'.repeat(32))
    acknowledge(cluster, 0, 3, metricsOf(900))
    cluster.fire('checkpoint-timeout:3')
    cluster.trigger('2'.repeat(32))
    acknowledge(cluster, 0, 4, metricsOf(900))
    const of = (low: number, high: number) => ({ min: low, max: high, avg: Math.trunc((low + high) / 2), p50: (low + high) / 2, p90: high, p95: high, p99: high, p999: high })
    expect(get(cluster, '')).toMatchObject({
      summary: {
        checkpointed_size: of(106, 307), state_size: of(107, 308), end_to_end_duration: of(100, 301), processed_data: of(104, 305), persisted_data: of(105, 306),
        alignment_buffered: { min: 0, max: 0, avg: 0 },
      },
    })
  })
})

describe('the configuration', () => {
  it('has every option as it is set', () => {
    const cluster = new Cluster().running(testJob({
      [`${C}interval`]: '20 s', [`${C}timeout`]: '90 s', [`${C}min-pause`]: '5 s', [`${C}unaligned.enabled`]: true, [`${C}aligned-checkpoint-timeout`]: '3 s',
      [`${C}tolerable-failed-checkpoints`]: 4, [`${C}externalized-checkpoint-retention`]: 'RETAIN_ON_CANCELLATION', [`${C}checkpoints-after-tasks-finish`]: false,
    }))
    expect(get(cluster, '/config')).toEqual({
      mode: 'exactly_once', interval: 20_000, timeout: 90_000, min_pause: 5000, max_concurrent: 1, externalization: { enabled: true, delete_on_cancellation: false },
      state_backend: 'HashMapStateBackend', checkpoint_storage: 'FileSystemCheckpointStorage', unaligned_checkpoints: true, tolerable_failed_checkpoints: 4,
      aligned_checkpoint_timeout: 3000, checkpoints_after_tasks_finish: false, state_changelog_enabled: false, changelog_storage: null,
      changelog_periodic_materialization_interval: null,
    })
  })

  it.each([
    ['at-least-once', { [`${C}mode`]: 'AT_LEAST_ONCE' }, { mode: 'at_least_once' }],
    ['several at once', { [`${C}max-concurrent-checkpoints`]: 3 }, { max_concurrent: 3 }],
    ['deleted on cancellation', { [`${C}externalized-checkpoint-retention`]: 'DELETE_ON_CANCELLATION' }, { externalization: { enabled: true, delete_on_cancellation: true } }],
    ['JobManager storage', { [`${C}storage`]: 'jobmanager' }, { checkpoint_storage: 'JobManagerCheckpointStorage' }],
  ] as const)('%s', (_, config, expected) => {
    expect(get(new Cluster().running(testJob(config)), '/config')).toMatchObject(expected)
  })
})

describe('the latest restore', () => {
  it('has the number, the time, the kind and the place of what was restored', () => {
    const cluster = new Cluster().running(TOLERANT)
    cluster.checkpoint()
    cluster.fail(cluster.execution(0))
    cluster.tasksCancel()
    cluster.now += 1500
    cluster.fire('restart')
    const { latest, counts } = get(cluster, '') as { latest: Record<string, unknown>; counts: { restored: number } }
    expect(latest['restored']).toEqual({ id: 1, restore_timestamp: Math.floor(cluster.now / MS), is_savepoint: false, external_path: `/checkpoints/${JOB}/chk-1` })
    expect(counts.restored).toBe(1)
  })
})
