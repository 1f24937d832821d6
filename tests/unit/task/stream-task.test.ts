/** The stream task among its neighbours: records, watermarks, costs, ends, failures. */
import { describe, expect, it } from 'vitest'
import type { Value } from '../../../workers/model/schema.ts'
import { keyGroup, subtaskOf } from '../../../workers/state/key-groups.ts'
import { deployments, operator, TEXT } from './test-job.ts'
import { TestHost } from './test-host.ts'
import type { CollectSink } from './test-operators.ts'

const WORDS = Array.from({ length: 200 }, (_, i) => `w${(i * 7) % 23}`)

const wordCount = (settings = {}, bounded = false, more = {}) =>
  deployments(
    [
      { name: 'source', parallelism: 2, chain: [operator('list', 'list', { params: { items: WORDS, bounded } })] },
      { name: 'count', parallelism: 2, chain: [operator('count', 'count')] },
      { name: 'sink', parallelism: 1, chain: [operator('collect', 'collect', { output: null })] },
    ],
    [
      { from: 'source', to: 'count', ship: 'hash' },
      { from: 'count', to: 'sink', ship: 'rebalance' },
    ],
    settings,
    more,
  )

export const sinkOf = (host: TestHost, name = 'sink', subtask = 0): CollectSink => {
  const task = host.task(name, subtask).machine as unknown as { parts: { chain: { nodes: { operator: CollectSink }[] } } }
  const nodes = task.parts.chain.nodes
  return (nodes[nodes.length - 1] as { operator: CollectSink }).operator
}

const expectedCounts = (): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const word of [...WORDS, ...WORDS]) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

describe('records', () => {
  it('reach the subtask that owns their key group, each once', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const host = new TestHost(wordCount(), seed).start().settle()
      const expected = expectedCounts()
      for (const subtask of [0, 1]) {
        for (const row of host.task('count', subtask).machine.keyedEntries('count') ?? []) {
          expect(subtaskOf(keyGroup(row.key, TEXT, 128), 2, 128)).toBe(subtask)
          expect(row.value).toBe(expected.get(row.key as string))
          expected.delete(row.key as string)
        }
      }
      expect(expected.size).toBe(0)
      expect(sinkOf(host).rows).toHaveLength(400)
    }
  })

  it('keep their order per channel and their timestamps', () => {
    const host = new TestHost(
      deployments(
        [
          { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items: WORDS } })] },
          { name: 'sink', parallelism: 1, chain: [operator('collect', 'collect', { output: null })] },
        ],
        [{ from: 'source', to: 'sink', ship: 'forward' }],
      ),
    )
    host.start().settle()
    expect(sinkOf(host).rows).toEqual(WORDS)
    expect(sinkOf(host).timestamps).toEqual(WORDS.map((_, i) => i + 1))
    expect(sinkOf(host).watermark).toBe(200)
  })

  it('go through a chain of operators by plain calls', () => {
    const host = new TestHost(
      deployments(
        [
          {
            name: 'all',
            parallelism: 1,
            chain: [
              operator('list', 'list', { params: { items: ['a', 'b'] } }),
              operator('upper', 'upper'),
              operator('collect', 'collect', { output: null }),
            ],
          },
        ],
        [],
      ),
    )
    host.start().settle()
    expect(sinkOf(host, 'all').rows).toEqual(['A', 'B'])
  })

  it.each([
    ['broadcast', [WORDS.length, WORDS.length]],
    ['rebalance', [WORDS.length / 2, WORDS.length / 2]],
  ] as const)('are shipped by %s', (ship, counts) => {
    const host = new TestHost(
      deployments(
        [
          { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items: WORDS } })] },
          { name: 'sink', parallelism: 2, chain: [operator('collect', 'collect', { output: null })] },
        ],
        [{ from: 'source', to: 'sink', ship }],
      ),
    )
    host.start().settle()
    expect([0, 1].map((subtask) => sinkOf(host, 'sink', subtask).rows.length)).toEqual(counts)
  })

  it('advance the watermark to the minimum over all channels', () => {
    const items = (n: number): Value[] => WORDS.slice(0, n)
    const host = new TestHost(
      deployments(
        [
          { name: 'fast', parallelism: 1, chain: [operator('fast', 'list', { params: { items: items(100) } })] },
          { name: 'slow', parallelism: 1, chain: [operator('slow', 'list', { params: { items: items(34) } })] },
          { name: 'sink', parallelism: 1, chain: [operator('collect', 'collect', { inputs: [TEXT, TEXT], keyFields: [null, null], output: null })] },
        ],
        [
          { from: 'fast', to: 'sink', ship: 'forward', input: 0 },
          { from: 'slow', to: 'sink', ship: 'forward', input: 1 },
        ],
      ),
    )
    host.start().settle()
    expect(sinkOf(host).watermark).toBe(30)
  })
})

