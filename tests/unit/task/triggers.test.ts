/** Triggers at sources and at tasks without running inputs (behaviour 6.8). */
import { describe, it } from 'vitest'
import { checkTask } from './task-lanes.ts'

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
