/** Flink's REST messages of metrics: their shapes, what they leave out, and how values are written (behaviour 8.4, 19.3). */
import { describe, expect, it } from 'vitest'
import type { TaskReport } from '../../../workers/model/report.ts'
import { doubleText, floatText } from '../../../workers/jobmaster/rest/metrics/java-numbers.ts'
import { gaugesOf, metricsOf } from '../metrics-of.ts'
import { report } from '../projections/fixture.ts'
import { Cluster, JOB, SECOND, testJob } from './harness.ts'

type Metric = { readonly id: string; readonly value?: string }

const INPUT = 'Shuffle.Netty.Input.Buffers.'
const OUTPUT = 'Shuffle.Netty.Output.Buffers.'
const TASK_METRICS = [
  'busyTimeMsPerSecond', 'backPressuredTimeMsPerSecond', 'idleTimeMsPerSecond', 'softBackPressuredTimeMsPerSecond', 'hardBackPressuredTimeMsPerSecond',
  'maxSoftBackPressureTimeMs', 'maxHardBackPressureTimeMs', 'isBackPressured', 'accumulateBusyTimeMs', 'accumulateBackPressuredTimeMs', 'accumulateIdleTimeMs',
  'numRecordsIn', 'numRecordsInPerSecond', 'numRecordsOut', 'numRecordsOutPerSecond', 'numBytesIn', 'numBytesInPerSecond', 'numBytesOut',
  'numBytesOutPerSecond', 'numBuffersOut', 'numBuffersOutPerSecond', 'mailboxQueueSize', 'mailboxMailsPerSecond', 'checkpointAlignmentTime',
  'checkpointStartDelayNanos', `${INPUT}inPoolUsage`, `${INPUT}inputExclusiveBuffersUsage`, `${INPUT}inputFloatingBuffersUsage`, `${INPUT}inputQueueLength`,
  `${INPUT}inputQueueSize`, `${OUTPUT}outPoolUsage`, `${OUTPUT}outputQueueLength`, `${OUTPUT}outputQueueSize`,
]
const JOB_METRICS = [
  'totalNumberOfCheckpoints', 'numberOfInProgressCheckpoints', 'numberOfCompletedCheckpoints', 'numberOfFailedCheckpoints', 'lastCheckpointRestoreTimestamp',
  'lastCheckpointSize', 'lastCheckpointFullSize', 'lastCheckpointDuration', 'lastCheckpointProcessedData', 'lastCheckpointPersistedData',
  'lastCheckpointExternalPath', 'lastCompletedCheckpointId', 'lastCheckpointCompletedTimestamp', 'uptime', 'downtime', 'numRestarts',
]

/** Both subtasks of `count` have reported, one of them hard back-pressured for a fifth of its time. */
function reported(change: readonly [Partial<TaskReport>, Partial<TaskReport>] = [{}, {}]): { readonly cluster: Cluster; readonly path: string } {
  const cluster = new Cluster().running(testJob())
  const [first, second] = cluster.machine.executions.filter(({ vertex }) => vertex === cluster.machine.graph!.vertices[1]!.id)
  const gauges = gaugesOf({ idle: 100, softBackPressured: 300, hardBackPressured: 200, maxHardBackPressured: 40, recordsIn: 1.5 })
  for (const [index, execution] of [first, second].entries()) {
    const { attempt, vertex, subtask } = execution!
    const figures = {
      attempt, recordsIn: 10 * (index + 1), busyMicros: 2_500_000, inPoolUsage: 1 / 3,
      outputs: [{ channel: '1:0:0' as never, buffers: 3, records: 9, bytes: 700, credits: 0, stopped: false, sentRecords: 0, sentBuffers: 5 }],
      metrics: metricsOf({ gauges, isBackPressured: index === 1, alignmentMicros: 12, startDelayMicros: 3 }),
    }
    cluster.feed({ type: 'task-report', report: report(vertex, subtask, { ...figures, ...change[index] }) })
  }
  return { cluster, path: `/jobs/${JOB}/vertices/${first!.vertex}` }
}

const metricsAt = (cluster: Cluster, path: string): readonly Metric[] => {
  const { status, body } = cluster.rest(path)
  expect(status).toBe(200)
  return body as readonly Metric[]
}
const idsAt = (cluster: Cluster, path: string): string[] => metricsAt(cluster, path).map(({ id }) => id)
const valuesAt = (cluster: Cluster, path: string): Record<string, unknown> => Object.fromEntries(metricsAt(cluster, path).map(({ id, value }) => [id, value]))