describe('back-pressure', () => {
  it('stops the source when a slow consumer fills the queues, and bounds what is in between', () => {
    const host = new TestHost(wordCount({ segmentBytes: 64 }))
    host.task('sink').isPaused = true
    host.start().settle()
    const source = host.task('source').machine
    expect(source.waiting(host.now).kind).toBe('outputUnavailable')
    for (const task of host.tasks) {
      const report = task.machine.report(host.now)
      for (const output of report.outputs) expect(output.buffers).toBeLessThanOrEqual(10 + 20)
      const received = report.inputs.reduce((sum, input) => sum + input.buffers, 0)
      expect(received).toBeLessThanOrEqual(report.inputs.length * 2 + 8)
    }
    host.task('sink').isPaused = false
    host.settle()
    expect(sinkOf(host).rows).toHaveLength(400)
  })

  it('completes the record in hand with overdraft buffers', () => {
    const host = new TestHost(
      deployments(
        [
          {
            name: 'source',
            parallelism: 1,
            chain: [operator('list', 'list', { params: { items: ['x'] } }), operator('repeat', 'repeat', { params: { times: 25 } })],
          },
          { name: 'sink', parallelism: 1, chain: [operator('collect', 'collect', { output: null })] },
        ],
        [{ from: 'source', to: 'sink', ship: 'forward' }],
        { segmentBytes: 16 },
      ),
    )
    host.task('sink').isPaused = true
    host.start().drain()
    expect(host.task('source').machine.report(0).outputs[0]?.buffers).toBeGreaterThan(10)
    host.task('sink').isPaused = false
    host.settle()
    expect(sinkOf(host).rows).toHaveLength(25)
  })
})

describe('cost of a record', () => {
  it('is paid in engine time after the record was taken, before it is processed', () => {
    const host = new TestHost(
      deployments(
        [
          { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items: ['a', 'b', 'c'] } })] },
          { name: 'sink', parallelism: 1, chain: [operator('collect', 'collect', { output: null, costMicros: 1000 })] },
        ],
        [{ from: 'source', to: 'sink', ship: 'forward' }],
        {},
        { traced: true },
      ),
    )
    host.start().drain()
    expect(host.task('sink').machine.waiting(0)).toEqual({ kind: 'busyUntil', at: 1000 })
    expect(sinkOf(host).rows).toEqual([])
    host.settle()
    expect(sinkOf(host).rows).toEqual(['a', 'b', 'c'])
    const taken = host.traces.flatMap((event) => (event.type === 'taken' ? [[event.at, event.until]] : []))
    expect(taken).toEqual([[0, 1000], [1000, 2000], [2000, 3000]])
    const report = host.task('sink').machine.report(host.now)
    expect(report.busyMicros).toBe(3000)
    expect(report.busyMicros + report.idleMicros + report.backpressuredMicros).toBe(host.now)
  })

  it('is nothing while the host holds the task back: that counts as back-pressure, and a barrier leaves all the same', () => {
    const host = new TestHost(
      deployments(
        [
          { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items: Array.from({ length: 40 }, (_, i) => `w${i}`) } })] },
          { name: 'sink', parallelism: 1, chain: [operator('collect', 'collect', { output: null })] },
        ],
        [{ from: 'source', to: 'sink', ship: 'forward' }],
      ),
    )
    const { machine } = host.task('source')
    host.start()
    while (machine.report(host.now).recordsOut === 0) host.step()
    machine.holdBack(true, host.now)
    const before = machine.report(host.now)
    expect(machine.waiting(host.now)).toEqual({ kind: 'outputUnavailable' })
    host.trigger(1, 'source')
    host.drain()
    expect(host.eventsOf('BarrierEmitted').map(({ vertex }) => String(vertex))).toContain('source')
    host.now += 500
    const held = machine.report(host.now)
    expect(held.recordsOut).toBe(before.recordsOut)
    expect(held.backpressuredMicros - before.backpressuredMicros).toBe(500)
    machine.holdBack(false, host.now)
    host.settle()
    expect(machine.report(host.now).recordsOut).toBe(40)
  })

  it('of a source is paid after each record that it reads', () => {
    const host = new TestHost(
      deployments(
        [
          { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items: ['a', 'b', 'c'] }, costMicros: 500 })] },
          { name: 'sink', parallelism: 1, chain: [operator('collect', 'collect', { output: null })] },
        ],
        [{ from: 'source', to: 'sink', ship: 'forward' }],
        { bufferTimeoutMicros: 0 },
        { traced: true },
      ),
    )
    host.start().settle()
    expect(host.traces.flatMap((event) => (event.type === 'read' ? [event.at] : []))).toEqual([0, 500, 1000])
  })
})

