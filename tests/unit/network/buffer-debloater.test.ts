/** The size of new buffers, by throughput and buffers in use (behaviour 8.3). */
import { describe, expect, it } from 'vitest'
import type { BufferDebloatSettings } from '../../../workers/model/job-graph.ts'
import { BUFFER_BYTES_MIN, BufferDebloater } from '../../../workers/network/buffer-debloater.ts'
import { ChannelPair } from './channel-pair.ts'

const SETTINGS: BufferDebloatSettings = { enabled: true, targetMicros: 1_000_000, periodMicros: 200_000, samples: 20, thresholdPercent: 25 }
const SEGMENT = 32 * 1024

const repeat = (debloater: BufferDebloater, throughput: number, buffers: number, times: number): number[] =>
  Array.from({ length: times }, () => debloater.recalculate(throughput, buffers)).filter((size) => size !== null)

describe('buffer debloating', () => {
  it('shrinks buffers until what is in flight takes the target time', () => {
    const debloater = new BufferDebloater(SETTINGS, SEGMENT)
    repeat(debloater, 10_000, 10, 200)
    // 10,000 bytes in one second over 10 buffers.
    expect(debloater.bufferBytes).toBeGreaterThanOrEqual(1000)
    expect(debloater.bufferBytes).toBeLessThan(1400)
  })

  it('goes there by a moving average with weight 2 / (samples + 1)', () => {
    const debloater = new BufferDebloater({ ...SETTINGS, thresholdPercent: 0 }, SEGMENT)
    const wanted = 1000
    expect(debloater.recalculate(10_000, 10)).toBe(Math.trunc(SEGMENT + (2 / 21) * (wanted - SEGMENT)))
  })

  it('announces a size only when it differs by the threshold from the last one', () => {
    const sizes = repeat(new BufferDebloater(SETTINGS, SEGMENT), 10_000, 10, 200)
    expect(sizes.length).toBeGreaterThan(2)
    sizes.reduce((last, size) => {
      expect(Math.abs(size - last)).toBeGreaterThanOrEqual(Math.trunc(last * 0.25))
      return size
    }, SEGMENT)
  })

  it('never goes below the minimum or above the segment size, and tells when it reaches them', () => {
    const debloater = new BufferDebloater(SETTINGS, SEGMENT)
    expect(repeat(debloater, 0, 100, 300).at(-1)).toBe(BUFFER_BYTES_MIN)
    expect(repeat(debloater, 1e12, 1, 300).at(-1)).toBe(SEGMENT)
  })

  it('at most doubles what it is heading for in one step', () => {
    const debloater = new BufferDebloater({ ...SETTINGS, samples: 1, thresholdPercent: 0 }, SEGMENT)
    repeat(debloater, 0, 1, 50)
    expect(debloater.recalculate(1e12, 1)).toBe(2 * BUFFER_BYTES_MIN)
  })
})

describe('a sender that was told a buffer size', () => {
  it('fills new buffers up to it, and never beyond the segment size', () => {
    const pair = new ChannelPair({ segmentBytes: 300 })
    const [subpartition] = pair.partition.subpartitions
    pair.gates.grantInitialCredits()
    pair.deliver()
    subpartition?.onFeedback({ kind: 'buffer-size', bytes: 40 })
    for (let i = 0; i < 12; i++) pair.partition.emit(i, i)
    pair.deliver()
    const [first] = pair.buffersSent
    expect(first?.bytes).toBeGreaterThanOrEqual(40)
    expect(first?.bytes).toBeLessThan(70)
    subpartition?.onFeedback({ kind: 'buffer-size', bytes: 100_000 })
    expect(subpartition?.builder.segmentBytes).toBe(300)
  })
})
