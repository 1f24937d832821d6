/** The fields and types of Flink 2.1's REST messages (behaviour 19.2), written down once and compared with the answers. */
import { describe, expect, it } from 'vitest'
import type { TaskReport } from '../../../workers/model/report.ts'
import { gaugesOf, metricsOf } from '../metrics-of.ts'
import { Cluster, JOB, SECOND, testJob } from './harness.ts'

type Shape = string | readonly [Shape] | { readonly [field: string]: Shape }

/** Names of types; a list has the shape of its first element. `number|text`: a number, or "NaN". */
function mismatch(value: unknown, shape: Shape, path = ''): string | null {
  if (typeof shape === 'string') {
    if (shape === 'any') return null
    const type = value === null ? 'null' : typeof value
    const allowed = shape.split('|')
    return allowed.includes(type) || (type === 'string' && value === 'NaN' && allowed.includes('NaN')) ? null : `${path}: ${type}, not ${shape}`
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return `${path}: no list`
    return value.map((item, index) => mismatch(item, shape[0] as Shape, `${path}/${index}`)).find((found) => found !== null) ?? null
  }
  if (typeof value !== 'object' || value === null) return `${path}: no object`
  const fields = Object.keys(value).sort().join(' ')
  const wanted = Object.keys(shape).sort().join(' ')
  if (fields !== wanted) return `${path}: fields ${fields}; not ${wanted}`
  const entries = Object.entries(shape as Record<string, Shape>)
  return entries.map(([field, inner]) => mismatch((value as Record<string, unknown>)[field], inner, `${path}/${field}`)).find((found) => found !== null) ?? null
}

const STATS: Shape = { min: 'number', max: 'number', avg: 'number', p50: 'number|NaN', p90: 'number|NaN', p95: 'number|NaN', p99: 'number|NaN', p999: 'number|NaN' }
const COMMON = {
  className: 'string', id: 'number', status: 'string', is_savepoint: 'boolean', savepointFormat: 'string|null', trigger_timestamp: 'number',
  latest_ack_timestamp: 'number', checkpointed_size: 'number', state_size: 'number', end_to_end_duration: 'number', alignment_buffered: 'number',
  processed_data: 'number', persisted_data: 'number', num_subtasks: 'number', num_acknowledged_subtasks: 'number', checkpoint_type: 'string', tasks: 'any',
} as const
const COMPLETED: Shape = { ...COMMON, external_path: 'string', discarded: 'boolean' }
const FAILED: Shape = { ...COMMON, failure_timestamp: 'number', failure_message: 'string' }
const TASK = {
  id: 'number', status: 'string', latest_ack_timestamp: 'number', checkpointed_size: 'number', state_size: 'number', end_to_end_duration: 'number',
  alignment_buffered: 'number', processed_data: 'number', persisted_data: 'number', num_subtasks: 'number', num_acknowledged_subtasks: 'number',
} as const
const IO: Shape = {
  'read-bytes': 'number', 'read-bytes-complete': 'boolean', 'write-bytes': 'number', 'write-bytes-complete': 'boolean', 'read-records': 'number',
  'read-records-complete': 'boolean', 'write-records': 'number', 'write-records-complete': 'boolean', 'accumulated-backpressured-time': 'number',
  'accumulated-idle-time': 'number', 'accumulated-busy-time': 'number|NaN',
}
const TOLERANT = testJob({ 'execution.checkpointing.tolerable-failed-checkpoints': 9 })

/** One completed (1), one failed (2), one in progress (3), one restored. */
function lived(): Cluster {
  const cluster = new Cluster().running(TOLERANT)
  cluster.checkpoint()
  cluster.fail(cluster.execution(0))
  cluster.tasksCancel()
  cluster.fire('restart')
  cluster.tasksRun()
  cluster.trigger()
  cluster.fire('checkpoint-timeout:2')
  cluster.trigger()
  cluster.ack(cluster.execution(0), 3)
  return cluster
}

const get = (cluster: Cluster, path: string): unknown => cluster.rest(`/jobs/${JOB}${path}`).body
const vertexOf = (cluster: Cluster, index: number): string => cluster.machine.executions[index]!.vertex

/** Times in microseconds of one second. */
function report(cluster: Cluster, index: number, at: number, times: readonly [busy: number, idle: number, backpressured: number]): TaskReport {
  const { attempt, vertex, subtask } = cluster.machine.executions[index]!
  return {
    attempt, vertex, subtask, at, activity: 'processing', recordsIn: 3, recordsOut: 4, bytesIn: 30, bytesOut: 40,
    busyMicros: times[0], idleMicros: times[1], backpressuredMicros: times[2], hardBackpressuredMicros: 0,
    inputs: [], outputs: [], inPoolUsage: 0, outPoolUsage: 0, operators: [], checkpoint: null,
    metrics: metricsOf({ gauges: gaugesOf({ idle: times[1] / 1000, softBackPressured: times[2] / 1000 }) }),
  }
}

