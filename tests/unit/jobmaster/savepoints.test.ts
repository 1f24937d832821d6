/** Savepoints and stop with savepoint at the JobManager alone (behaviour 13, 19.2): what it asks, answers and counts. */
import { describe, expect, it } from 'vitest'
import type { CheckpointOptions } from '../../../workers/model/checkpoint.ts'
import { readSavepoint } from '../../../workers/savepoint/savepoint-reader.ts'
import { Cluster, JOB, SECOND, testJob } from './harness.ts'

const C = 'execution.checkpointing.'
const ID = 'e'.repeat(32)
const base = `/jobs/${JOB}`
const post = (cluster: Cluster, path: string, body: unknown = {}) => {
  const answer = cluster.machine.rest({ path, method: 'POST', body }, cluster.now)
  if (answer.input !== undefined) cluster.input(answer.input)
  return { status: answer.status, body: answer.body as Record<string, unknown>, acted: answer.input !== undefined }
}
const asked = (cluster: Cluster): readonly CheckpointOptions[] =>
  cluster.sent.flatMap(({ command }) => (command.type === 'trigger-checkpoint' ? [command.options] : []))
const get = (cluster: Cluster, path: string) => cluster.machine.rest({ path }, cluster.now)

describe('the directory of a savepoint (behaviour 13.1)', () => {
  const name = (digits: string): string => `/savepoints/savepoint-012345-${digits}`
  const occupy = (cluster: Cluster, directory: string): void =>
    void cluster.storageSystem.execute({ type: 'transact', writes: [{ path: `${directory}/_metadata`, bytes: new Uint8Array([1]), createNew: true }], deletes: [], durability: 'strict' }, null)

  it('a name that is taken is left alone and another one is tried', () => {
    const cluster = new Cluster().running()
    occupy(cluster, name('e'.repeat(12)))
    cluster.ackAll(cluster.savepoint())
    const path = cluster.all('CheckpointCompleted')[0]?.externalPath ?? ''
    expect(path).toMatch(/^\/savepoints\/savepoint-012345-[0-9a-f]{12}$/)
    expect(path).not.toBe(name('e'.repeat(12)))
    expect(cluster.storageSystem.paths(`${name('e'.repeat(12))}/`)).toEqual([`${name('e'.repeat(12))}/_metadata`])
  })

  it('ten names that are taken fail it, and delete nothing', () => {
    const cluster = new Cluster().running()
    cluster.storageSystem.intercept = (op) => (op.type === 'list' && op.prefix.startsWith('/savepoints/') ? { ok: true, entries: [{ path: `${op.prefix}x`, size: 1, modifiedAt: 0 }] } : null)
    const deleted: string[] = []
    const id = cluster.savepoint()
    cluster.storageSystem.intercept = (op) => {
      if (op.type === 'delete-below') deleted.push(op.directory)
      return null
    }
    expect(cluster.all('CheckpointAborted')).toMatchObject([{ checkpointId: id, reason: 'IO_EXCEPTION', message: expect.stringContaining('Failed to create savepoint directory at /savepoints') }])
    expect(deleted).toEqual([])
    expect(cluster.machine.status).toBe('RUNNING')
  })
})

describe('a full checkpoint (behaviour 5.4, 5.5)', () => {
  it('by hand, in its metadata too', () => {
    const cluster = new Cluster().running()
    cluster.input({ type: 'trigger-checkpoint', triggerId: ID, checkpointType: 'FULL' })
    cluster.ackAll(1)
    const bytes = cluster.storageSystem.execute({ type: 'read', path: `/checkpoints/${JOB}/chk-1/_metadata` }, null)
    if (bytes === null || !bytes.ok || bytes.bytes === undefined) throw new Error('no metadata')
    expect(readSavepoint(bytes.bytes).properties?.type).toEqual({ kind: 'checkpoint', name: 'Full Checkpoint', sharingFilesStrategy: 'FORWARD' })
  })

  it('forced: every checkpoint until one is in the store; a savepoint changes nothing', () => {
    const cluster = new Cluster().running(testJob({ [`${C}tolerable-failed-checkpoints`]: 10 }))
    cluster.machine.job?.coordinator.forceFullSnapshot()
    cluster.trigger()
    cluster.fire('checkpoint-timeout:1')
    cluster.ackAll(cluster.savepoint())
    cluster.checkpoint()
    cluster.checkpoint()
    const types = asked(cluster).map(({ type }) => type)
    expect(types.filter((_, index) => index % 2 === 0)).toEqual(['FULL_CHECKPOINT', 'SAVEPOINT', 'FULL_CHECKPOINT', 'CHECKPOINT'])
  })
})

