/** What a task and its operators hear of completed and of aborted checkpoints (behaviour 7.3). */
import { describe, expect, it } from 'vitest'
import { checkTask, runTask } from './task-lanes.ts'

const FILES = { settings: { inlineThresholdBytes: 0 } } as const
const SKIP = { skip: ['prepare', 'snapshot'] } as const

describe('a completed checkpoint', () => {
  it('is told to the operators tail to head', () => {
    checkTask('jm: c1', 'complete c 1, complete b 1, complete a 1', { chain: ['a', 'b', 'c'] })
  })

  it('goes ahead of other mails, not ahead of the record in hand', () => {
    // The trigger was there first; both wait for the record that takes four microseconds.
    checkTask('0: x . . . .\njm: . t1 c7', 'a x, complete a 7, prepare a 1, barrier 1, snapshot a 1, ack 1', { costMicros: 4, skip: ['send'] })
  })

  it('is not told where it is known, or older than one that is known', () => {
    checkTask('jm: c2 c2 c1 c3', 'complete a 2, complete a 3')
  })

  it('that the task was restored from counts as known', () => {
    checkTask('jm: c4 c5 c6', 'complete a 6', { restore: { checkpointId: 5, location: '/chk-5', operators: [] } })
  })

  it('an exception of an operator fails the task, after all have been told', () => {
    const fail = (): never => {
      throw new Error('cannot commit')
    }
    checkTask('jm: c1', 'complete c 1, complete b 1, complete a 1, close c, close b, close a, FAILED', { chain: ['a', 'b', 'c'], hooks: { b: { complete: fail } } })
  })

  it('the first of several exceptions is the one that is told', () => {
    const fail = (message: string) => (): never => {
      throw new Error(message)
    }
    const task = runTask('jm: c1', { chain: ['a', 'b'], hooks: { a: { complete: fail('second') }, b: { complete: fail('first') } } })
    expect(task.failure?.message).toContain('first')
  })
})

describe('an aborted checkpoint', () => {
  it('is told to the operators tail to head', () => {
    checkTask('jm: a1', 'aborted c 1, aborted b 1, aborted a 1', { chain: ['a', 'b', 'c'] })
  })

  it('whose barriers have not come is answered with a cancel marker when they would', () => {
    checkTask('0: . 1 x\n1: . . 1\njm: a1', 'aborted a 1, !1, resume 0, resume 1, a x, send 1', { inputs: [0, 0] })
  })

  it('whose state is being written is not acknowledged, and what was written is deleted', () => {
    checkTask('jm: t1 a1 .\nfs: . . ok ok', 'barrier 1, store 1, aborted a 1, delete 1', { inputs: [], ...FILES, ...SKIP })
  })

  it('makes room for the next one, which waits for its turn', () => {
    checkTask('jm: t1 t2 a1 .\nfs: . . . ok ok', 'barrier 1, store 1, barrier 2, aborted a 1, store 1, delete 1, ack 2', { inputs: [], ...FILES, ...SKIP })
  })

  it('makes room for one that has nothing left to write, too', () => {
    const stuck = { hooks: { a: { isStateless: true } }, skip: ['prepare', 'snapshot', 'send', 'barrier'] } as const
    checkTask('0: x t1 2 .\njm: . . . a1\nout: . . . .', 'a x, resume 0, resume 0, ack 2, aborted a 1', stuck)
  })

  it('in its synchronous part ends there: its result is dropped', () => {
    checkTask('jm: t1 a1 . t2\ntx: . . ok . ok', 'barrier 1, pre-commit, aborted a 1, barrier 2, pre-commit, ack 2', { inputs: [], hooks: { a: { waitsIn: 'snapshot' } }, ...SKIP })
  })

  it('whose inputs are still being kept keeps nothing any more, and is not acknowledged', () => {
    const task = checkTask('0: u1 . . u2\n1: . . x u1 u2\njm: . a1', 'UNALIGNED barrier 1, aborted a 1, a x, send 1, decline 1 CHECKPOINT_DECLINED_SUBSUMED, !1, UNALIGNED barrier 2, ack 2', { inputs: [0, 0], ...SKIP })
    expect(task.acknowledged[0]?.metrics.persistedBytes).toBe(0)
  })

  it('that is complete already is dropped from nothing', () => {
    checkTask('jm: t1 a1 t2', 'barrier 1, ack 1, aborted a 1, barrier 2, ack 2', { inputs: [], ...SKIP })
  })
})
