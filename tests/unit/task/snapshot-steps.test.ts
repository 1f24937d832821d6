/** The snapshot procedure step by step, and what its figures mean (behaviour 7.1, 7.2). */
import { describe, expect, it } from 'vitest'
import { HeapOperatorStateBackend } from '../../../workers/state/operator-state.ts'
import { checkTask, runTask } from './task-lanes.ts'
import type { TaskLanes } from './task-lanes.ts'

/** The letters that an operator had seen, as the acknowledged snapshot holds them. */
function lettersOf(task: TaskLanes, checkpointId: number, uid: string): string {
  const part = task.acknowledged.find((message) => message.checkpointId === checkpointId)?.snapshot.operators.find(({ operatorId }) => String(operatorId) === uid)
  const handle = part?.state.managedOperator
  if (handle === null || handle === undefined || handle.stream.kind !== 'bytes') throw new Error(`no state of ${uid} in the handle`)
  const backend = new HeapOperatorStateBackend()
  backend.restore(handle, handle.stream.bytes)
  return backend.listState('letters', 'SPLIT_DISTRIBUTE').get().map((bytes) => String.fromCharCode(...bytes)).join('')
}

const metricsOf = (task: TaskLanes, checkpointId: number) => {
  const found = task.acknowledged.find((message) => message.checkpointId === checkpointId)
  if (found === undefined) throw new Error(`${checkpointId} was not acknowledged`)
  return found.metrics
}

describe('the snapshot procedure (behaviour 7.1)', () => {
  it('pre-barrier work runs head to tail, the barrier leaves, state is captured tail to head, then the task acknowledges', () => {
    checkTask('jm: t1', 'prepare a 1, prepare b 1, prepare c 1, barrier 1, snapshot c 1, snapshot b 1, snapshot a 1, ack 1', { chain: ['a', 'b', 'c'], inputs: [] })
  })

  it('records that pre-barrier work emits precede the barrier, through the operators behind it', () => {
    checkTask('jm: t1', 'prepare a 1, b x, prepare b 1, send 1, barrier 1, snapshot b 1, snapshot a 1, ack 1', {
      chain: ['a', 'b'],
      inputs: [],
      hooks: { a: { prepare: (context) => context.emit('x', NaN) } },
    })
  })

  it('what snapshotState writes is in the snapshot; what comes behind the barrier is not', () => {
    const task = runTask('0: a b 1 c', { chain: ['a', 'b'] })
    expect([lettersOf(task, 1, 'a'), lettersOf(task, 1, 'b')]).toEqual(['ab', 'ab'])
  })

  it('a checkpoint that is not newer than the last one seen leads to nothing', () => {
    checkTask('jm: t5 t5 t3 t6', 'prepare a 5, barrier 5, snapshot a 5, ack 5, prepare a 6, barrier 6, snapshot a 6, ack 6', { inputs: [] })
  })

  it('one that has been aborted already sends a cancel marker downstream instead of a barrier, and does nothing else', () => {
    checkTask('jm: a1 t1 t2', 'aborted a 1, !1, prepare a 2, barrier 2, snapshot a 2, ack 2', { inputs: [] })
  })

  it('an aborted one is forgotten with the next checkpoint: its barrier comes too late and leads to nothing', () => {
    checkTask('jm: a1 t2 t1', 'aborted a 1, prepare a 2, barrier 2, snapshot a 2, ack 2', { inputs: [] })
  })

  it('an exception before the barrier fails the task: no barrier leaves', () => {
    const fail = (): never => {
      throw new Error('cannot flush')
    }
    checkTask('0: 1', 'prepare a 1, close a, FAILED', { hooks: { a: { prepare: fail } } })
  })

  it('an exception in the synchronous part fails the task: nothing is acknowledged', () => {
    const fail = (): never => {
      throw new Error('cannot snapshot')
    }
    checkTask('0: 1', 'prepare a 1, prepare b 1, barrier 1, snapshot b 1, close b, close a, FAILED', { chain: ['a', 'b'], hooks: { b: { snapshot: fail } } })
  })

  it('no record is taken between the first step and the end of the synchronous part', () => {
    const steps = 'prepare a 1, pre-commit, resume 0, barrier 1, snapshot a 1, ack 1, a b, send 1'
    checkTask('0: 1 b . .\ntx: . . . ok', steps, { hooks: { a: { waitsIn: 'prepare' } } })
  })

  it('nor while the synchronous part takes its time', () => {
    checkTask('0: u1,x . . .', 'prepare a 1, UNALIGNED barrier 1, snapshot a 1, ack 1, a x, send 1', { settings: { syncCostMicros: 3 } })
  })

  it('the task is acknowledged when storage has answered, and goes on meanwhile', () => {
    checkTask('0: 1 b . .\nfs: . . . ok', 'prepare a 1, barrier 1, snapshot a 1, resume 0, store 1, a b, send 1, ack 1', { settings: { inlineThresholdBytes: 0 } })
  })

  it('asynchronous parts go one after another, oldest first', () => {
    checkTask('jm: t1 t2 . .\nfs: . . ok ok', 'prepare a 1, barrier 1, snapshot a 1, store 1, prepare a 2, barrier 2, snapshot a 2, ack 1, store 1, ack 2', {
      inputs: [],
      settings: { inlineThresholdBytes: 0 },
    })
  })

  it('an asynchronous part that fails declines its checkpoint; the next one goes on', () => {
    checkTask('jm: t1 t2 . .\nfs: . . no ok', 'prepare a 1, barrier 1, snapshot a 1, store 1, prepare a 2, barrier 2, snapshot a 2, decline 1 CHECKPOINT_ASYNC_EXCEPTION, store 1, ack 2', {
      inputs: [],
      settings: { inlineThresholdBytes: 0 },
    })
  })

  it('a task without any state acknowledges with an empty snapshot', () => {
    const task = runTask('jm: t1', { inputs: [], hooks: { a: { isStateless: true } } })
    expect(task.acknowledged.map(({ snapshot }) => snapshot.operators)).toEqual([[]])
  })
})