describe('stop with savepoint at the JobManager (behaviour 13.2)', () => {
  const stopping = (config: Parameters<typeof testJob>[0] = {}, drain = false): Cluster => {
    const cluster = new Cluster().running(testJob({ [`${C}tolerable-failed-checkpoints`]: 10, ...config }))
    cluster.input({ type: 'stop-with-savepoint', triggerId: ID, directory: '/savepoints', drain })
    return cluster
  }
  const finish = (cluster: Cluster): void => {
    for (const { attempt } of cluster.machine.executions) cluster.taskState(attempt, 'FINISHED')
  }

  it.each([[false, 'SUSPEND'], [true, 'TERMINATE']] as const)('a synchronous savepoint, drain %s, that is notified of; the path is the answer when all tasks have FINISHED', (drain, action) => {
    const cluster = stopping({}, drain)
    expect(cluster.timers.has('checkpoint-periodic')).toBe(false)
    expect(asked(cluster)[0]).toMatchObject({ type: 'SYNC_SAVEPOINT', format: 'CANONICAL', drain, alignment: 'ALIGNED' })
    cluster.ackAll(1)
    expect(cluster.commands('notify-checkpoint-complete')).toHaveLength(5)
    expect(get(cluster, `${base}/savepoints/${ID}`).body).toEqual({ status: { id: 'IN_PROGRESS' }, operation: null })
    finish(cluster)
    expect(cluster.machine.status).toBe('FINISHED')
    const location = `/savepoints/savepoint-012345-${'e'.repeat(12)}`
    expect(get(cluster, `${base}/savepoints/${ID}`).body).toEqual({ status: { id: 'COMPLETED' }, operation: { location } })
    expect(cluster.all('JobStoppedWithSavepoint')).toEqual([{ type: 'JobStoppedWithSavepoint', mode: action, externalPath: location }])
    expect(get(cluster, `${base}/checkpoints`).body).toMatchObject({
      counts: { total: 1, completed: 1 }, latest: { completed: null, savepoint: { is_savepoint: true, savepointFormat: 'CANONICAL', checkpoint_type: 'SYNC_SAVEPOINT' } },
    })
  })

  it('expired: the scheduler starts again and the request fails', () => {
    const cluster = stopping()
    cluster.fire('checkpoint-timeout:1')
    expect(cluster.timers.has('checkpoint-periodic')).toBe(true)
    expect(get(cluster, `${base}/savepoints/${ID}`).body).toMatchObject({ status: { id: 'COMPLETED' }, operation: { 'failure-cause': { 'stack-trace': 'Checkpoint expired before completing.' } } })
    expect(cluster.all('RequestFailed')).toMatchObject([{ request: 'stop-with-savepoint' }])
    expect(cluster.machine.status).toBe('RUNNING')
  })

  it('declined by a task: the job fails over, whatever number of failures is tolerated', () => {
    const cluster = stopping()
    cluster.message({ type: 'decline', attempt: cluster.execution(0), checkpointId: 1, reason: 'CHECKPOINT_DECLINED', message: 'no' })
    expect(cluster.machine.status).toBe('RESTARTING')
    expect(cluster.all('RestartScheduled')[0]?.cause).toContain('Stop-with-savepoint failed.')
  })

  it('a task that ends otherwise after the savepoint: no restart is asked about, and the message names the savepoint', () => {
    const cluster = stopping()
    cluster.ackAll(1)
    cluster.fail(cluster.execution(0), 'commit failed')
    expect(cluster.machine.status).toBe('RESTARTING')
    cluster.tasksCancel()
    expect(cluster.machine.status).toBe('FAILED')
    const location = `/savepoints/savepoint-012345-${'e'.repeat(12)}`
    const cause = cluster.all('JobStatusChanged').find(({ to }) => to === 'FAILING')?.cause ?? ''
    expect(cause).toContain(`A savepoint has been created at: ${location}, but the corresponding job ${JOB} failed during stopping.`)
    expect(cluster.all('RecoverySuppressed')).toMatchObject([{ strategy: 'The failure is not recoverable' }])
    expect(cluster.storageSystem.paths(`${location}/`)).toContain(`${location}/_metadata`)
  })

  it('a task that fails before the savepoint is complete: the request fails and the job restarts', () => {
    const cluster = stopping()
    cluster.fail(cluster.execution(0), 'boom')
    expect(get(cluster, `${base}/savepoints/${ID}`).body).toMatchObject({ operation: { 'failure-cause': {} } })
    cluster.tasksCancel()
    cluster.now += 2 * SECOND
    cluster.fire('restart')
    expect(cluster.machine.status).toBe('RUNNING')
    expect(cluster.timers.has('checkpoint-periodic')).toBe(true)
  })

  it('cancelled meanwhile: the request fails, the job is CANCELED', () => {
    const cluster = stopping()
    cluster.input({ type: 'cancel' })
    cluster.tasksCancel()
    expect(cluster.machine.status).toBe('CANCELED')
    expect(get(cluster, `${base}/savepoints/${ID}`).body).toMatchObject({ status: { id: 'COMPLETED' }, operation: { 'failure-cause': {} } })
  })
})

