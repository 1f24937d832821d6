/** What the checkpoint coordinator and slow tasks do together, on the whole simulated cluster. */
import { describe, expect, it } from 'vitest'
import { Simulator } from '../../workers/hosts/simulator/simulator.ts'
import type { EventOf, EventType } from '../../workers/model/events.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { TopicContent } from '../../workers/model/outside.ts'

const SECOND = 1_000_000
const C = 'execution.checkpointing.'

function run(config: Record<string, string | number | boolean>, rows: number, source: Record<string, unknown>, cost: string) {
  const values = Array.from({ length: rows }, (_, index) => ['a', index] as const)
  const document: JobDocument = {
    weir: 'job@1',
    name: 'slow',
    config: { [`${C}dir`]: 'file:///checkpoints', [`${C}interval`]: '1 h', [`${C}min-pause`]: '1 h', [`${C}tolerable-failed-checkpoints`]: 100, ...config },
    topics: [{ name: 'in', partitions: 1, schema: { fields: { key: 'String', value: 'Int' } }, rows: values }],
    operators: [
      { uid: 'source', type: 'log', params: { topic: 'in', ...source } },
      { uid: 'slow', type: 'map', cost, params: { function: 'identity' } },
      { uid: 'out', type: 'print', params: { discard: true } },
    ],
    edges: [
      { from: 'source', to: 'slow', ship: 'hash', by: ['key'] },
      { from: 'slow', to: 'out' },
    ],
  }
  const topics: readonly TopicContent[] = [{ name: 'in', partitions: [values.map((value) => [...value])] }]
  return new Simulator({ document, seed: 1, topics })
}

/** Engine times in seconds. */
const times = <T extends EventType>(simulator: Simulator, type: T, which: (body: EventOf<T>) => boolean = () => true): readonly number[] =>
  simulator.events.filter((event) => event.body.type === type && which(event.body as EventOf<T>)).map((event) => event.at / SECOND)

describe('between two records that take time', () => {
  const slow = (): Simulator => {
    const simulator = run({ [`${C}unaligned.enabled`]: true }, 101, {}, '100 ms')
    simulator.runUntilEvent((event) => event.body.type === 'SourceIdle', 10 * SECOND)
    simulator.triggerCheckpoint()
    simulator.runTo(3 * SECOND)
    return simulator
  }

  it('a priority barrier is taken, although more of the same buffer waits (behaviour 6.3)', () => {
    const simulator = slow()
    const [triggered = 0] = times(simulator, 'CheckpointTriggered')
    const [completed = Infinity] = times(simulator, 'CheckpointCompleted')
    expect(completed - triggered).toBeLessThan(0.25)
  })

  it('a mail is taken: the completion reaches the task after one record at most (behaviour 7.3)', () => {
    const simulator = slow()
    const [completed = 0] = times(simulator, 'CheckpointCompleted')
    const vertex = simulator.graph.vertices.find(({ chain }) => chain[0]?.uid === 'slow')!.id
    const [notified = Infinity] = times(simulator, 'CheckpointCompleteNotified', (body) => body.vertex === vertex)
    expect(notified - completed).toBeLessThan(0.15)
  })
})

describe('a source in its initial snapshot', () => {
  it('keeps the checkpoint lock: a trigger waits until the last of its rows is read, and the job keeps reading', () => {
    const simulator = run({ [`${C}interval`]: '2 s', [`${C}min-pause`]: '2 s' }, 100, { rate: 10, initialSnapshot: 50 }, '0 ms')
    simulator.runTo(12 * SECOND)
    const [completed = 0] = times(simulator, 'CheckpointCompleted')
    expect(completed).toBeGreaterThan(4.9)
    expect(completed).toBeLessThan(5.4)
    expect(times(simulator, 'CheckpointTriggered').length).toBeGreaterThan(2)
  })

  it('triggers of checkpoints that were aborted meanwhile take no snapshot when the lock is free', () => {
    const simulator = run({ [`${C}interval`]: '2 s', [`${C}min-pause`]: '2 s', [`${C}timeout`]: '500 ms' }, 100, { rate: 10, initialSnapshot: 50 }, '0 ms')
    simulator.runTo(12 * SECOND)
    const taken = new Set(simulator.events.flatMap(({ body }) => (body.type === 'SyncSnapshotStarted' ? [body.checkpointId] : [])))
    const aborted = simulator.events.flatMap(({ body }) => (body.type === 'CheckpointAborted' ? [body.checkpointId] : []))
    expect(aborted).toEqual([1, 2])
    expect([...taken].filter((id) => aborted.includes(id))).toEqual([])
  })

  it('reports a backlog: interval-during-backlog holds until the snapshot is read, then the interval', () => {
    const config = { [`${C}interval`]: '1 s', [`${C}min-pause`]: '0 s', [`${C}interval-during-backlog`]: '4 s', [`${C}timeout`]: '500 ms' }
    const simulator = run(config, 200, { rate: 10, initialSnapshot: 80 }, '0 ms')
    simulator.runTo(13 * SECOND)
    const gaps = (from: number, to: number): readonly number[] => {
      const list = times(simulator, 'CheckpointTriggered').filter((at) => at >= from && at < to)
      return list.slice(1).map((at, index) => Math.round(at - list[index]!))
    }
    expect(gaps(0, 8)).toEqual([4])
    expect(gaps(8.2, 13).every((gap) => gap === 1)).toBe(true)
    expect(gaps(8.2, 13).length).toBeGreaterThanOrEqual(2)
  })
})