describe('metrics of a task', () => {
  it('are listed by name alone, those of a vertex with the subtask before the name', () => {
    const { cluster, path } = reported()
    expect(metricsAt(cluster, `${path}/subtasks/1/metrics`)).toEqual(TASK_METRICS.map((id) => ({ id })))
    expect(idsAt(cluster, `${path}/metrics`)).toEqual([0, 1].flatMap((subtask) => TASK_METRICS.map((id) => `${subtask}.${id}`)))
  })

  it('have values of text; unknown names are left out, and a name twice is there once', () => {
    const { cluster, path } = reported()
    expect(metricsAt(cluster, `${path}/subtasks/0/metrics?get=numRecordsIn,unknown,numRecordsIn`)).toEqual([{ id: 'numRecordsIn', value: '10' }])
    expect(metricsAt(cluster, `${path}/metrics?get=0.numRecordsIn,1.numRecordsIn,numRecordsIn`)).toEqual([
      { id: '0.numRecordsIn', value: '10' }, { id: '1.numRecordsIn', value: '20' },
    ])
    expect(metricsAt(cluster, `${path}/metrics?get=`)).toEqual([])
    expect(metricsAt(cluster, `${path}/metrics?get=%,0%2EnumRecordsIn`)).toEqual([])
    expect(idsAt(cluster, `${path}/metrics?get=0%2EnumRecordsIn&get=1.numRecordsIn`)).toEqual(['0.numRecordsIn', '1.numRecordsIn'])
  })

  it('are written as Java writes their types', () => {
    const { cluster, path } = reported()
    expect(valuesAt(cluster, `${path}/subtasks/1/metrics?get=${TASK_METRICS.join(',')}`)).toMatchObject({
      busyTimeMsPerSecond: '400.0', backPressuredTimeMsPerSecond: '500', idleTimeMsPerSecond: '100', softBackPressuredTimeMsPerSecond: '300',
      hardBackPressuredTimeMsPerSecond: '200', maxSoftBackPressureTimeMs: '0', maxHardBackPressureTimeMs: '40', isBackPressured: 'true',
      accumulateBusyTimeMs: '2500.0', numRecordsInPerSecond: '1.5', checkpointAlignmentTime: '12000', checkpointStartDelayNanos: '3000',
      [`${INPUT}inPoolUsage`]: '0.33333334', [`${OUTPUT}outputQueueLength`]: '3', [`${OUTPUT}outputQueueSize`]: '700',
    })
  })

  it('of a source have no alignment, those of a debloated task the size of each gate', () => {
    const { cluster, path } = reported([
      { metrics: metricsOf({ alignmentMicros: null }) },
      { metrics: metricsOf({ debloat: [{ bufferBytes: 512, timeToConsumeMillis: 20 }, { bufferBytes: 256, timeToConsumeMillis: 90 }] }) },
    ])
    expect(idsAt(cluster, `${path}/subtasks/0/metrics`)).toEqual(TASK_METRICS.filter((id) => id !== 'checkpointAlignmentTime'))
    const get = ['estimatedTimeToConsumeBuffersMs', 'Shuffle.Netty.Input.0.debloatedBufferSize', 'Shuffle.Netty.Input.1.estimatedTimeToConsumeBuffersMs'].join(',')
    expect(Object.values(valuesAt(cluster, `${path}/subtasks/1/metrics?get=${get}`))).toEqual(['90', '512', '90'])
  })

  it('of a task that has ended tell no times per second', () => {
    const { cluster, path } = reported()
    cluster.feed({ type: 'cancel' })
    cluster.tasksCancel()
    expect(idsAt(cluster, `${path}/subtasks/0/metrics`)).toEqual(TASK_METRICS.slice(3))
  })

  it.each(['/vertices/ffffffffffffffffffffffffffffffff/metrics', '/vertices/VERTEX/subtasks/7/metrics', '/vertices/VERTEX/subtasks/metrics?subtasks=7'])(
    'that are not there are none: %s',
    (path) => {
      const { cluster, path: vertex } = reported()
      expect(metricsAt(cluster, `/jobs/${JOB}${path.replace('VERTEX', vertex.slice(-32))}`)).toEqual([])
    },
  )

  it('of a job that is not there are none either', () => {
    expect(metricsAt(reported().cluster, `/jobs/${'0'.repeat(32)}/metrics`)).toEqual([])
  })

  it.each([
    ['/vertices/VERTEX/subtasks/-1/metrics', 'path parameter (subtaskindex) from value "-1"'],
    ['/vertices/VERTEX/subtasks/metrics?get=numRecordsIn&agg=min,median', 'query parameter (agg) from value "min,median"'],
  ])('that cannot be read answer 400: %s', (path, sentence) => {
    const { cluster, path: vertex } = reported()
    expect(cluster.rest(`/jobs/${JOB}${path.replace('VERTEX', vertex.slice(-32))}`)).toMatchObject({
      status: 400, body: { errors: [`Bad request, could not parse parameters: Cannot resolve ${sentence}.`] },
    })
  })
})

