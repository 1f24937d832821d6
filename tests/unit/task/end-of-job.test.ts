/** The end of a bounded job with checkpoints on, step by step (behaviour 14, FLIP-147). */
import { describe, it } from 'vitest'
import { checkTask } from './task-lanes.ts'

const SKIP = { skip: ['prepare', 'snapshot', 'send', 'barrier'] } as const

describe('the end of data', () => {
  it('of a source is the maximum watermark, then each operator ends its input and finishes, head to tail, then the event leaves', () => {
    checkTask('jm: .', 'a x, b x, c x, watermark b, watermark c, finish a, endInput b 0, finish b, endInput c 0, finish c, end-of-data, report end', { chain: ['a', 'b', 'c'], bounded: 'x', ...SKIP })
  })

  it('of an input comes with the last of its channels, of the task with the last of its inputs', () => {
    checkTask('0: - . . .\n1: . - . .\n2: . . x -', 'endInput a 0, a x, endInput a 1, finish a, end-of-data, report end', { inputs: [0, 0, 1], ...SKIP })
  })

  it('leaves behind what operators emit when they finish, also where one has to wait for an answer', () => {
    checkTask('0: - .\ntx: . ok', 'endInput a 0, finish a, b y, pre-commit, send 1, endInput b 0, finish b, end-of-data, report end', {
      chain: ['a', 'b'],
      hooks: { a: { waitsIn: 'finish', finish: (context) => context.emit('y', NaN) } },
      skip: [],
    })
  })

  it('is not overtaken by a trigger that comes while operators finish', () => {
    checkTask('0: - .\njm: . t1\ntx: . . ok', 'endInput a 0, finish a, pre-commit, endInput b 0, finish b, end-of-data, report end, prepare a 1, prepare b 1, barrier 1, snapshot b 1, snapshot a 1, ack 1', {
      chain: ['a', 'b'],
      hooks: { a: { waitsIn: 'finish' } },
    })
  })

  it('is passed on but not reported, and no operator finishes, where the job was suspended', () => {
    checkTask('0: x ~', 'a x, end-of-data', { ...SKIP })
  })
})

describe('the last checkpoint', () => {
  it('is waited for until downstream has processed everything and one that began after the end of data is complete', () => {
    checkTask('0: - |\njm: . . t1 c1 a9\nout: . . . . . done', 'endInput a 0, finish a, end-of-data, report end, ack 1, complete a 1, aborted a 9, close a, end-of-partition, FINISHED', SKIP)
  })

  it('is not one that began before the end of data', () => {
    checkTask('0: 1 - |\njm: . . . c1 t2 c2\nout: . . . done', 'resume 0, ack 1, endInput a 0, finish a, end-of-data, report end, complete a 1, ack 2, complete a 2, close a, end-of-partition, FINISHED', SKIP)
  })

  it('may be a newer one than the first that began after it', () => {
    checkTask('0: - |\njm: . . t1 t2 c2\nout: . . done', 'endInput a 0, finish a, end-of-data, report end, ack 1, ack 2, complete a 2, close a, end-of-partition, FINISHED', SKIP)
  })

  it('does not end the task while another snapshot is being written', () => {
    checkTask('0: - | . . . .\njm: . . t1 t2 c1\nfs: . . . ok . . ok\nout: . . done', 'endInput a 0, finish a, end-of-data, report end, store 1, ack 1, store 1, complete a 1, ack 2, close a, end-of-partition, FINISHED', {
      ...SKIP,
      settings: { inlineThresholdBytes: 0 },
    })
  })

  it('does not end the task before its senders have ended', () => {
    checkTask('0: - . . . |\njm: . t1 c1 a9\nout: . done', 'endInput a 0, finish a, end-of-data, report end, ack 1, complete a 1, aborted a 9, close a, end-of-partition, FINISHED', SKIP)
  })

  it('is not waited for where checkpoints after tasks finish are off', () => {
    checkTask('0: - |\nout: done', 'endInput a 0, finish a, end-of-data, report end, close a, end-of-partition, FINISHED', { ...SKIP, settings: { afterTasksFinish: false } })
  })

  it('is not waited for without checkpointing', () => {
    checkTask('0: - |\nout: done', 'endInput a 0, finish a, end-of-data, report end, close a, end-of-partition, FINISHED', { ...SKIP, settings: { checkpointingEnabled: false } })
  })

  it('operators still exist meanwhile: they take part in checkpoints and hear of them', () => {
    checkTask('0: -\njm: . t1 c1 t2 a2', 'endInput a 0, finish a, end-of-data, report end, prepare a 1, barrier 1, snapshot a 1, ack 1, complete a 1, prepare a 2, barrier 2, snapshot a 2, ack 2, aborted a 2', { skip: [] })
  })
})
