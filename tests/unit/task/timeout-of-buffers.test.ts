/** When an unfinished buffer leaves a task that has more to do (behaviour 8.1, `execution.buffer-timeout.interval`). A record takes 4 microseconds. */
import { describe, it } from 'vitest'
import { checkTask } from './task-lanes.ts'

const LANES = '0: a,b . . . . c . . . d . . . . . . . . . . . .'
const within = (bufferTimeoutMicros: number) => ({ costMicros: 4, settings: { bufferTimeoutMicros } })

describe('a buffer that is not full', () => {
  it('leaves when its timeout is over, counted from when something was written and none was running', () => {
    checkTask(LANES, 'a a, a b, send 2, a c, a d, send 2', within(7))
  })

  it('waits for more where the timeout is longer, until the input has run dry', () => {
    checkTask(LANES, 'a a, a b, a c, a d, send 4', within(100))
  })

  it('leaves after each record with a timeout of 0', () => {
    checkTask(LANES, 'a a, send 1, a b, send 1, a c, send 1, a d, send 1', within(0))
  })

  it('stays without a timeout, and a barrier takes it along', () => {
    checkTask('0: a . . . . . 1', 'a a, prepare a 1, send 1, barrier 1, snapshot a 1, resume 0, ack 1', within(-1))
  })
})
