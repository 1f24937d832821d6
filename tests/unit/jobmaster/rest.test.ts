import { describe, expect, it } from 'vitest'
import { Cluster, JOB, testJob } from './harness.ts'

const ID = 'a'.repeat(32)

const keys = (value: unknown): string[] => Object.keys(value as object).sort()

describe('REST (behaviour 19.2)', () => {
  it('/overview counts TaskManagers, slots and jobs', () => {
    expect(new Cluster().running().rest('/overview').body).toEqual({
      taskmanagers: 2, 'slots-total': 2, 'slots-available': 0, 'jobs-running': 1, 'jobs-finished': 0, 'jobs-cancelled': 0, 'jobs-failed': 0,
      'flink-version': '2.1', 'flink-commit': 'weir',
    })
  })

  it('/jobs/overview counts tasks in lower case', () => {
    const { jobs } = new Cluster().running().rest('/jobs/overview').body as { jobs: Record<string, unknown>[] }
    expect(keys(jobs[0])).toEqual(['duration', 'end-time', 'jid', 'last-modification', 'name', 'pending-operators', 'start-time', 'state', 'tasks'])
    expect(jobs[0]).toMatchObject({ jid: JOB, state: 'RUNNING', 'end-time': -1, tasks: { total: 5, running: 5, failed: 0, reconciling: 0 } })
  })

  it('/jobs/:jobid has the fields of a real answer, task counts in upper case, plan nodes sinks first', () => {
    const body = new Cluster().running().rest(`/jobs/${JOB}`).body as Record<string, unknown>
    expect(keys(body)).toEqual([
      'duration', 'end-time', 'isStoppable', 'jid', 'job-type', 'maxParallelism', 'name', 'now', 'pending-operators', 'plan', 'start-time', 'state',
      'status-counts', 'timestamps', 'vertices',
    ])
    const [source] = body['vertices'] as Record<string, unknown>[]
    expect(keys(source)).toEqual([
      'duration', 'end-time', 'id', 'maxParallelism', 'metrics', 'name', 'parallelism', 'slotSharingGroupId', 'start-time', 'status', 'tasks',
    ])
    expect(source).toMatchObject({ status: 'RUNNING', tasks: { RUNNING: 2, FAILED: 0 } })
    const { nodes } = body['plan'] as { nodes: { id: string; inputs?: unknown[] }[] }
    expect(nodes.at(-1)!.id).toBe((source as { id: string }).id)
    expect(nodes[1]!.inputs).toEqual([{ num: 0, id: (source as { id: string }).id, ship_strategy: 'HASH', exchange: 'pipelined_bounded' }])
    expect(body['timestamps']).toMatchObject({ RESTARTING: 0, RECONCILING: 0 })
  })

  it('/checkpoints before the first: NaN percentiles as strings, latest all null', () => {
    const body = new Cluster().running().rest(`/jobs/${JOB}/checkpoints`).body as Record<string, Record<string, unknown>>
    expect(body['counts']).toEqual({ restored: 0, total: 0, in_progress: 0, completed: 0, failed: 0 })
    expect(body['summary']!['state_size']).toEqual({ min: 0, max: 0, avg: 0, p50: 'NaN', p90: 'NaN', p95: 'NaN', p99: 'NaN', p999: 'NaN' })
    expect(body['summary']!['alignment_buffered']).toEqual({ min: 0, max: 0, avg: 0, p50: 0, p90: 0, p95: 0, p99: 0, p999: 0 })
    expect(body['latest']).toEqual({ completed: null, savepoint: null, failed: null, restored: null })
    expect(body['history']).toEqual([])
  })

  it('history shows completed, failed and in progress, newest first', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.tolerable-failed-checkpoints': 9 }))
    cluster.checkpoint()
    cluster.trigger()
    cluster.fire('checkpoint-timeout:2')
    cluster.trigger()
    cluster.ack(cluster.execution(0), 3)
    const { history, counts, latest } = cluster.rest(`/jobs/${JOB}/checkpoints`).body as { history: Record<string, unknown>[]; counts: unknown; latest: Record<string, unknown> }
    expect(counts).toEqual({ restored: 0, total: 3, in_progress: 1, completed: 1, failed: 1 })
    expect(history.map((row) => [row['className'], row['id'], row['status'], row['num_acknowledged_subtasks']])).toEqual([
      ['in_progress', 3, 'IN_PROGRESS', 1],
      ['failed', 2, 'FAILED', 0],
      ['completed', 1, 'COMPLETED', 5],
    ])
    expect(history[1]).toMatchObject({ failure_message: 'Checkpoint expired before completing.' })
    expect(history[2]).toMatchObject({ end_to_end_duration: 1000, state_size: 50, checkpointed_size: 50, external_path: `/checkpoints/${JOB}/chk-1`, discarded: false, tasks: {} })
    expect(latest['failed']).toMatchObject({ id: 2 })
  })

  it('without an interval too: what is taken by hand is counted', () => {
    const { 'execution.checkpointing.interval': _, ...config } = testJob().config!
    const cluster = new Cluster().running({ ...testJob(), config })
    cluster.checkpoint()
    expect(cluster.rest(`/jobs/${JOB}/checkpoints`)).toMatchObject({ status: 200, body: { counts: { total: 1, completed: 1 } } })
  })

  it('statistics are lost with the JobManager: the next one knows of nothing but its restore', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    cluster.checkpoint()
    const next = new Cluster(cluster.storageSystem).lead(2)
    expect(next.rest(`/jobs/${JOB}/checkpoints`).body).toMatchObject({
      counts: { restored: 1, total: 0, in_progress: 0, completed: 0, failed: 0 }, history: [], latest: { completed: null, restored: { id: 2 } },
    })
  })

  it('a subsumed checkpoint is discarded', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    cluster.checkpoint()
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/1`).body).toMatchObject({ discarded: true })
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/2`).body).toMatchObject({ discarded: false })
  })

  it('those that go with the job are discarded too', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    cluster.input({ type: 'cancel' })
    cluster.tasksCancel()
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/1`).body).toMatchObject({ discarded: true })
  })

  it('details have tasks per vertex, subtasks have their figures', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    const { vertex } = cluster.machine.executions[2]!
    cluster.ack(cluster.execution(2), 1)
    const details = cluster.rest(`/jobs/${JOB}/checkpoints/details/1`).body as { tasks: Record<string, unknown> }
    expect(details.tasks[vertex]).toMatchObject({ num_subtasks: 2, num_acknowledged_subtasks: 1, state_size: 10 })
    const subtasks = cluster.rest(`/jobs/${JOB}/checkpoints/details/1/subtasks/${vertex}`).body as { subtasks: unknown[]; summary: unknown }
    expect(subtasks.subtasks).toEqual([
      {
        className: 'completed', index: 0, status: 'completed', ack_timestamp: 0, end_to_end_duration: 0, checkpointed_size: 10, state_size: 10,
        checkpoint: { sync: 4, async: 30 }, alignment: { buffered: 0, processed: 0, persisted: 0, duration: 0 }, start_delay: 0,
        unaligned_checkpoint: false, aborted: false,
      },
      { className: 'pending', index: 1, status: 'pending_or_failed' },
    ])
    expect(keys(subtasks.summary)).toEqual(['alignment', 'checkpoint_duration', 'checkpointed_size', 'end_to_end_duration', 'start_delay', 'state_size'])
  })

  it('/checkpoints/config; off is the largest long', () => {
    const cluster = new Cluster().running()
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/config`).body).toMatchObject({
      mode: 'exactly_once', interval: 10_000, timeout: 600_000, max_concurrent: 1, externalization: { enabled: false, delete_on_cancellation: true },
    })
  })

  it('POST /checkpoints answers a request id, the host feeds the input, the operation tells the outcome', () => {
    const cluster = new Cluster().running()
    const posted = cluster.machine.rest({ path: `/jobs/${JOB}/checkpoints`, method: 'POST', body: { checkpointType: 'CONFIGURED', triggerId: ID } }, 0)
    expect(posted).toMatchObject({ status: 202, body: { 'request-id': ID } })
    cluster.input(posted.input!)
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/${ID}`).body).toEqual({ status: { id: 'IN_PROGRESS' }, operation: null })
    cluster.ackAll(1)
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/${ID}`).body).toEqual({ status: { id: 'COMPLETED' }, operation: { checkpointId: 1 } })
  })

  it.each(['CONFIGURED', 'FULL', 'INCREMENTAL'] as const)('POST /checkpoints asks for the type it names: %s', (checkpointType) => {
    const posted = new Cluster().running().machine.rest({ path: `/jobs/${JOB}/checkpoints`, method: 'POST', body: { checkpointType } }, 0)
    expect(posted.input).toMatchObject({ type: 'trigger-checkpoint', checkpointType })
  })

  it('the same triggerId again asks for no second checkpoint', () => {
    const cluster = new Cluster().running()
    const post = () => cluster.machine.rest({ path: `/jobs/${JOB}/checkpoints`, method: 'POST', body: { triggerId: ID } }, 0)
    cluster.input(post().input!)
    expect(post()).toEqual({ status: 202, body: { 'request-id': ID } })
    cluster.ackAll(1)
    expect(post()).toEqual({ status: 202, body: { 'request-id': ID } })
  })

  it('an operation that failed is COMPLETED with a failureCause, and has no checkpointId', () => {
    const cluster = new Cluster().lead().submit().register('tm-1', 'tm-2')
    cluster.trigger(ID)
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/${ID}`).body).toEqual({
      status: { id: 'COMPLETED' },
      operation: { failureCause: { class: 'org.apache.flink.runtime.checkpoint.CheckpointException', 'stack-trace': expect.stringContaining('Not all required tasks are currently running.') as string } },
    })
  })

  it('PATCH ?mode=cancel hands back the cancel input; a job that has ended answers 409', () => {
    const cluster = new Cluster().running()
    const patched = cluster.machine.rest({ path: `/jobs/${JOB}?mode=cancel`, method: 'PATCH' }, 0)
    expect(patched).toEqual({ status: 202, body: {}, input: { type: 'cancel' } })
    cluster.input(patched.input!)
    cluster.tasksCancel()
    expect(cluster.machine.rest({ path: `/jobs/${JOB}`, method: 'PATCH' }, 0).status).toBe(409)
  })

  it('/exceptions names the failure and its task', () => {
    const cluster = new Cluster().running()
    cluster.fail(cluster.execution(3), 'Long overflow')
    expect(cluster.rest(`/jobs/${JOB}/exceptions`).body).toEqual({
      exceptionHistory: {
        entries: [
          {
            exceptionName: 'Long overflow', stacktrace: 'Long overflow', timestamp: 0, failureLabels: {},
            taskName: expect.stringContaining('(2/2)') as string, endpoint: 'tm-2', taskManagerId: 'tm-2', concurrentExceptions: [],
          },
        ],
        truncated: false,
      },
    })
  })

  it('/exceptions: a failure of the job as a whole has no task', () => {
    const cluster = new Cluster().running()
    cluster.trigger()
    cluster.fire('checkpoint-timeout:1')
    const { exceptionHistory } = cluster.rest(`/jobs/${JOB}/exceptions`).body as { exceptionHistory: { entries: object[] } }
    expect(keys(exceptionHistory.entries[0])).toEqual(['concurrentExceptions', 'exceptionName', 'failureLabels', 'stacktrace', 'timestamp'])
  })

  it.each([
    ['GET', '/nothing', 404],
    ['GET', `/jobs/${'b'.repeat(32)}`, 404],
    ['GET', '/jobs/xyz', 400],
    ['GET', `/jobs/${JOB}/checkpoints/details/7`, 404],
    ['GET', `/jobs/${JOB}/checkpoints/${ID}`, 404],
    ['GET', `/jobs/${JOB}/nothing`, 404],
    ['PATCH', `/jobs/${JOB}?mode=explode`, 400],
    ['POST', `/jobs/${JOB}/nothing`, 404],
  ] as const)('%s %s answers %i with errors', (method, path, status) => {
    const answered = new Cluster().running().machine.rest({ path, method }, 0)
    expect(answered.status).toBe(status)
    expect(answered.body).toEqual({ errors: [expect.any(String)] })
  })

  it.each([[{ checkpointType: 'HALF' }], [{ triggerId: 'x' }]])('POST with a bad body %o answers 400', (body) => {
    expect(new Cluster().running().machine.rest({ path: `/jobs/${JOB}/checkpoints`, method: 'POST', body }, 0).status).toBe(400)
  })
})