describe('the figures of a snapshot (behaviour 7.1, 7.2)', () => {
  it('the asynchronous part lasts from the end of the synchronous one, so that waiting for its turn counts', () => {
    const task = runTask('jm: t1 t2 . . . .\nfs: . . . ok . ok', { inputs: [], settings: { inlineThresholdBytes: 0 } })
    expect([metricsOf(task, 1).asyncMicros, metricsOf(task, 2).asyncMicros]).toEqual([3, 4])
  })

  it('the synchronous part begins behind the barrier: pre-barrier work is not in it', () => {
    const task = runTask('jm: t1 . . .\ntx: . . . ok', { inputs: [], hooks: { a: { waitsIn: 'prepare' } } })
    expect(metricsOf(task, 1)).toMatchObject({ syncMicros: 0 })
    const other = runTask('jm: t1 . . .\ntx: . . . ok', { inputs: [], hooks: { a: { waitsIn: 'snapshot' } } })
    expect(metricsOf(other, 1)).toMatchObject({ syncMicros: 3 })
  })

  it('the start delay of a source is the age of the checkpoint when its trigger is run; it aligns nothing', () => {
    const task = runTask('jm: . . . t1', { inputs: [] })
    expect(metricsOf(task, 1)).toMatchObject({ startDelayMicros: 3, alignmentMicros: 0 })
  })

  it('start delay is that of the first barrier, alignment lasts until the last', () => {
    const task = runTask('0: . . 1 .\n1: . . . . . 1', { inputs: [0, 0] })
    expect(metricsOf(task, 1)).toMatchObject({ startDelayMicros: 2, alignmentMicros: 3 })
  })

  it('processed is what was taken from the channels between the first barrier and the last, of each checkpoint anew', () => {
    const task = runTask('0: a 1 . . . 2 . .\n1: a a . . 1 a a 2', { inputs: [0, 0] })
    const one = runTask('0: 1 .\n1: a 1', { inputs: [0, 0] })
    const bytes = metricsOf(one, 1).processedBytes
    expect(bytes).toBeGreaterThan(0)
    expect([metricsOf(task, 1).processedBytes, metricsOf(task, 2).processedBytes]).toEqual([bytes, 2 * bytes])
  })

  it('of an unaligned one processed goes on until the last barrier', () => {
    const task = runTask('0: u1 . . .\n1: . a a u1', { inputs: [0, 0] })
    const aligned = runTask('0: 1 . . .\n1: . a a 1', { inputs: [0, 0] })
    expect(metricsOf(task, 1).processedBytes).toBe(metricsOf(aligned, 1).processedBytes)
    expect(metricsOf(task, 1).alignmentMicros).toBe(3)
  })

  it('both sizes hold in-flight data, and persisted is that of inputs and outputs together', () => {
    const state = metricsOf(runTask('0: 1', {}), 1).checkpointedBytes
    const task = runTask('0: a b u1 .\n1: . . . c u1\nout: . . .', { inputs: [0, 0] })
    const { checkpointedBytes, stateBytes, persistedBytes } = metricsOf(task, 1)
    const [kept] = task.events.flatMap((event) => (event.type === 'InFlightPersisted' ? [event] : []))
    const { inputBytes = 0, outputBytes = 0 } = kept ?? {}
    expect(Math.min(inputBytes, outputBytes)).toBeGreaterThan(0)
    expect(persistedBytes).toBeGreaterThanOrEqual(inputBytes + outputBytes)
    expect(checkpointedBytes).toBeGreaterThanOrEqual(state + persistedBytes)
    expect(stateBytes).toBe(checkpointedBytes)
  })

  it('persisted is 0 where nothing was in flight', () => {
    expect(metricsOf(runTask('0: u1 .\n1: . u1', { inputs: [0, 0] }), 1).persistedBytes).toBe(0)
  })
})
