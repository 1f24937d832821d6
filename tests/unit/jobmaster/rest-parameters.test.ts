/** Parameters that stand in paths and queries (behaviour 19.2), and what a call answers to one that cannot be read. */
import { describe, expect, it } from 'vitest'
import { Cluster, JOB, testJob } from './harness.ts'

const V = 'a'.repeat(32)
const refusal = (place: 'path' | 'query', name: string, value: string): string =>
  `Bad request, could not parse parameters: Cannot resolve ${place} parameter (${name}) from value "${value}".`

describe('a path parameter that cannot be read answers 400 with its name and value', () => {
  it.each([
    ['jobid', 'xyz', '/jobs/xyz'],
    ['jobid', 'xyz', '/jobs/xyz/checkpoints'],
    ['jobid', 'xyz', '/jobs/xyz/checkpoints/config'],
    ['jobid', 'a'.repeat(31), `/jobs/${'a'.repeat(31)}/exceptions`],
    ['jobid', `${'a'.repeat(31)}g`, `/v1/jobs/${'a'.repeat(31)}g/plan`],
    ['checkpointid', 'abc', `/jobs/${JOB}/checkpoints/details/abc`],
    ['checkpointid', '1.5', `/jobs/${JOB}/checkpoints/details/1.5`],
    ['checkpointid', '9223372036854775808', `/jobs/${JOB}/checkpoints/details/9223372036854775808`],
    ['checkpointid', '-9223372036854775809', `/jobs/${JOB}/checkpoints/details/-9223372036854775809`],
    ['checkpointid', 'abc', `/jobs/${JOB}/checkpoints/details/abc/subtasks/${V}`],
    ['vertexid', 'nobody', `/jobs/${JOB}/checkpoints/details/1/subtasks/nobody`],
    ['vertexid', 'nobody', `/jobs/${JOB}/vertices/nobody`],
    ['vertexid', 'nobody', `/jobs/${JOB}/vertices/nobody/backpressure`],
    ['triggerid', 'mine', `/jobs/${JOB}/checkpoints/mine`],
    ['triggerid', 'mine', `/jobs/${JOB}/savepoints/mine`],
    ['triggerid', 'mine', '/savepoint-disposal/mine'],
  ])('%s %s in %s', (name, value, path) => {
    expect(new Cluster().running().rest(path)).toEqual({ status: 400, body: { errors: [refusal('path', name, value)] } })
  })

  it('whether the job is there or not, and the first that cannot be read is named', () => {
    const cluster = new Cluster()
    expect(cluster.rest(`/jobs/${V}/checkpoints/details/abc`)).toEqual({ status: 400, body: { errors: [refusal('path', 'checkpointid', 'abc')] } })
    expect(cluster.rest('/jobs/x/checkpoints/details/y/subtasks/z')).toEqual({ status: 400, body: { errors: [refusal('path', 'jobid', 'x')] } })
  })

  it('one that can be read and names nothing answers 404', () => {
    const cluster = new Cluster().running()
    for (const id of ['7', '-7', '9223372036854775807', '-9223372036854775808']) {
      expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/${id}`)).toEqual({ status: 404, body: { errors: [`Could not find checkpointing statistics for checkpoint ${id}.`] } })
    }
    cluster.checkpoint()
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/1/subtasks/${V}`)).toEqual({ status: 404, body: { errors: [`There is no checkpoint statistics for task ${V}.`] } })
    expect(cluster.rest(`/jobs/${JOB}/vertices/${V}/backpressure`).status).toBe(404)
    expect(cluster.rest(`/savepoint-disposal/${V}`).status).toBe(404)
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/1/nothing/${V}`).status).toBe(404)
  })
})

describe('parameters are read as Java reads them', () => {
  it('ids in upper case, and numbers with a sign or zeros in front', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    const { vertex } = cluster.machine.executions[0]!
    expect(cluster.rest(`/jobs/${JOB.toUpperCase()}`).body).toMatchObject({ jid: JOB })
    for (const id of ['1', '+1', '001']) expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/${id}`).body).toMatchObject({ id: 1 })
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/details/1/subtasks/${vertex.toUpperCase()}`).body).toMatchObject({ id: 1, num_subtasks: 2 })
    expect(cluster.rest(`/jobs/${JOB}/vertices/${vertex.toUpperCase()}`).body).toMatchObject({ id: vertex })
    expect(cluster.rest(`/jobs/${JOB}/checkpoints/${'F'.repeat(32)}`).body).toMatchObject({ operation: { checkpointId: 1 } })
  })

  it('maxExceptions limits the exceptions, the newest first; what is no number answers 400', () => {
    const cluster = new Cluster().running(testJob({ 'restart-strategy.fixed-delay.attempts': 10 }))
    for (let i = 0; i < 3; i++) {
      cluster.fail(cluster.execution(0), `boom ${i}`)
      cluster.tasksCancel()
      cluster.fire('restart')
      cluster.tasksRun()
    }
    const names = (query: string): unknown => {
      const { exceptionHistory } = cluster.rest(`/jobs/${JOB}/exceptions${query}`).body as { exceptionHistory: { entries: { stacktrace: string }[]; truncated: boolean } }
      return [exceptionHistory.entries.map(({ stacktrace }) => stacktrace), exceptionHistory.truncated]
    }
    expect(names('?maxExceptions=2')).toEqual([['boom 2', 'boom 1'], true])
    expect(names('')).toEqual([['boom 2', 'boom 1', 'boom 0'], false])
    for (const value of ['many', '2147483648', '1.5']) {
      expect(cluster.rest(`/jobs/${JOB}/exceptions?maxExceptions=${value}`)).toEqual({ status: 400, body: { errors: [refusal('query', 'maxExceptions', value)] } })
    }
  })

  it('mode: cancel in any case, stop is gone, anything else answers 400', () => {
    const cluster = new Cluster().running()
    const patch = (mode: string) => cluster.machine.rest({ path: `/jobs/${JOB}?mode=${mode}`, method: 'PATCH' }, 0)
    expect(patch('CANCEL')).toMatchObject({ status: 202, input: { type: 'cancel' } })
    expect(patch('stop').status).toBe(308)
    expect(patch('explode')).toEqual({ status: 400, body: { errors: [refusal('query', 'mode', 'explode')] } })
  })
})
