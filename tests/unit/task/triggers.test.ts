/** Triggers at sources and at tasks without running inputs (behaviour 6.8). */
import { describe, expect, it } from 'vitest'
import type { StreamTaskEnvironment } from '../../../workers/task/task-environment.ts'
import { checkTask } from './task-lanes.ts'
import { ENVIRONMENT, TestHost } from './test-host.ts'
import { deployments, operator } from './test-job.ts'

const SKIP = { skip: ['prepare', 'snapshot', 'watermark', 'send'] } as const

describe('a trigger', () => {
  it('runs between two records: not while the cost of one is being paid', () => {
    checkTask('0: |\n1: x . . . .\njm: . t1', 'a x, barrier 1, ack 1', { inputs: [0, 0], costMicros: 4, ...SKIP })
  })

  it('waits for what an operator is waiting for', () => {
    checkTask('jm: t1 . t2\ntx: . . . . ok ok', 'pre-commit, barrier 1, pre-commit, ack 1, barrier 2, ack 2', { inputs: [], hooks: { a: { waitsIn: 'prepare' } }, ...SKIP })
  })

  it('at a task whose inputs have all finished starts the snapshot there, without alignment', () => {
    checkTask('0: - |\n1: - |\njm: . . t1', 'endInput a 0, finish a, end-of-data, report end, barrier 1, ack 1', { inputs: [0, 0], ...SKIP })
  })

  it('at one whose inputs have finished in part puts the barrier into each channel that has not: nobody is blocked, and no sender waits', () => {
    checkTask('0: |\n1: . x\n2: . y\njm: . . t1', 'a x, a y, barrier 1, ack 1', { inputs: [0, 0, 0], ...SKIP })
  })

  it('that comes when the outputs run empty is declined: the task is closing', () => {
    checkTask('0: x - |\njm: . . . t1 c1 t2 .\nout: . . . . done . +', 'a x, endInput a 0, finish a, report end, ack 1, complete a 1, close a, decline 2 CHECKPOINT_DECLINED_TASK_CLOSING, end-of-data, barrier 1, end-of-partition, FINISHED', { ...SKIP })
  })
})

describe('triggers that wait for the checkpoint lock', () => {
  it('are 10 000 at most, like the aborts that are remembered: the oldest are forgotten, and only the one that was not aborted is taken when the lock is free', () => {
    let isLocked = true
    const environment: StreamTaskEnvironment = {
      ...ENVIRONMENT,
      createOperator: (description, ...rest) => {
        const made = ENVIRONMENT.createOperator(description, ...rest)
        return description.type === 'list' ? Object.defineProperty(made, 'holdsCheckpointLock', { get: () => isLocked }) : made
      },
    }
    const source = { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items: [] } })] }
    const host = new TestHost(deployments([source], []), 1, environment).start().drain()
    const newest = 10_003
    for (let id = 1; id <= newest; id++) {
      host.trigger(id, 'source')
      if (id < newest) host.command('source', { type: 'notify-checkpoint-aborted', checkpointId: id, latestCompleted: null })
      if (id % 10 === 0) host.drain()
    }
    host.drain()
    isLocked = false
    host.complete(0)
    host.settle()
    const given = host.events.flatMap((body) => (body.type === 'CheckpointAbortedAtTask' ? [body.checkpointId] : []))
    expect([given[0], given.at(-1), given.length]).toEqual([4, newest - 1, newest - 4])
    expect(host.messages.flatMap((message) => (message.type === 'acknowledge' ? [message.checkpointId] : []))).toEqual([newest])
  })
})