describe('the trace', () => {
  it('follows each record from its source to the state that it changes', () => {
    const host = new TestHost(wordCount({}, false, { traced: true })).start().settle()
    const read = host.traces.filter((event) => event.type === 'read')
    const states = host.traces.flatMap((event) => (event.type === 'state' && event.record !== null ? [event.record] : []))
    const queued = host.traces.flatMap((event) => (event.type === 'queued' ? [event] : []))
    expect(read).toHaveLength(400)
    expect(new Set(states.map((record) => `${record.partition}/${record.offset}`)).size).toBe(400)
    expect(queued).toHaveLength(800)
    expect(queued.every((event) => event.record.checkpoint === 1)).toBe(true)
    const sent = host.traces.reduce((sum, event) => sum + (event.type === 'sent' ? event.records : 0), 0)
    expect(sent).toBe(800)
    expect(host.traces.filter((event) => event.type === 'taken')).toHaveLength(800)
  })

  it('marks records behind a barrier with the next checkpoint', () => {
    const host = new TestHost(wordCount({}, false, { traced: true })).start()
    for (let i = 0; i < 40; i++) host.step()
    host.trigger(5, 'source')
    host.settle()
    const marks = new Set(host.traces.flatMap((event) => (event.type === 'queued' ? [event.record.checkpoint] : [])))
    expect([...marks].sort()).toEqual([1, 6])
  })
})

describe('failures and ends', () => {
  it('become FAILED with what went wrong and where', () => {
    const host = new TestHost(
      deployments(
        [
          { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items: ['a', 'b'] } })] },
          { name: 'sink', parallelism: 1, chain: [operator('bad', 'failing', { params: { at: 'b' }, output: null })] },
        ],
        [{ from: 'source', to: 'sink', ship: 'forward' }],
      ),
    )
    host.start().settle()
    expect(host.messages).toContainEqual(
      expect.objectContaining({ type: 'state', state: 'FAILED', failure: expect.objectContaining({ message: 'cannot take b' }) as unknown }),
    )
    expect(host.task('sink').machine.waiting(host.now).kind).toBe('ended')
  })

  it('a cancel passes whatever the task waits for', () => {
    const host = new TestHost(wordCount())
    host.task('sink').isPaused = true
    host.start().settle()
    host.command('source', { type: 'cancel' })
    host.settle()
    const states = host.messages.flatMap((message) => (message.type === 'state' && message.attempt === 'source_0_0' ? [message.state] : []))
    expect(states).toEqual(['INITIALIZING', 'RUNNING', 'CANCELING', 'CANCELED'])
  })

  it('a bounded job waits for a checkpoint that began after its end of data, then finishes', () => {
    const host = new TestHost(wordCount({}, true)).start().settle()
    expect(sinkOf(host).rows).toHaveLength(400)
    expect(sinkOf(host).isFinished).toBe(true)
    expect(sinkOf(host).watermark).toBe(Infinity)
    expect(host.eventsOf('EndOfDataReached')).toHaveLength(5)
    for (const task of host.tasks) expect(task.machine.state).toBe('RUNNING')
    expect(host.task('sink').machine.waiting(host.now)).toEqual({ kind: 'awaiting', effect: 'checkpoint', phase: 'final' })
    host.trigger(1, 'source')
    host.settle()
    expect(host.acknowledgements(1)).toHaveLength(5)
    host.complete(1)
    host.settle()
    for (const task of host.tasks) expect(task.machine.state).toBe('FINISHED')
  })

  it('a task whose inputs have all finished is triggered by command, without alignment', () => {
    const host = new TestHost(wordCount({}, true)).start().settle()
    host.trigger(1, 'source')
    host.settle()
    // Only the sources hear of the completion: they finish, the counters do not.
    for (const subtask of [0, 1]) host.command('source', { type: 'notify-checkpoint-complete', checkpointId: 1 }, subtask)
    host.settle()
    expect(host.tasks.map((task) => task.machine.state)).toEqual(['FINISHED', 'FINISHED', 'RUNNING', 'RUNNING', 'RUNNING'])
    host.trigger(2, 'count')
    host.settle()
    expect(host.acknowledgements(2)).toHaveLength(3)
    host.complete(2)
    host.settle()
    for (const task of host.tasks) expect(task.machine.state).toBe('FINISHED')
  })

  it('a completion notice that is known already, or older than the restored checkpoint, reaches nobody', () => {
    const host = new TestHost(wordCount()).start().settle()
    for (const id of [3, 3, 2]) host.complete(id)
    host.settle()
    expect(host.eventsOf('CheckpointCompleteNotified').map((event) => event.checkpointId)).toEqual([3, 3, 3, 3, 3])
  })

  it('a bounded job without checkpointing finishes at once', () => {
    const host = new TestHost(wordCount({ checkpointingEnabled: false }, true)).start().settle()
    for (const task of host.tasks) expect(task.machine.state).toBe('FINISHED')
    expect(sinkOf(host).rows).toHaveLength(400)
  })

  it('a trigger before RUNNING is declined', () => {
    const host = new TestHost(wordCount())
    host.trigger(1, 'source')
    host.settle()
    expect(host.messages.map((message) => message.type === 'decline' && message.reason)).toEqual([
      'CHECKPOINT_DECLINED_TASK_NOT_READY',
      'CHECKPOINT_DECLINED_TASK_NOT_READY',
    ])
  })
})