describe('shapes of Flink’s REST messages', () => {
  it('/checkpoints', () => {
    const body = get(lived(), '/checkpoints') as { history: unknown[] }
    expect(mismatch(body, {
      counts: { restored: 'number', total: 'number', in_progress: 'number', completed: 'number', failed: 'number' },
      summary: {
        checkpointed_size: STATS, state_size: STATS, end_to_end_duration: STATS, alignment_buffered: STATS, processed_data: STATS, persisted_data: STATS,
      },
      latest: {
        completed: COMPLETED, savepoint: 'null', failed: FAILED,
        restored: { id: 'number', restore_timestamp: 'number', is_savepoint: 'boolean', external_path: 'string' },
      },
      history: 'any',
    })).toBeNull()
    expect(body.history.map((row, index) => mismatch(row, [COMMON, FAILED, COMPLETED][index]!))).toEqual([null, null, null])
  })

  it('/checkpoints/config', () => {
    expect(mismatch(get(lived(), '/checkpoints/config'), {
      mode: 'string', interval: 'number', timeout: 'number', min_pause: 'number', max_concurrent: 'number',
      externalization: { enabled: 'boolean', delete_on_cancellation: 'boolean' }, state_backend: 'string', checkpoint_storage: 'string',
      unaligned_checkpoints: 'boolean', tolerable_failed_checkpoints: 'number', aligned_checkpoint_timeout: 'number',
      checkpoints_after_tasks_finish: 'boolean', state_changelog_enabled: 'boolean', changelog_storage: 'null',
      changelog_periodic_materialization_interval: 'null',
    })).toBeNull()
  })

  it('/checkpoints/details/:id has one task object for each vertex', () => {
    const cluster = lived()
    const { tasks } = get(cluster, '/checkpoints/details/1') as { tasks: Record<string, unknown> }
    expect(Object.keys(tasks)).toEqual(cluster.machine.graph!.vertices.map((vertex) => vertex.id))
    expect(Object.values(tasks).map((task) => mismatch(task, TASK))).toEqual([null, null, null])
  })

  it('/checkpoints/details/:id/subtasks/:vertex', () => {
    const cluster = lived()
    const duration: Shape = { sync: STATS, async: STATS }
    expect(mismatch(get(cluster, `/checkpoints/details/3/subtasks/${vertexOf(cluster, 0)}`), {
      ...TASK,
      summary: {
        checkpointed_size: STATS, state_size: STATS, end_to_end_duration: STATS, checkpoint_duration: duration,
        alignment: { buffered: STATS, processed: STATS, persisted: STATS, duration: STATS }, start_delay: STATS,
      },
      subtasks: 'any',
    })).toBeNull()
  })

  it('a pending subtask has an index and a status, a completed one its figures', () => {
    const cluster = lived()
    const { subtasks } = get(cluster, `/checkpoints/details/3/subtasks/${vertexOf(cluster, 0)}`) as { subtasks: unknown[] }
    expect(mismatch(subtasks[0], {
      className: 'string', index: 'number', status: 'string', ack_timestamp: 'number', end_to_end_duration: 'number', checkpointed_size: 'number',
      state_size: 'number', checkpoint: { sync: 'number', async: 'number' },
      alignment: { buffered: 'number', processed: 'number', persisted: 'number', duration: 'number' }, start_delay: 'number',
      unaligned_checkpoint: 'boolean', aborted: 'boolean',
    })).toBeNull()
    expect(subtasks[1]).toEqual({ className: 'pending', index: 1, status: 'pending_or_failed' })
  })

  it('percentiles of subtasks are NaN, but those of the end to end duration are computed on the times of the acknowledgements', () => {
    const cluster = lived()
    const { summary } = get(cluster, `/checkpoints/details/3/subtasks/${vertexOf(cluster, 0)}`) as { summary: Record<string, Record<string, unknown>> }
    expect(summary['state_size']).toEqual({ min: 10, max: 10, avg: 10, p50: 'NaN', p90: 'NaN', p95: 'NaN', p99: 'NaN', p999: 'NaN' })
    expect(summary['end_to_end_duration']).toMatchObject({ min: 0, p50: Math.floor(cluster.now / 1000) })
  })

  it('/vertices/:id: the job’s vertex with its subtasks and what they amount to', () => {
    const cluster = lived()
    cluster.now += SECOND
    cluster.feed({ type: 'task-report', report: report(cluster, 0, cluster.now, [100_000, 500_000, 400_000]) })
    const spread: Shape = { min: 'number', max: 'number', avg: 'number', sum: 'number', median: 'number', p25: 'number', p75: 'number', p95: 'number' }
    const states: Shape = { CREATED: 'number', SCHEDULED: 'number', DEPLOYING: 'number', INITIALIZING: 'number', RUNNING: 'number' }
    const body = get(cluster, `/vertices/${vertexOf(cluster, 0)}`)
    expect(mismatch(body, {
      id: 'string', name: 'string', parallelism: 'number', maxParallelism: 'number', now: 'number',
      subtasks: [{
        subtask: 'number', status: 'string', attempt: 'number', endpoint: 'string', 'start-time': 'number', start_time: 'number', 'end-time': 'number',
        duration: 'number', metrics: IO, 'taskmanager-id': 'string', 'status-duration': states,
      }],
      aggregated: {
        metrics: {
          'read-bytes': spread, 'write-bytes': spread, 'read-records': spread, 'write-records': spread, 'accumulated-backpressured-time': spread,
          'accumulated-busy-time': spread, 'accumulated-idle-time': spread,
        },
        'status-duration': { CREATED: spread, SCHEDULED: spread, DEPLOYING: spread, INITIALIZING: spread, RUNNING: spread },
      },
    })).toBeNull()
    const { subtasks } = body as { subtasks: { metrics: object; attempt: number }[] }
    expect(subtasks[0]).toMatchObject({ attempt: 1, metrics: { 'read-records': 3, 'write-bytes': 40, 'accumulated-busy-time': 100, 'read-records-complete': true } })
    expect(subtasks[1]).toMatchObject({ metrics: { 'read-records-complete': false, 'accumulated-busy-time': 'NaN' } })
  })

  it('/vertices/:id/backpressure: the vertex has the level of its worst subtask, and every level stands under both of its names', () => {
    const cluster = lived()
    const path = `/vertices/${vertexOf(cluster, 0)}/backpressure`
    expect(get(cluster, path)).toEqual({ status: 'deprecated' })
    cluster.feed({ type: 'task-report', report: report(cluster, 0, cluster.now, [0, 1_000_000, 0]) })
    cluster.feed({ type: 'task-report', report: report(cluster, 1, cluster.now, [100_000, 300_000, 600_000]) })
    expect(get(cluster, path)).toEqual({
      status: 'ok', backpressureLevel: 'high', 'backpressure-level': 'high', 'end-timestamp': Math.floor(cluster.now / 1000),
      subtasks: [
        { subtask: 0, backpressureLevel: 'ok', 'backpressure-level': 'ok', ratio: 0, idleRatio: 1, busyRatio: 0 },
        { subtask: 1, backpressureLevel: 'high', 'backpressure-level': 'high', ratio: 0.6, idleRatio: 0.3, busyRatio: 0.1 },
      ],
    })
  })

  it.each([[0.1, 'ok'], [0.101, 'low'], [0.5, 'low'], [0.501, 'high']] as const)('back pressure of %d is %s', (ratio, level) => {
    const cluster = new Cluster().running()
    const backpressured = Math.round(ratio * SECOND)
    cluster.feed({ type: 'task-report', report: report(cluster, 0, SECOND, [0, SECOND - backpressured, backpressured]) })
    expect(get(cluster, `/vertices/${vertexOf(cluster, 0)}/backpressure`)).toMatchObject({ backpressureLevel: level })
  })

  it('/config', () => {
    expect(get(lived(), '/config')).toEqual({
      jid: JOB, name: 'test job',
      'execution-config': {
        'restart-strategy': 'Restart with fixed delay (PT1S). #3 restart attempts.', 'job-parallelism': 2, 'object-reuse-mode': false,
        'user-config': TOLERANT.config,
      },
    })
  })

  it('a vertex that is not there answers 404', () => {
    expect(lived().rest(`/jobs/${JOB}/vertices/${'0'.repeat(32)}`).status).toBe(404)
  })

  it('without periodic checkpoints the mode is at_least_once and the interval the largest long', () => {
    const { 'execution.checkpointing.interval': _, ...config } = testJob().config!
    const cluster = new Cluster().running({ ...testJob(), config })
    expect(get(cluster, '/checkpoints/config')).toMatchObject({ mode: 'at_least_once', interval: 2 ** 63 })
  })

  it('the interval is shown as configured, though min-pause raises the period', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.min-pause': '30 s' }))
    expect(get(cluster, '/checkpoints/config')).toMatchObject({ interval: 10_000, min_pause: 30_000 })
  })
})