describe('metrics over subtasks', () => {
  const at = (query: string): readonly Metric[] => {
    const { cluster, path } = reported()
    return metricsAt(cluster, `${path}/subtasks/metrics${query}`)
  }

  it('are listed by name, once', () => {
    expect(at('')).toEqual(TASK_METRICS.map((id) => ({ id })))
  })

  it('have every aggregation as a number, the skew in percent of the mean', () => {
    expect(at('?get=numRecordsIn')).toEqual([{ id: 'numRecordsIn', min: 10, max: 20, avg: 15, sum: 30, skew: (5 / 15) * 100 }])
  })

  it('have those that are asked for, of the subtasks that are asked for', () => {
    expect(at('?get=numRecordsIn&agg=max,SUM')).toEqual([{ id: 'numRecordsIn', max: 20, sum: 30 }])
    expect(at('?get=numRecordsIn&agg=sum&subtasks=1')).toEqual([{ id: 'numRecordsIn', sum: 20 }])
    expect(at('?get=numRecordsIn&agg=sum&subtasks=0-1,1,x')).toEqual([{ id: 'numRecordsIn', sum: 50 }])
  })

  it('leave out what is no number; a name that nobody has makes the answer empty', () => {
    expect(at('?get=isBackPressured,numRecordsIn&agg=min')).toEqual([{ id: 'numRecordsIn', min: 10 }])
    expect(at('?get=numRecordsIn,unknown')).toEqual([])
  })
})

describe('metrics of a job', () => {
  it('before its first checkpoint', () => {
    const cluster = new Cluster().running(testJob())
    cluster.now += 3 * SECOND
    expect(metricsAt(cluster, `/jobs/${JOB}/metrics`)).toEqual(JOB_METRICS.map((id) => ({ id })))
    expect(valuesAt(cluster, `/jobs/${JOB}/metrics?get=${JOB_METRICS.join(',')}`)).toMatchObject({
      totalNumberOfCheckpoints: '0', lastCheckpointRestoreTimestamp: '-1', lastCheckpointSize: '-1', lastCheckpointDuration: '-1',
      lastCheckpointExternalPath: 'n/a', lastCompletedCheckpointId: '-1', lastCheckpointCompletedTimestamp: '-1', uptime: '3000', downtime: '0', numRestarts: '0',
    })
  })

  it('after a checkpoint and a restart', () => {
    const cluster = new Cluster().running(testJob())
    cluster.now = 12 * SECOND
    cluster.checkpoint()
    const completed = cluster.now
    cluster.fail(cluster.execution(0))
    cluster.tasksCancel()
    cluster.fire('restart')
    cluster.tasksRun()
    const values = valuesAt(cluster, `/jobs/${JOB}/metrics?get=${JOB_METRICS.join(',')}`)
    expect(values).toMatchObject({
      totalNumberOfCheckpoints: '1', numberOfInProgressCheckpoints: '0', numberOfCompletedCheckpoints: '1', numberOfFailedCheckpoints: '0', lastCompletedCheckpointId: '1',
      lastCheckpointExternalPath: expect.stringMatching(/chk-1$/), lastCheckpointCompletedTimestamp: String(completed / 1000), numRestarts: '1',
    })
    expect(Number(values['lastCheckpointRestoreTimestamp'])).toBeGreaterThanOrEqual(12_000)
  })

  it('over jobs: the present one and those that have ended; a path is no number', () => {
    const cluster = new Cluster().running(testJob())
    const body = { id: 'totalNumberOfCheckpoints', min: 0, max: 0, avg: 0, sum: 0, skew: 0 }
    expect(metricsAt(cluster, '/jobs/metrics?get=lastCheckpointExternalPath,totalNumberOfCheckpoints')).toEqual([body])
    expect(idsAt(cluster, '/jobs/metrics')).toEqual(JOB_METRICS)
    expect(idsAt(cluster, `/jobs/metrics?jobs=${'0'.repeat(32)}`)).toEqual([])
    expect(cluster.rest('/jobs/metrics?jobs=x').status).toBe(400)
  })
})

describe('Java’s numbers', () => {
  it.each([[0, '0.0'], [1000, '1000.0'], [1.5, '1.5'], [1 / 60, '0.016666666666666666'], [0.0005, '5.0E-4'], [12_345_678, '1.2345678E7'], [1e7, '1.0E7'], [NaN, 'NaN']])('double %d', (value, text) => {
    expect(doubleText(value)).toBe(text)
  })

  it.each([[0, '0.0'], [1, '1.0'], [0.1, '0.1'], [1 / 3, '0.33333334'], [5 / 3, '1.6666666'], [0.7, '0.7']])('float %d', (value, text) => {
    expect(floatText(value)).toBe(text)
  })
})
