/** Checkpoints of whole small jobs: consistent cuts, order of steps, aborts, asynchronous parts, restore, copies. */
import { describe, expect, it } from 'vitest'
import { cloneGraph } from '../../../workers/base/clone.ts'
import type { TaskRestore } from '../../../workers/model/deployment.ts'
import type { TaskSettings } from '../../../workers/model/deployment.ts'
import { operatorId } from '../../../workers/model/ids.ts'
import type { StreamTaskEnvironment } from '../../../workers/task/task-environment.ts'
import { notBlockingHandler } from '../checkpointing/not-blocking-handler.ts'
import { deployments, operator } from './test-job.ts'
import { ENVIRONMENT, TestHost } from './test-host.ts'

const WORDS = Array.from({ length: 300 }, (_, i) => `w${(i * 7) % 23}`)

const job = (settings: Partial<TaskSettings> = {}, more = {}) =>
  deployments(
    [
      { name: 'source', parallelism: 2, chain: [operator('list', 'list', { params: { items: WORDS } })] },
      { name: 'count', parallelism: 2, chain: [operator('count', 'count')] },
      { name: 'sink', parallelism: 1, chain: [operator('collect', 'collect', { output: null })] },
    ],
    [
      { from: 'source', to: 'count', ship: 'hash' },
      { from: 'count', to: 'sink', ship: 'rebalance' },
    ],
    { segmentBytes: 96, ...settings },
    more,
  )

/** Sources have read some and not all when the checkpoint is triggered. */
function runInto(seed: number, checkpointId: number, settings: Partial<TaskSettings> = {}, environment: StreamTaskEnvironment = ENVIRONMENT): TestHost {
  const host = new TestHost(job(settings), seed, environment).start()
  for (let i = 0; i < 60 + seed * 5; i++) host.step()
  host.trigger(checkpointId, 'source')
  return host
}

/** What a restore from the acknowledged snapshot of checkpoint `id` brings back, by task. */
function restoreOf(host: TestHost, id: number): (name: string, subtask: number) => TaskRestore {
  return (name, subtask) => {
    const found = host.acknowledgements(id).find((message) => message.attempt === `${name}_${subtask}_0`)
    const operators = (found?.snapshot.operators ?? []).map(({ operatorId: operator, state }) => ({
      operatorId: operator,
      keyed: state.managedKeyed === null ? [] : [state.managedKeyed],
      operator: state.managedOperator === null ? [] : [state.managedOperator],
    }))
    return { checkpointId: id, location: `/cp/chk-${id}`, operators }
  }
}

function counts(host: TestHost): Record<string, number> {
  const result: Record<string, number> = {}
  for (const subtask of [0, 1]) {
    for (const row of host.task('count', subtask).machine.keyedEntries('count') ?? []) result[row.key as string] = row.value as number
  }
  return result
}

function restored(host: TestHost, id: number, seed: number, settings: Partial<TaskSettings> = {}): TestHost {
  const again = new TestHost(job(settings, { attemptNumber: 1, restore: restoreOf(host, id) }), seed)
  for (const [path, bytes] of host.files) again.files.set(path, bytes)
  return again.start()
}

/** Every record of both sources counted once: what a run without a failure ends with. */
const exact = (): Record<string, number> => counts(new TestHost(job()).start().settle())

