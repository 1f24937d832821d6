/** Notices of completed, subsumed and aborted checkpoints, and what each brings of the others (behaviour 3.3, 7.3). */
import { describe, expect, it } from 'vitest'
import type { CheckpointOptions } from '../../../workers/model/checkpoint.ts'
import type { TaskCommand } from '../../../workers/model/control.ts'
import { HeapKeyedStateBackend } from '../../../workers/state/heap/heap-keyed-state-backend.ts'
import type { OperatorDescription } from '../../../workers/model/job-graph.ts'
import { OperatorBase } from '../../../workers/operators/operator-base.ts'
import type { Operator, ProcessingOperator } from '../../../workers/operators/operator.ts'
import type { StreamTaskEnvironment } from '../../../workers/task/task-environment.ts'
import { ENVIRONMENT, TestHost } from './test-host.ts'
import { deployments, operator } from './test-job.ts'
import { createTestOperator } from './test-operators.ts'

const aborted = (checkpointId: number, latestCompleted: number | null): TaskCommand => ({ type: 'notify-checkpoint-aborted', checkpointId, latestCompleted })
const completed = (checkpointId: number, lastSubsumed?: number): TaskCommand => ({
  type: 'notify-checkpoint-complete', checkpointId, ...(lastSubsumed === undefined ? {} : { lastSubsumed }),
})

/** Writes down what it hears, and waits at will. */
class Listener extends OperatorBase implements ProcessingOperator {
  private readonly heard: string[]
  isBusy = false

  constructor(heard: string[]) {
    super()
    this.heard = heard
  }

  processElement(): void {}
  processWatermark(): void {}
  endInput(): void {}

  override isWaiting(): boolean {
    return this.isBusy
  }

  override notifyCheckpointComplete(checkpointId: number): void {
    this.heard.push(`complete ${checkpointId}`)
  }

  override notifyCheckpointAborted(checkpointId: number): void {
    this.heard.push(`aborted ${checkpointId}`)
  }
}

function listening(restored: number | null = null, bounded = false) {
  const heard: string[] = []
  const listener = new Listener(heard)
  const createOperator = (description: OperatorDescription): Operator => (description.type === 'listener' ? listener : createTestOperator(description))
  const jobs = deployments(
    [
      { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items: ['a', 'b'], bounded } })] },
      { name: 'sink', parallelism: 1, chain: [operator('listener', 'listener', { output: null })] },
    ],
    [{ from: 'source', to: 'sink', ship: 'forward' }],
    {},
    { restore: () => (restored === null ? null : { checkpointId: restored, location: '/cp', operators: [] }) },
  )
  const host = new TestHost(jobs, 1, { ...ENVIRONMENT, createOperator }).start()
  host.settle()
  return { host, heard, listener, tell: (...commands: readonly TaskCommand[]) => { for (const command of commands) host.command('sink', command); host.settle() } }
}

describe('an abort notice carries the latest completed checkpoint (behaviour 3.3)', () => {
  it('of which a task that has not seen it hears first', () => {
    const { heard, host, tell } = listening()
    tell(aborted(3, 2))
    expect(heard).toEqual(['complete 2', 'aborted 3'])
    expect(host.eventsOf('CheckpointCompleteNotified')).toMatchObject([{ checkpointId: 2 }])
  })

  it('once: seen is what any notice has brought, and the completion notice itself then comes too late', () => {
    const { heard, tell } = listening()
    tell(aborted(1, 2), completed(2), aborted(3, 2), completed(4), aborted(5, 4))
    expect(heard).toEqual(['complete 2', 'aborted 1', 'aborted 3', 'complete 4', 'aborted 5'])
  })

  it('of which a task that was restored from it, or from a newer one, hears nothing', () => {
    const { heard, tell } = listening(7)
    tell(aborted(8, 7), aborted(9, 6))
    expect(heard).toEqual(['aborted 8', 'aborted 9'])
  })

  it('of which a task hears when it is between two records; the abort passes whatever it waits for', () => {
    const { heard, listener, tell } = listening()
    listener.isBusy = true
    tell(aborted(3, 2))
    expect(heard).toEqual(['aborted 3'])
    listener.isBusy = false
    tell({ type: 'set-traced', traced: false })
    expect(heard).toEqual(['aborted 3', 'complete 2'])
  })

  it('of which a task that is not RUNNING hears nothing', () => {
    const { heard, host, tell } = listening()
    tell({ type: 'cancel' }, aborted(3, 2))
    expect(host.task('sink').machine.state).toBe('CANCELED')
    expect(heard).toEqual([])
  })

  it('of which a task hears before it fails with the savepoint that it has stopped for', () => {
    const { heard, host, tell } = listening()
    const options: CheckpointOptions = { alignment: 'ALIGNED', type: 'SYNC_SAVEPOINT', format: 'CANONICAL', drain: false, location: '/sp' }
    host.command('source', { type: 'trigger-checkpoint', checkpointId: 3, timestamp: 0, options })
    host.settle()
    tell(aborted(3, 2))
    expect(heard).toEqual(['complete 2'])
    expect(host.messages.at(-1)).toMatchObject({ state: 'FAILED', failure: { message: 'Stop-with-savepoint failed.' } })
  })

  it('which ends the wait of a bounded task whose last checkpoint it is', () => {
    const { host, tell } = listening(null, true)
    host.trigger(1, 'source')
    host.settle()
    expect(host.task('sink').machine.state).toBe('RUNNING')
    host.command('source', aborted(2, 1))
    tell(aborted(2, 1))
    expect(host.tasks.map((task) => task.machine.state)).toEqual(['FINISHED', 'FINISHED'])
  })
})

describe('a completion notice tells which checkpoint was subsumed (behaviour 7.3)', () => {
  it('to the state backends of the chain, tail to head, behind the completion, also where that was known', () => {
    const heard: string[] = []
    class Backend extends HeapKeyedStateBackend {
      notifyCheckpointSubsumed(checkpointId: number): void {
        heard.push(`subsumed ${checkpointId}`)
      }
    }
    const environment: StreamTaskEnvironment = {
      ...ENVIRONMENT,
      createKeyedBackend: ({ keySchema, keyGroupRange, maxParallelism }) => new Backend(keySchema, keyGroupRange, maxParallelism),
    }
    const job = deployments(
      [
        { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items: ['a'] } })] },
        { name: 'count', parallelism: 1, chain: [operator('count', 'count'), operator('sink', 'collect', { output: null })] },
      ],
      [{ from: 'source', to: 'count', ship: 'hash' }],
    )
    const host = new TestHost(job, 1, environment).start()
    host.settle()
    for (const command of [completed(2, 1), completed(2, 1), completed(3)]) host.command('count', command)
    host.settle()
    expect(heard).toEqual(['subsumed 1', 'subsumed 1'])
    expect(host.eventsOf('CheckpointCompleteNotified').map(({ checkpointId }) => checkpointId)).toEqual([2, 3])
  })
})
