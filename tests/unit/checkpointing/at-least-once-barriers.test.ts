/** At-least-once tracking, rule by rule (behaviour 6.7). */
import { describe, expect, it } from 'vitest'
import { check, runLanes } from './barrier-lanes.ts'

const kind = 'at-least-once'

describe('at-least-once', () => {
  it('never blocks: records behind the barrier of a fast channel are taken before the snapshot at the last barrier', () => {
    check(`a 1 b . .
           c . d 1 e`, `a, c, b, d, trigger 1 (1+2), e`, { kind })
  })

  it('triggers at once with a single channel', () => {
    check(`a 1 b 2`, `a, trigger 1 (1+0), b, trigger 2 (3+0)`, { kind })
  })

  it('tracks several checkpoints at a time', () => {
    check(`1 2 a . .
           . . . 1 2`, `a, trigger 1 (0+3), trigger 2 (1+3)`, { kind })
  })

  it('drops older checkpoints when a newer one is complete, without a word', () => {
    check(`1 2 .
           . . 2`, `trigger 2 (1+1)`, { kind })
  })

  it('has dropped them for good: the end of a channel does not bring one back', () => {
    check(`1 2 . . a
           . . 2 |`, `trigger 2 (1+1), a`, { kind })
  })

  it('tracks none that is older than one it has seen', () => {
    check(`2 . . .
           . 1 a 2`, `a, trigger 2 (0+3)`, { kind })
  })

  it('lets a cancel marker end older checkpoints too', () => {
    check(`1 2 . .
           . . !2 3`, `abort 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER, abort 2 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER`, { kind })
  })

  it('takes the newest of those that have waited for a channel that ends, and drops the older ones', () => {
    check(`1 2 . a
           . . |`, `trigger 2 (1+1), a`, { kind })
  })

  it('triggers at once where one channel alone is left', () => {
    check(`| . . .
           . 1 a 2`, `trigger 1 (1+0), a, trigger 2 (3+0)`, { kind })
  })

  it('completes a checkpoint that had waited for both when one has ended since', () => {
    check(`1 | . .
           . . 1 a`, `trigger 1 (0+2), a`, { kind })
  })

  it('lets the sender of an aligned barrier go on at once', () => {
    check(`t1 a .
           . . t1`, `resume 0, a, resume 1, trigger 1 (0+2)`, { kind })
  })

  it('aborts at a cancel marker once, and does not trigger when the rest arrives', () => {
    check(`1 . !1
           . !1 .`, `abort 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER`, { kind })
  })

  it('aborts once, however many cancel markers come', () => {
    check(`!1 . . a
           . !1 .
           . . 1`, `abort 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER, a`, { kind })
  })

  it('counts the end of a channel as its barrier', () => {
    check(`1 . a
           . | .`, `trigger 1 (0+1), a`, { kind })
  })

  it('declines at the end of a channel where checkpoints after tasks finish are off', () => {
    check(`1 . a
           . | .`, `abort 1 CHECKPOINT_DECLINED_INPUT_END_OF_STREAM, a`, { kind, afterTasksFinish: false })
  })

  for (const [open, isKnown] of [[50, true], [51, false]] as const) {
    it(`${isKnown ? 'knows the oldest of' : 'has forgotten the oldest of'} ${open} checkpoints at once`, () => {
      const ids = Array.from({ length: open }, (_, i) => String(i + 1))
      const log = runLanes(`${ids.join(' ')} .\n${ids.map(() => '.').join(' ')} 1`, { kind: 'at-least-once' })
      expect(log.some((entry) => entry.startsWith('trigger 1 '))).toBe(isKnown)
    })
  }
})