describe('an aligned checkpoint', () => {
  it('is a consistent cut: restored, the job ends with the same counts as without a failure', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const host = runInto(seed, 1).settle()
      expect(host.acknowledgements(1), `seed ${seed}`).toHaveLength(5)
      expect(counts(restored(host, 1, seed + 100).settle()), `seed ${seed}`).toEqual(exact())
    }
  })

  it('is no consistent cut with a handler that does not block', () => {
    const broken = { ...ENVIRONMENT, createBarrierHandler: notBlockingHandler }
    const wrong = Array.from({ length: 20 }, (_, i) => i + 1).filter((seed) => {
      const host = runInto(seed, 1, {}, broken).settle()
      return JSON.stringify(sorted(counts(restored(host, 1, seed).settle()))) !== JSON.stringify(sorted(exact()))
    })
    expect(wrong.length).toBeGreaterThan(0)
  })

  it('emits the barrier before the synchronous part, which ends before the asynchronous one', () => {
    const host = runInto(3, 1).settle()
    const steps = host.events.flatMap((event) => ('attempt' in event && event.attempt === 'count_0_0' ? [event.type] : []))
    expect(steps.filter((type) => type !== 'AsyncSnapshotProgressed')).toEqual([
      'BarrierArrived',
      'ChannelBlocked',
      'BarrierArrived',
      'ChannelBlocked',
      'AlignmentCompleted',
      'BarrierEmitted',
      'SyncSnapshotStarted',
      'SyncSnapshotEnded',
      'ChannelUnblocked',
      'ChannelUnblocked',
      'AsyncSnapshotEnded',
    ])
  })

  it('stops the sender behind its barrier until the receiver resumes it', () => {
    const host = new TestHost(job()).start().settle()
    // Only source 0 gets the trigger: its barrier waits for the other's at both counters.
    host.command('source', { type: 'trigger-checkpoint', checkpointId: 1, timestamp: 0, options: { alignment: 'ALIGNED', type: 'CHECKPOINT', location: '/cp/chk-1' } })
    host.settle()
    expect(host.task('source', 0).machine.report(host.now).outputs.map((output) => output.stopped)).toEqual([true, true])
    expect(host.task('count', 0).machine.report(host.now).inputs.map((input) => input.blocked)).toEqual([true, false])
    expect(host.task('count', 0).machine.report(host.now).activity).toBe('aligning')
    host.command('source', { type: 'trigger-checkpoint', checkpointId: 1, timestamp: 0, options: { alignment: 'ALIGNED', type: 'CHECKPOINT', location: '/cp/chk-1' } }, 1)
    host.settle()
    expect(host.task('source', 0).machine.report(host.now).outputs.map((output) => output.stopped)).toEqual([false, false])
    expect(host.acknowledgements(1)).toHaveLength(5)
  })

  it('is acknowledged with an empty snapshot by a task without state', () => {
    const host = runInto(4, 1).settle()
    expect(host.acknowledgements(1).find((message) => message.attempt === 'sink_0_0')?.snapshot).toEqual({ operators: [] })
  })

  it('lets a newer barrier end the older alignment with CHECKPOINT_DECLINED_SUBSUMED', () => {
    const host = new TestHost(job()).start().settle()
    const command = (id: number) =>
      ({ type: 'trigger-checkpoint', checkpointId: id, timestamp: 0, options: { alignment: 'ALIGNED', type: 'CHECKPOINT', location: `/cp/chk-${id}` } }) as const
    host.command('source', command(1), 0)
    host.settle()
    host.trigger(2, 'source')
    host.settle()
    const declined = host.messages.flatMap((message) => (message.type === 'decline' ? [`${message.attempt} ${message.reason}`] : []))
    expect(declined.sort()).toEqual([
      'count_0_0 CHECKPOINT_DECLINED_SUBSUMED',
      'count_1_0 CHECKPOINT_DECLINED_SUBSUMED',
      'sink_0_0 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER',
    ])
    expect(host.acknowledgements(2)).toHaveLength(5)
  })

  it('is answered with a cancel marker where it was aborted before its barriers came', () => {
    const host = new TestHost(job()).start().settle()
    for (const subtask of [0, 1]) host.command('count', { type: 'notify-checkpoint-aborted', checkpointId: 1, latestCompleted: null }, subtask)
    host.settle()
    host.trigger(1, 'source')
    host.settle()
    expect(host.acknowledgements(1).map((message) => message.attempt).sort()).toEqual(['source_0_0', 'source_1_0'])
    expect(host.messages.flatMap((message) => (message.type === 'decline' ? [message.reason] : []))).toEqual([
      'CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER',
    ])
  })
})

describe('at-least-once', () => {
  it('never blocks, and replays duplicates at worst: no count is too small', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const host = runInto(seed, 1, { exactlyOnce: false }).settle()
      expect(host.eventsOf('ChannelBlocked')).toEqual([])
      const ended = counts(restored(host, 1, seed, { exactlyOnce: false }).settle())
      for (const [key, count] of Object.entries(exact())) expect(ended[key]).toBeGreaterThanOrEqual(count)
    }
  })
})

