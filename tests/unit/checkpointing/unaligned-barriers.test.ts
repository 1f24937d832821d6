/** Unaligned barriers and aligned ones that may time out, rule by rule (behaviour 6.3, 6.4). `keep`, `kept`: the input side of the snapshot. */
import { describe, it } from 'vitest'
import { check } from './barrier-lanes.ts'

const ALTERNATING = { kind: 'alternating' } as const

describe('unaligned', () => {
  it('snapshots at the first barrier and keeps what is in flight until the last; no channel is blocked', () => {
    check(`a u1 b . c
           d . e u1 f`, `a, d, keep 1, trigger 1 (1+0), b, e, kept 1 (2), c, f`, ALTERNATING)
  })

  it('is whole at once with a single channel', () => {
    check(`a u1 b`, `a, keep 1, trigger 1 (1+0), kept 1 (0), b`, ALTERNATING)
  })

  it('is ended by a newer barrier', () => {
    check(`u1 a u2 .
           . b . u2`, `keep 1, trigger 1 (0+0), a, b, drop 1, abort 1 CHECKPOINT_DECLINED_SUBSUMED, keep 2, trigger 2 (2+0), kept 2 (1)`, ALTERNATING)
  })

  it('ignores an older barrier: no sender waits behind it', () => {
    check(`u2 . u1
           . u2 .`, `keep 2, trigger 2 (0+0), kept 2 (1)`, ALTERNATING)
  })

  it('is dropped at a cancel marker', () => {
    check(`u1 a
           . !1`, `keep 1, trigger 1 (0+0), a, drop 1, abort 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER`, ALTERNATING)
  })

  it('counts the end of a channel as its barrier', () => {
    check(`u1 a
           . |`, `keep 1, trigger 1 (0+0), a, kept 1 (1)`, ALTERNATING)
  })

  it('lets an aligned barrier of the same checkpoint go on at once: another edge of the sender aligned', () => {
    check(`u1 . .
           . 1 b`, `keep 1, trigger 1 (0+0), resume 1, kept 1 (1), b`, ALTERNATING)
  })

  it('comes while the checkpoint aligns: the blocked channel goes on, the snapshot is taken', () => {
    check(`1 a .
           . . u1`, `block 0, keep 1, trigger 1 (0+2), resume 0, kept 1 (2), a`, ALTERNATING)
  })
})

describe('aligned with a time-out', () => {
  it('stays aligned when all barriers come in time', () => {
    check(`t1 a .
           . . t1`, `timer 5, block 0, block 1, trigger 1 (0+2), resume 0, resume 1, no timer, a`, ALTERNATING)
  })

  it('turns unaligned when the timer fires: snapshot, go on, keep what stands before the missing barrier', () => {
    check(`t1 . . . . >1 . .
           . b . . . . c t1`, `timer 5, block 0, b, keep 1, trigger 1 (0+5), resume 0, c, resume 1, kept 1 (7)`, ALTERNATING)
  })

  it('pulls announced barriers forward at the time-out, and later ones when they are announced', () => {
    check(`t1 . . . . >1
           . n1 . . . .
           . . . . . . n1`, `timer 5, block 0, pull 1, keep 1, trigger 1 (0+5), resume 0, pull 2`, ALTERNATING)
  })

  it('starts the clock at an announcement, and takes the snapshot at the first barrier that was pulled forward', () => {
    check(`n1 . . . . >1 t1 a
           . . . . . . . u1`, `timer 5, pull 0, resume 0, keep 1, trigger 1 (6+0), a, kept 1 (1)`, ALTERNATING)
  })

  it('turns unaligned at a barrier that comes too late, before the timer has fired', () => {
    check(`t1 . . . . . . . .
           . . . . . . n1 . .
           . . . . . . t1 . a`, `timer 5, block 0, block 2, resume 2, pull 1, keep 1, trigger 1 (0+6), resume 0, a`, ALTERNATING)
  })

  it('has no time left where the first barrier comes late: the timer is set for now', () => {
    check(`. . . . . . . n1 . .
           . . . . . . . . n1 t1`, `timer 7, block 1, resume 1, pull 0, keep 1, trigger 1 (9+0)`, ALTERNATING)
  })

  it('switches at once downstream of a task that has switched: an unaligned barrier comes', () => {
    check(`n1 . u1
           . . . u1`, `timer 5, pull 0, keep 1, trigger 1 (2+0), kept 1 (1), no timer`, ALTERNATING)
  })

  it('is over at a cancel marker, its timer too', () => {
    check(`t1 a .
           . . !1`, `timer 5, block 0, resume 0, no timer, abort 1 CHECKPOINT_DECLINED_ON_CANCELLATION_BARRIER, a`, ALTERNATING)
  })

  it('does nothing when the timer fires after the checkpoint is over', () => {
    check(`t1 . >1
           t1 . .`, `timer 5, block 0, block 1, trigger 1 (0+0), resume 0, resume 1, no timer`, ALTERNATING)
  })
})
