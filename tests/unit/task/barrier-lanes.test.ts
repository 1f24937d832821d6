/** Barriers at a whole task: which handler it has, what goes on downstream, and when (behaviour 6.1 to 6.6). */
import { describe, expect, it } from 'vitest'
import { checkTask, runTask } from './task-lanes.ts'

const SKIP = { skip: ['prepare', 'snapshot', 'send'] } as const
const TWO = { inputs: [0, 0], ...SKIP } as const

describe('the handler of a task (behaviour 6.1)', () => {
  it('exactly-once: one over all gates aligns', () => {
    checkTask('0: 1 x\n1: . . 1', 'barrier 1, resume 0, resume 1, ack 1, a x', { inputs: [0, 1], ...SKIP })
  })

  it('at-least-once: barriers are counted over all gates, nothing is blocked', () => {
    checkTask('0: 1 x\n1: . . 1', 'resume 0, a x, resume 1, barrier 1, ack 1', { inputs: [0, 1], settings: { exactlyOnce: false, unalignedEnabled: false }, ...SKIP })
  })
})

describe('aligned (behaviour 6.2)', () => {
  it('giving up is a decline, a cancel marker downstream, and every channel goes on', () => {
    checkTask('0: 1 x .\n1: . . !1', 'resume 0, decline 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER, !1, a x', TWO)
  })

  it('a newer barrier gives the older one up before its own alignment begins', () => {
    checkTask('0: 1 . . 2\n1: . 2', 'resume 0, decline 1 CHECKPOINT_DECLINED_SUBSUMED, !1, barrier 2, resume 1, resume 0, ack 2', TWO)
  })

  it('a checkpoint that was given up is not taken up again: later barriers of it only let their senders go on', () => {
    checkTask('0: !1 . .\n1: . 1 y', 'decline 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER, !1, resume 1, a y', TWO)
  })

  it('with one channel the sender is resumed at once, and nothing was aligned', () => {
    const task = checkTask('0: . 1 x', 'barrier 1, resume 0, ack 1, a x', { ...SKIP })
    expect(task.acknowledged[0]?.metrics).toMatchObject({ startDelayMicros: 1, alignmentMicros: 0 })
  })
})

describe('unaligned (behaviour 6.3)', () => {
  it('the snapshot is taken at the first barrier; it is acknowledged with the last', () => {
    checkTask('0: u1 x .\n1: . . y u1', 'UNALIGNED barrier 1, a x, a y, ack 1', TWO)
  })

  it('the first barrier waits for the record in hand', () => {
    checkTask('0: x . . . . .\n1: . u1 .', 'a x, UNALIGNED barrier 1', { ...TWO, costMicros: 4 })
  })

  it('it overtakes what waits in the output, which is kept', () => {
    const task = checkTask('0: x u1\nout: . . . +', 'a x, UNALIGNED barrier 1, ack 1, send 1', { skip: ['prepare', 'snapshot'] })
    expect(task.events.flatMap((event) => (event.type === 'InFlightPersisted' ? [event.outputBytes > 0] : []))).toEqual([true])
  })

  it('what a channel brings behind its own barrier is not kept, though another channel is still awaited', () => {
    const task = checkTask('0: u1\n1: . u1 z\n2: . . . u1', 'UNALIGNED barrier 1, a z, ack 1', { inputs: [0, 0, 0], ...SKIP })
    expect(task.acknowledged[0]?.metrics.persistedBytes).toBe(0)
  })

  it('a newer one ends the older, of which nothing is acknowledged', () => {
    checkTask('0: u1 . u2\n1: . x . u2', 'UNALIGNED barrier 1, a x, decline 1 CHECKPOINT_DECLINED_SUBSUMED, !1, UNALIGNED barrier 2, ack 2', TWO)
  })
})

describe('aligned with a time-out of 5 (behaviour 6.4)', () => {
  it('an ordinary one where all barriers come in time: nothing in flight is stored', () => {
    const task = checkTask('0: t1 x . . . . . .\n1: . y . t1', 'a y, barrier 1, resume 0, resume 1, ack 1, a x', TWO)
    expect(task.acknowledged[0]?.metrics.persistedBytes).toBe(0)
  })

  it('at the time-out the task snapshots at once and emits an unaligned barrier; the blocked channel goes on', () => {
    checkTask('0: t1 x . . . . . .\n1: . . . . . . y t1', 'UNALIGNED barrier 1, resume 0, a x, a y, resume 1, ack 1', TWO)
  })

  it('the clock is the age of the checkpoint, not of the alignment', () => {
    checkTask('0: . . . t1 . . . .\n1: . . . . . . y t1', 'UNALIGNED barrier 1, resume 0, a y, resume 1, ack 1', TWO)
  })

  it('a barrier that comes when the time is over switches at once', () => {
    checkTask('0: . . . . . . . t1 x .\n1: . . . . . . . . t1', 'resume 0, UNALIGNED barrier 1, a x, resume 1, ack 1', TWO)
  })

  it('a barrier that is stuck in the output is turned at the same age, and what it overtakes is kept', () => {
    const task = checkTask('0: . x . t1 . . . .\nout: . . . . . . . +', 'a x, resume 0, UNALIGNED barrier 1, ack 1, send 1', { skip: ['prepare', 'snapshot'] })
    expect(task.events.flatMap((event) => (event.type === 'InFlightPersisted' ? [[event.inputBytes, event.outputBytes > 0]] : []))).toEqual([[0, true]])
    expect(task.acknowledged[0]?.metrics.asyncMicros).toBe(2)
  })

  it('one that leaves the output in time stays aligned; nothing is kept', () => {
    const task = checkTask('0: x t1 . . . . . .\nout: . . . +', 'a x, resume 0, send 1, barrier 1, ack 1', { skip: ['prepare', 'snapshot'] })
    expect(task.acknowledged[0]?.metrics).toMatchObject({ persistedBytes: 0, asyncMicros: 2 })
  })
})

describe('edges that can never be unaligned (behaviour 6.6)', () => {
  it('a forced barrier blocks like an aligned one; on its own outputs the task may overtake again', () => {
    checkTask('0: f1 x .\n1: . . f1', 'UNALIGNED barrier 1, resume 0, resume 1, ack 1, a x', TWO)
  })

  it.each(['forward', 'broadcast'] as const)('on a %s edge an unaligned barrier goes on as a forced one, in its place behind the data', (ship) => {
    checkTask('0: x u1\nout: . . +', 'a x, ack 1, send 1, FORCED_ALIGNED barrier 1', { ship, skip: ['prepare', 'snapshot'] })
  })

  it('what a forced barrier was is kept: one that may time out is one again behind the node', () => {
    const types = runTask('0: t1', { ship: 'forward' }).log.filter((entry) => entry.includes('barrier'))
    expect(types).toEqual(['FORCED_ALIGNED barrier 1'])
    checkTask('0: ft1', 'barrier 1, resume 0, ack 1', { ...SKIP })
  })
})