describe('the asynchronous part', () => {
  it('writes in slices while records flow on, and acknowledges after the storage reply', () => {
    const host = runInto(2, 1).settle()
    expect(host.eventsOf('AsyncSnapshotProgressed').some((event) => event.written > 0 && event.written < event.total)).toBe(true)
    // One file per stream: the offset of each source, the counts of each counter.
    expect([...host.files.keys()].every((path) => path.startsWith('/cp/chk-1/'))).toBe(true)
    expect(host.files.size).toBe(4)
  })

  it('puts small streams into the handle, and then writes nothing', () => {
    const host = runInto(2, 1, { inlineThresholdBytes: 100_000 }).settle()
    expect(host.files.size).toBe(0)
    expect(host.acknowledgements(1)).toHaveLength(5)
    expect(counts(restored(host, 1, 5).settle())).toEqual(exact())
  })

  it('declines with CHECKPOINT_ASYNC_EXCEPTION when storage fails; the task lives on', () => {
    const host = runInto(2, 1)
    host.storageFailure = { ok: false, reason: 'QUOTA_EXCEEDED', message: 'no room' }
    host.settle()
    const declined = host.messages.flatMap((message) => (message.type === 'decline' ? [message] : []))
    expect(declined).toHaveLength(4)
    expect(declined.find(({ attempt }) => attempt === 'count_1_0')).toMatchObject({
      reason: 'CHECKPOINT_ASYNC_EXCEPTION',
      message: 'Asynchronous task checkpoint failed. Caused by: Could not materialize checkpoint 1 for operator count (2/2)#0. Caused by: QUOTA_EXCEEDED: no room',
    })
    expect(host.tasks.map((task) => task.machine.state)).toEqual(['RUNNING', 'RUNNING', 'RUNNING', 'RUNNING', 'RUNNING'])
  })

  it('ends at the modelled time of storage, when that is later than the real write', () => {
    const host = runInto(2, 1, { storageLatencyMicros: 5000, storageBytesPerSecond: 1_000_000 }).settle()
    for (const message of host.acknowledgements(1)) {
      const { checkpointedBytes, asyncMicros, measured } = message.metrics
      expect(measured).toBe(false)
      if (checkpointedBytes > 0) expect(asyncMicros).toBeGreaterThanOrEqual(5000 + checkpointedBytes)
    }
  })

  it('of one more than 1024 checkpoints that are still to be written declines in words, and the task lives on', () => {
    const host = runInto(1, 1, { storageLatencyMicros: 1e12 }).drain()
    for (let id = 2; id <= 1030; id++) {
      host.trigger(id, 'source')
      host.drain()
    }
    const declined = host.messages.flatMap((message) => (message.type === 'decline' && message.attempt.startsWith('count') ? [message] : []))
    expect(declined[0]).toMatchObject({ checkpointId: 1025, reason: 'CHECKPOINT_ASYNC_EXCEPTION', message: expect.stringContaining('1024 snapshots of this subtask are still to be written') })
    expect(host.tasks.every((task) => task.machine.state === 'RUNNING')).toBe(true)
  })

  it('is dropped when the JobManager aborts, and its files are removed', () => {
    const host = runInto(2, 1)
    host.settle()
    host.files.clear()
    host.trigger(2, 'source')
    for (let i = 0; i < 100_000 && host.task('source').machine.report(0).checkpoint?.phase !== 'async'; i++) host.step()
    for (const task of host.tasks) task.inbox.pushFront({ type: 'command', command: { type: 'notify-checkpoint-aborted', checkpointId: 2, latestCompleted: 1 } })
    host.settle()
    expect(host.acknowledgements(2).length).toBeLessThan(5)
    host.trigger(3, 'source')
    host.settle()
    expect(host.acknowledgements(3)).toHaveLength(5)
  })
})

