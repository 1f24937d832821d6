/** Unaligned checkpoints of a whole small job: overtaking, in-flight data kept and restored (behaviour 6.3 to 6.6, 11.4, 12.5). */
import { describe, expect, it } from 'vitest'
import { cloneGraph } from '../../../workers/base/clone.ts'
import type { CheckpointOptions } from '../../../workers/model/checkpoint.ts'
import { counts, exact, hostOf, persistedBytes, restored } from './word-count.ts'
import type { WordCountOptions } from './word-count.ts'
import type { TestHost } from './test-host.ts'

type Mode = Pick<CheckpointOptions, 'alignment' | 'alignedTimeoutMicros'>
const UNALIGNED: Mode = { alignment: 'UNALIGNED' }
const SLOW = { costMicros: 50 } as const

/** Sources have read some and not all when the checkpoint is triggered; the counters are behind. */
function runInto(seed: number, mode: Mode, options: WordCountOptions = SLOW): TestHost {
  const host = hostOf(options, seed).start()
  for (let i = 0; i < 60 + seed * 5; i++) if (!host.step()) host.fireTimer()
  host.triggerWith(mode, 1, 'source')
  return host
}

describe('an unaligned checkpoint', () => {
  it('is a consistent cut together with its in-flight data', () => {
    let persisted = 0
    for (let seed = 1; seed <= 30; seed++) {
      const host = runInto(seed, UNALIGNED).settle()
      expect(host.acknowledgements(1), `seed ${seed}`).toHaveLength(5)
      persisted += persistedBytes(host, 1)
      expect(counts(restored(host, 1, seed + 100).settle()), `seed ${seed}`).toEqual(exact())
    }
    expect(persisted).toBeGreaterThan(0)
  })

  it('is consistent with in-flight data in the handles, too', () => {
    const settings = { inlineThresholdBytes: 20_000 }
    for (let seed = 1; seed <= 10; seed++) {
      const host = runInto(seed, UNALIGNED, { ...SLOW, settings }).settle()
      expect(host.files.size).toBe(0)
      expect(counts(restored(host, 1, seed + 100, { settings }).settle()), `seed ${seed}`).toEqual(exact())
    }
  })

  for (const counters of [1, 3]) {
    it(`is restored with ${counters} instead of 2 counters: each takes the records of its own key groups`, () => {
      for (let seed = 1; seed <= 15; seed++) {
        const host = runInto(seed, UNALIGNED).settle()
        expect(counts(restored(host, 1, seed + 100, { counters }).settle()), `seed ${seed}`).toEqual(exact())
      }
    })
  }

  it('can itself be checkpointed after a restore', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const first = restored(runInto(seed, UNALIGNED).settle(), 1, seed, SLOW)
      for (let i = 0; i < 150; i++) if (!first.step()) first.fireTimer()
      first.triggerWith(UNALIGNED, 2, 'source')
      first.settle()
      if (first.acknowledgements(2).length < 5) continue
      for (const message of first.acknowledgements(2)) Object.assign(message, { attempt: message.attempt.replace(/1$/, '0') })
      expect(counts(restored(first, 2, seed + 7).settle()), `seed ${seed}`).toEqual(exact())
    }
  })
})

describe('an aligned checkpoint with a time-out', () => {
  it('is a consistent cut whenever the time-out comes', () => {
    const persisted: number[] = []
    for (let seed = 1; seed <= 24; seed++) {
      const host = runInto(seed, { alignment: 'ALIGNED', alignedTimeoutMicros: [1, 50, 200, 1000, 5000, 1_000_000][seed % 6] as number }).settle()
      expect(host.acknowledgements(1), `seed ${seed}`).toHaveLength(5)
      persisted.push(persistedBytes(host, 1))
      expect(counts(restored(host, 1, seed + 100).settle()), `seed ${seed}`).toEqual(exact())
    }
    expect(persisted.some((bytes) => bytes > 0)).toBe(true)
    expect(persisted.some((bytes) => bytes === 0)).toBe(true)
  })
})

describe('a copy of the machines in the middle of an unaligned checkpoint', () => {
  it('goes on exactly like the original', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const host = runInto(seed, seed % 2 === 0 ? UNALIGNED : { alignment: 'ALIGNED', alignedTimeoutMicros: 100 })
      for (let i = 0; i < seed * 17; i++) if (!host.step()) host.fireTimer()
      const copy = cloneGraph(host)
      host.settle()
      expect(copy.settle().log).toEqual(host.log)
    }
  })
})
