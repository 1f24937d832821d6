/** What Flink says of a checkpoint that a task could not take, and whom it tells (behaviour 4). */
import { describe, expect, it } from 'vitest'
import type { CheckpointOptions } from '../../../workers/model/checkpoint.ts'
import type { OperatorDescription } from '../../../workers/model/job-graph.ts'
import { TestHost } from './test-host.ts'
import { deployments, operator } from './test-job.ts'

const ITEMS = Array.from({ length: 100 }, (_, index) => `w${index}`)

/** The operator that fails is in a source's own chain, or behind one. */
function failing(when: string, isBehind: boolean, options: Partial<CheckpointOptions> = {}) {
  const source = operator('list', 'list', { params: { items: ITEMS } })
  const bad: OperatorDescription = operator('bad', 'fails-in-snapshot', { params: { when }, output: null })
  const host = new TestHost(
    isBehind
      ? deployments(
          [
            { name: 'source', parallelism: 1, chain: [source] },
            { name: 'bad', parallelism: 2, chain: [bad] },
          ],
          [{ from: 'source', to: 'bad', ship: 'rebalance' }],
        )
      : deployments([{ name: 'source -> bad', parallelism: 1, chain: [source, bad] }], []),
  ).start()
  host.settle()
  const [first] = host.tasks
  const all: CheckpointOptions = { alignment: 'ALIGNED', type: 'CHECKPOINT', location: '/cp/chk-3', ...options }
  host.command(first?.machine.deployment.name ?? '', { type: 'trigger-checkpoint', checkpointId: 3, timestamp: 0, options: all })
  host.settle()
  const failure = host.messages.find((message) => message.type === 'state' && message.state === 'FAILED')
  return {
    host,
    message: failure?.type === 'state' ? failure.failure?.message : undefined,
    answers: host.messages.flatMap((sent) => (sent.type === 'decline' ? [`${sent.reason}: ${sent.message}`] : sent.type === 'state' && sent.state === 'FAILED' ? ['FAILED'] : [])),
  }
}

describe('a task that fails in the synchronous part', () => {
  it('could not perform the checkpoint, since it could not complete the snapshot', () => {
    expect(failing('in the synchronous part', true).message).toBe(
      'Could not perform checkpoint 3 for operator bad (1/2)#0. ' +
        'Caused by: Could not complete snapshot 3 for operator bad (1/2)#0. Failure reason: Checkpoint was declined. Caused by: gave up',
    )
  })

  it('before the barrier: there was no snapshot yet', () => {
    expect(failing('before the barrier', true).message).toBe('Could not perform checkpoint 3 for operator bad (1/2)#0. Caused by: gave up')
  })

  it('says it of the answer of the outside world that it waited for, too', () => {
    const { host } = failing('at the answer in the synchronous part', true)
    for (const { task, requestId } of host.outsideRequests.splice(0)) task.inbox.pushBack({ type: 'outside-reply', reply: { requestId, result: { ok: true } } })
    host.settle()
    const failed = host.messages.find((message) => message.type === 'state' && message.state === 'FAILED')
    expect(failed).toMatchObject({ failure: { message: expect.stringMatching(/^Could not perform checkpoint 3 for operator bad \(\d\/2\)#0\. Caused by: Could not complete/) as string } })
  })

  it('behind a barrier tells nobody but by its failure', () => {
    expect(failing('in the synchronous part', true).answers[0]).toBe('FAILED')
  })

  it('of a trigger declines that with TASK_FAILURE before it fails', () => {
    const { answers, message } = failing('in the synchronous part', false)
    expect(answers).toEqual(['TASK_FAILURE: Task name with subtask : source -> bad (1/1)#0 Failure reason: Task has failed.', 'FAILED'])
    expect(message).toMatch(/^Could not perform checkpoint 3 for operator source -> bad \(1\/1\)#0\./)
  })

  it('while it stops for a savepoint that is aborted fails of that', () => {
    const { host } = failing('at the answer in the synchronous part', false, { type: 'SYNC_SAVEPOINT', format: 'CANONICAL', drain: false })
    host.command('source -> bad', { type: 'notify-checkpoint-aborted', checkpointId: 3, latestCompleted: null })
    host.settle()
    expect(host.messages.filter(({ type }) => type === 'decline')).toEqual([])
    expect(host.messages.at(-1)).toMatchObject({ state: 'FAILED', failure: { message: 'Stop-with-savepoint failed.' } })
  })
})

describe('a trigger that is not taken', () => {
  it('by a task that is not ready is declined by name', () => {
    const host = new TestHost(deployments([{ name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items: ITEMS } })] }], []))
    host.trigger(1, 'source')
    host.settle()
    expect(host.messages).toMatchObject([
      { reason: 'CHECKPOINT_DECLINED_TASK_NOT_READY', message: 'Task name with subtask : source (1/1)#0 Failure reason: Checkpoint was declined (task not ready)' },
    ])
  })
})