describe('savepoints over REST (behaviour 19.2)', () => {
  it('POST savepoints answers 202 with a request id; the same triggerId again asks for nothing new', () => {
    const cluster = new Cluster().running()
    const body = { 'target-directory': 'file:///elsewhere', 'cancel-job': false, formatType: 'NATIVE', triggerId: ID }
    expect(post(cluster, `${base}/savepoints`, body)).toEqual({ status: 202, body: { 'request-id': ID }, acted: true })
    expect(post(cluster, `${base}/savepoints`, body)).toEqual({ status: 202, body: { 'request-id': ID }, acted: false })
    cluster.ackAll(1)
    expect(get(cluster, `${base}/savepoints/${ID}`).body).toEqual({ status: { id: 'COMPLETED' }, operation: { location: `/elsewhere/savepoint-012345-${'e'.repeat(12)}` } })
    expect(get(cluster, `${base}/checkpoints/details/1`).body).toMatchObject({ is_savepoint: true, savepointFormat: 'NATIVE', checkpoint_type: 'SAVEPOINT' })
  })

  it.each([
    ['no directory', {}, 'Config key [execution.checkpointing.savepoint-dir] is not set. Property [target-directory] must be provided.'],
    ['an unknown format', { 'target-directory': '/s', formatType: 'RAW' }, 'formatType: "RAW" is none of CANONICAL, NATIVE.'],
    ['an id that is none', { 'target-directory': '/s', triggerId: 'x' }, 'triggerId: "x" is not 32 hexadecimal digits.'],
    ['cancel-job that is no flag', { 'target-directory': '/s', 'cancel-job': 1 }, 'cancel-job: 1 is not true or false.'],
  ])('400: %s', (_, body, message) => {
    expect(post(new Cluster().running(), `${base}/savepoints`, body)).toMatchObject({ status: 400, body: { errors: [message] } })
  })

  it('the directory of the job\'s options is the default; cancel-job cancels once it is there', () => {
    const cluster = new Cluster().running(testJob({ [`${C}savepoint-dir`]: '/kept' }))
    expect(post(cluster, `${base}/savepoints`, { 'cancel-job': true, triggerId: ID }).status).toBe(202)
    cluster.ackAll(1)
    expect(cluster.machine.status).toBe('CANCELLING')
    expect(get(cluster, `${base}/savepoints/${ID}`).body).toMatchObject({ operation: { location: `/kept/savepoint-012345-${'e'.repeat(12)}` } })
  })

  it('POST stop takes targetDirectory and drain, and answers as a savepoint does', () => {
    const cluster = new Cluster().running()
    expect(post(cluster, `${base}/stop`, { targetDirectory: '/s', drain: true, triggerId: ID })).toMatchObject({ status: 202, acted: true })
    expect(asked(cluster)[0]).toMatchObject({ type: 'SYNC_SAVEPOINT', drain: true })
    expect(post(new Cluster().running(), `${base}/stop`).body).toEqual({ errors: ['Config key [execution.checkpointing.savepoint-dir] is not set. Property [targetDirectory] must be provided.'] })
  })

  it('404: an unknown request, and a job that has ended', () => {
    const cluster = new Cluster().running()
    expect(get(cluster, `${base}/savepoints/${ID}`)).toMatchObject({ status: 404, body: { errors: [`There is no savepoint operation with triggerId=${ID} for job ${JOB}.`] } })
    cluster.input({ type: 'cancel' })
    cluster.tasksCancel()
    expect(post(cluster, `${base}/savepoints`, { 'target-directory': '/s' }).status).toBe(404)
  })

  it('POST savepoint-disposal deletes it; GET tells how it stands', () => {
    const cluster = new Cluster().running()
    cluster.ackAll(cluster.savepoint())
    const path = cluster.all('CheckpointCompleted')[0]?.externalPath ?? ''
    const { status, body } = post(cluster, '/savepoint-disposal', { 'savepoint-path': `file://${path}` })
    expect(status).toBe(202)
    expect(get(cluster, `/savepoint-disposal/${String(body['request-id'])}`)).toEqual({ status: 200, body: { status: { id: 'COMPLETED' }, operation: {} } })
    expect(cluster.storageSystem.paths(`${path}/_metadata`)).toEqual([])
    const missing = post(cluster, '/savepoint-disposal', { 'savepoint-path': path }).body
    expect(get(cluster, `/savepoint-disposal/${String(missing['request-id'])}`).body).toMatchObject({ operation: { 'failure-cause': { 'stack-trace': expect.stringContaining(path) } } })
    expect(post(cluster, '/savepoint-disposal').status).toBe(400)
    expect(get(cluster, `/savepoint-disposal/${ID}`).status).toBe(404)
  })
})
