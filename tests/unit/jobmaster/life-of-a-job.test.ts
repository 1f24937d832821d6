import { describe, expect, it } from 'vitest'
import { Cluster, JOB, SECOND, testJob } from './harness.ts'

describe('submit', () => {
  it('stores the job, then goes INITIALIZING → CREATED → RUNNING and waits for slots', () => {
    const cluster = new Cluster().lead()
    cluster.feed({ type: 'submit', job: JOB, document: testJob(), seed: 42 })
    expect(cluster.machine.status).toBe('INITIALIZING')
    expect(cluster.storageSystem.paths('/ha/')).toEqual([`/ha/${JOB}/counter`, `/ha/${JOB}/job-graph`])
    cluster.settle()
    expect(cluster.statuses).toEqual(['CREATED', 'RUNNING'])
    expect(cluster.states()).toEqual(['SCHEDULED', 'SCHEDULED', 'SCHEDULED', 'SCHEDULED', 'SCHEDULED'])
    expect(cluster.requested.at(-1)).toBe(2)
  })

  it('deploys every task in one call when there are slots for the whole job', () => {
    const cluster = new Cluster().lead().submit().register('tm-1')
    expect(cluster.deployed).toEqual([])
    cluster.register('tm-2')
    expect(cluster.deployed).toHaveLength(1)
    expect(cluster.deployed[0]!.map((task) => `${task.chain[0]!.uid}/${task.subtask}`)).toEqual(['source/0', 'source/1', 'count/0', 'count/1', 'out/0'])
  })

  it('puts subtask i of every vertex into slot i', () => {
    const cluster = new Cluster().running()
    expect(cluster.machine.executions.map((execution) => execution.taskManager)).toEqual(['tm-1', 'tm-2', 'tm-1', 'tm-2', 'tm-1'])
  })

  it('names the same channel at both of its ends', () => {
    const [deployment] = new Cluster().running().deployed
    const ends = (pick: (task: NonNullable<typeof deployment>[number]) => readonly { id: string }[]): string[] =>
      deployment!.flatMap((task) => pick(task).map((channel) => channel.id)).sort()
    const outputs = ends((task) => task.partitions.flatMap((partition) => partition.subpartitions))
    expect(outputs).toEqual(ends((task) => task.gates.flatMap((gate) => gate.channels)))
    expect(outputs).toHaveLength(6)
  })

  it('refuses a document that does not compile and keeps the job that runs', () => {
    const cluster = new Cluster().running()
    const other = { ...testJob(), operators: [{ uid: 'x', type: 'no such type' }] }
    cluster.input({ type: 'submit', job: JOB, document: other, seed: 1 })
    expect(cluster.all('JobStatusChanged').at(-1)).toMatchObject({ from: 'INITIALIZING', to: 'FAILED' })
    expect(cluster.machine.status).toBe('RUNNING')
  })

  it('says what is wrong with a bad document', () => {
    const cluster = new Cluster().lead()
    cluster.submit({ ...testJob(), operators: [] })
    expect(cluster.all('JobStatusChanged').at(-1)?.cause).toContain('/operators')
    expect(cluster.machine.status).toBeNull()
    expect(cluster.storageSystem.paths()).toEqual([])
  })

  it('waits for the recovery before it starts a job that came too early', () => {
    const cluster = new Cluster()
    cluster.submit()
    expect(cluster.machine.status).toBeNull()
    cluster.lead()
    expect(cluster.machine.status).toBe('RUNNING')
  })

  it('fails with NoResourceAvailableException when no slots come in time', () => {
    const cluster = new Cluster().lead().submit(testJob({ 'restart-strategy.type': 'none' }))
    cluster.fire('slot-request')
    expect(cluster.now).toBe(300 * SECOND)
    expect(cluster.statuses.slice(-2)).toEqual(['FAILING', 'FAILED'])
    expect(cluster.all('TaskStateChanged').find((event) => event.to === 'FAILED')?.cause).toContain('NoResourceAvailableException')
  })
})

describe('cancel', () => {
  it('CANCELED only when every task is gone; the HA entries go, checkpoints without retention go', () => {
    const cluster = new Cluster().running()
    cluster.checkpoint()
    expect(cluster.storageSystem.paths('/checkpoints/')).toContain(`/checkpoints/${JOB}/chk-1/_metadata`)
    cluster.input({ type: 'cancel' })
    expect(cluster.machine.status).toBe('CANCELLING')
    expect(cluster.commands('cancel')).toHaveLength(5)
    cluster.tasksCancel()
    expect(cluster.machine.status).toBe('CANCELED')
    expect(cluster.storageSystem.paths()).toEqual([])
  })

  it('RETAIN_ON_CANCELLATION keeps the retained checkpoint and nothing else', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.externalized-checkpoint-retention': 'RETAIN_ON_CANCELLATION' }))
    cluster.checkpoint()
    cluster.trigger()
    cluster.writeState(2, cluster.machine.executions[0]!.vertex, 0)
    cluster.input({ type: 'cancel' })
    cluster.tasksCancel()
    const directories = new Set(cluster.storageSystem.paths().map((path) => path.split('/').slice(0, 4).join('/')))
    expect([...directories]).toEqual([`/checkpoints/${JOB}/chk-1`])
  })

  it('stops the periodic timer and drops a scheduled restart', () => {
    const cluster = new Cluster().running()
    cluster.fail(cluster.execution(0))
    cluster.input({ type: 'cancel' })
    cluster.tasksCancel()
    expect(cluster.machine.status).toBe('CANCELED')
    expect([...cluster.timers.keys()]).toEqual([])
  })
})

describe('finish', () => {
  it('FINISHED when all tasks have finished; a finished job deletes its checkpoints under every policy', () => {
    const cluster = new Cluster().running(testJob({ 'execution.checkpointing.externalized-checkpoint-retention': 'RETAIN_ON_CANCELLATION' }))
    cluster.checkpoint()
    for (const { attempt } of cluster.machine.executions) cluster.taskState(attempt, 'FINISHED')
    expect(cluster.machine.status).toBe('FINISHED')
    expect(cluster.storageSystem.paths()).toEqual([])
    expect(cluster.released).toHaveLength(5)
  })

  it('end of data everywhere triggers the last checkpoint at once', () => {
    const cluster = new Cluster().running()
    const attempts = cluster.machine.executions.map((execution) => execution.attempt)
    for (const attempt of attempts.slice(1)) cluster.message({ type: 'end-of-data', attempt })
    expect(cluster.all('CheckpointTriggered')).toEqual([])
    cluster.message({ type: 'end-of-data', attempt: attempts[0]! })
    expect(cluster.all('CheckpointTriggered')).toMatchObject([{ checkpointId: 1, periodic: false }])
  })

  it('another job may follow; REST still knows the one that ended', () => {
    const cluster = new Cluster().running()
    for (const { attempt } of cluster.machine.executions) cluster.taskState(attempt, 'FINISHED')
    cluster.input({ type: 'submit', job: 'f'.repeat(32) as typeof JOB, document: testJob(), seed: 3 })
    expect(cluster.rest('/jobs').body).toEqual({
      jobs: [
        { id: 'f'.repeat(32), status: 'RUNNING' },
        { id: JOB, status: 'FINISHED' },
      ],
    })
  })
})