describe('the synchronous part', () => {
  it('keeps the task busy for its modelled cost', () => {
    const host = runInto(2, 1, { syncCostMicros: 3000 }).settle()
    for (const message of host.acknowledgements(1)) expect(message.metrics.syncMicros).toBe(3000)
    expect(counts(restored(host, 1, 5).settle())).toEqual(exact())
  })

  it('waits for an operator that pre-commits, and takes no record meanwhile', () => {
    const host = new TestHost(
      deployments(
        [
          { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items: WORDS } })] },
          { name: 'sink', parallelism: 1, chain: [operator('tx', 'pre-commit', { output: null })] },
        ],
        [{ from: 'source', to: 'sink', ship: 'forward' }],
        { segmentBytes: 96 },
      ),
    ).start()
    for (let i = 0; i < 40; i++) host.step()
    host.trigger(1, 'source')
    host.settle()
    const sink = host.task('sink').machine
    expect(sink.waiting(host.now)).toEqual({ kind: 'awaiting', effect: 'outside', phase: 'sync' })
    expect(host.acknowledgements(1).map((message) => message.attempt)).toEqual(['source_0_0'])
    const taken = sink.report(host.now).recordsIn
    expect(taken).toBeLessThan(WORDS.length)
    const [request] = host.outsideRequests
    host.task('sink').inbox.pushBack({ type: 'outside-reply', reply: { requestId: request?.requestId ?? 0, result: { ok: true } } })
    host.settle()
    expect(host.acknowledgements(1)).toHaveLength(2)
    expect(sink.report(host.now).recordsIn).toBe(WORDS.length)
  })
})

describe('an operator that asks for its task to fail', () => {
  const WHEN = ['before the barrier', 'at the answer before the barrier', 'in the synchronous part', 'at the answer in the synchronous part']
  // In a chain the operator that fails may be the first or the last to be asked.
  const chains = (when: string) => [
    [operator('bad', 'fails-in-snapshot', { params: { when }, output: null })],
    [operator('bad', 'fails-in-snapshot', { params: { when } }), operator('sink', 'collect', { output: null })],
    [operator('upper', 'upper'), operator('bad', 'fails-in-snapshot', { params: { when }, output: null })],
  ]

  for (const when of WHEN) {
    it(`${when} of a snapshot: the snapshot is never acknowledged, the task fails`, () => {
      for (const chain of chains(when)) {
        const host = new TestHost(
          deployments(
            [
              { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items: WORDS } })] },
              { name: 'bad', parallelism: 1, chain },
            ],
            [{ from: 'source', to: 'bad', ship: 'rebalance' }],
          ),
        ).start()
        for (let i = 0; i < 40; i++) host.step()
        host.trigger(1, 'source')
        host.settle()
        for (const { task, requestId } of host.outsideRequests.splice(0)) {
          task.inbox.pushBack({ type: 'outside-reply', reply: { requestId, result: { ok: true } } })
        }
        host.settle()
        expect(host.acknowledgements(1).map((message) => message.attempt)).toEqual(['source_0_0'])
        expect(host.task('bad').machine.state).toBe('FAILED')
      }
    })
  }
})

describe('restore', () => {
  it('fails the task when a file is missing', () => {
    const host = runInto(2, 1).settle()
    host.files.clear()
    const again = restored(host, 1, 3).settle()
    expect(again.messages.find((message) => message.type === 'state' && message.state === 'FAILED')).toMatchObject({
      failure: { message: expect.stringContaining('NOT_FOUND') as string },
    })
  })

  it('fails the task when a file is shorter than its handle says', () => {
    const host = runInto(2, 1).settle()
    for (const [path, bytes] of host.files) host.files.set(path, bytes.slice(0, -1))
    const again = restored(host, 1, 3).settle()
    expect(again.messages.some((message) => message.type === 'state' && message.state === 'FAILED')).toBe(true)
  })

  it('tells of each operator how much came back', () => {
    const host = runInto(2, 1).settle()
    const again = restored(host, 1, 3).settle()
    const back = again.eventsOf('StateRestored').filter((event) => event.operator === operatorId('count'))
    const keys = back.reduce((sum, event) => sum + event.keys, 0)
    expect(keys).toBeGreaterThan(0)
    expect(keys).toBeLessThanOrEqual(23)
  })
})

describe('a copy of the machines', () => {
  it('made at any moment goes on exactly like the original', () => {
    for (let seed = 1; seed <= 8; seed++) {
      const host = runInto(seed, 1, { syncCostMicros: 200, storageLatencyMicros: 100 })
      for (let i = 0; i < seed * 17; i++) if (!host.step()) host.fireTimer()
      const copy = cloneGraph(host)
      host.settle()
      const logOfCopy = copy.settle().log
      expect(logOfCopy).toEqual(host.log)
      expect(counts(copy)).toEqual(counts(host))
      expect(host.acknowledgements(1)).toHaveLength(5)
    }
  })
})

const sorted = (record: Record<string, number>): [string, number][] => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))
