/** Exactly-once alignment, rule by rule (behaviour 6.2). The log gives each snapshot as `trigger id (start delay + alignment)`. */
import { describe, expect, it } from 'vitest'
import { check, runLanes } from './barrier-lanes.ts'
import { createBarrierHandler } from '../../../workers/checkpointing/create-barrier-handler.ts'
import { barrier } from './barrier-lanes.ts'
import { notBlockingHandler } from './not-blocking-handler.ts'

describe('aligned, exactly-once', () => {
  it('blocks each channel at its barrier, snapshots at the last one, then unblocks all', () => {
    check(`a 1 b . .
           c . d 1 e`, `a, c, block 0, d, block 1, trigger 1 (1+2), resume 0, resume 1, b, e`)
  })

  it('takes records of the open channels while it aligns', () => {
    check(`1 x . . .
           . a b c 1`, `block 0, a, b, c, block 1, trigger 1 (0+4), resume 0, resume 1, x`)
  })

  it('blocks and resumes at once with a single channel, without alignment', () => {
    check(`a 1 b`, `a, block 0, trigger 1 (1+0), resume 0, b`)
  })

  it('lets a newer barrier abort the checkpoint being aligned', () => {
    // Channel 1 never sends barrier 1 (its sender gave the checkpoint up before).
    check(`1 . 2
           . 2 .`, `block 0, resume 0, abort 1 CHECKPOINT_DECLINED_SUBSUMED, block 1, block 0, trigger 2 (1+1), resume 1, resume 0`)
  })

  it('only resumes the channel of an older barrier', () => {
    check(`. . 1 a
           2 b . .`, `block 1, resume 0, a`)
  })

  it('aborts at a cancel marker, tells why, and unblocks all', () => {
    check(`1 a .
           . . !1`, `block 0, resume 0, abort 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER, a`)
  })

  it('is pre-empted by a cancel marker that comes before any barrier: later barriers of it only resume', () => {
    check(`!1 . a
           . 1 b`, `abort 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER, resume 1, a, b`)
  })

  it('declines the checkpoint in hand too when a newer one is cancelled', () => {
    check(`1 a .
           . . !2`, `block 0, resume 0, abort 1 CHECKPOINT_DECLINED_SUBSUMED, abort 2 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER, a`)
  })

  it('ignores a cancel marker of a checkpoint that is complete', () => {
    check(`1 . !1
           1 . .`, `block 0, block 1, trigger 1 (0+0), resume 0, resume 1`)
  })

  it('counts the end of a channel as its barrier', () => {
    check(`1 a .
           . . |`, `block 0, trigger 1 (0+2), resume 0, a`)
  })

  it('declines at the end of a channel where checkpoints after tasks finish are off', () => {
    check(`1 a .
           . . |`, `block 0, resume 0, abort 1 CHECKPOINT_DECLINED_INPUT_END_OF_STREAM, a`, { afterTasksFinish: false })
  })

  it('does not wait for channels that had ended before the checkpoint', () => {
    check(`| . .
           . 1 a`, `block 1, trigger 1 (1+0), resume 1, a`)
  })

  it('aligns one checkpoint after another', () => {
    check(`1 a 2 b . . .
           . . . . 1 c 2`, `block 0, block 1, trigger 1 (0+4), resume 0, resume 1, a, block 0, c, block 1, trigger 2 (4+2), resume 0, resume 1, b`)
  })

  it('blocks nobody for a barrier that came as a command', () => {
    const log: string[] = []
    const handler = createBarrierHandler({
      kind: 'aligned',
      channels: 2,
      afterTasksFinish: true,
      owner: {
        triggerCheckpointOnBarrier: (taken) => void log.push(`trigger ${taken.checkpointId}`),
        abortCheckpointOnBarrier: (id) => void log.push(`abort ${id}`),
        blockChannel: (_, channel) => void log.push(`block ${channel}`),
        resumeChannel: (_, channel) => void log.push(`resume ${channel}`),
        barrierArrived: () => undefined,
        inputsStarted: () => undefined,
        inputsStopped: () => undefined,
        convertToPriority: () => undefined,
        setAlignmentTimer: () => undefined,
      },
    })
    handler.processBarrier(0, barrier(4), 10, true)
    handler.processBarrier(1, barrier(4), 10, true)
    expect(log).toEqual(['trigger 4'])
  })
})

describe('every interleaving of two channels and two checkpoints', () => {
  const LANES = ['a 1 b 2 c', 'd 1 e 2 f']
  const interleavings = allInterleavings(5, 5)

  /** Records taken before each snapshot. */
  const cuts = (order: readonly number[], create = createBarrierHandler): string[] => {
    const log = runLanes(toLanes(order, LANES), { create })
    return [1, 2].map((id) => {
      const at = log.findIndex((entry) => entry.startsWith(`trigger ${id} `))
      return log.slice(0, Math.max(0, at)).filter((entry) => /^[a-z]$/.test(entry)).sort().join('')
    })
  }

  it('snapshots exactly the records before the barriers of both channels', () => {
    expect(interleavings).toHaveLength(252)
    for (const order of interleavings) expect(cuts(order), order.join('')).toEqual(['ad', 'abde'])
  })

  it('takes every record once in the end', () => {
    for (const order of interleavings) {
      const taken = runLanes(toLanes(order, LANES)).filter((entry) => /^[a-z]$/.test(entry))
      expect(taken.sort().join(''), order.join('')).toBe('abcdef')
    }
  })

  it('finds a handler that does not block', () => {
    expect(interleavings.some((order) => cuts(order, notBlockingHandler).join() !== 'ad,abde')).toBe(true)
  })
})

/** Every order of taking `left` items of channel 0 and `right` of channel 1. */
function allInterleavings(left: number, right: number): number[][] {
  if (left === 0 && right === 0) return [[]]
  const orders: number[][] = []
  if (left > 0) for (const rest of allInterleavings(left - 1, right)) orders.push([0, ...rest])
  if (right > 0) for (const rest of allInterleavings(left, right - 1)) orders.push([1, ...rest])
  return orders
}

function toLanes(order: readonly number[], lanes: readonly string[]): string {
  const items = lanes.map((lane) => lane.split(' '))
  const rows: string[][] = lanes.map(() => [])
  for (const channel of order) rows.forEach((row, at) => row.push(at === channel ? ((items[at] as string[]).shift() as string) : '.'))
  return rows.map((row) => row.join(' ')).join('\n')
}
