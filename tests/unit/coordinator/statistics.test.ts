import { describe, expect, it } from 'vitest'
import { CheckpointStatistics, NO_METRICS, durationMillis } from '../../../workers/coordinator/statistics.ts'
import { StatsSummary } from '../../../workers/coordinator/stats-summary.ts'
import { vertexId } from '../../../workers/model/ids.ts'
import { millisBetween, toMillis } from '../../../workers/model/time.ts'

const V = vertexId('v')
const trigger = (statistics: CheckpointStatistics, id: number, finished: readonly number[] = []): void =>
  statistics.triggered(id, 'CHECKPOINT', id * 1000, [{ id: V, tasks: 2, finished }])

describe('statistics (behaviour 19.1)', () => {
  it('reproduces the percentiles of a real answer', () => {
    const summary = new StatsSummary()
    for (const value of [31, 117, 36]) summary.add(value)
    expect([summary.min, summary.max, summary.average]).toEqual([31, 117, 61])
    expect(summary.percentiles([0.5, 0.9, 0.95, 0.99, 0.999])).toEqual([36, 117, 117, 117, 117])
  })

  it('percentiles lie between neighbours where they must', () => {
    const summary = new StatsSummary()
    for (let value = 1; value <= 30; value++) summary.add(value)
    expect(summary.percentiles([0.95])[0]).toBeCloseTo(29.45)
  })

  it('minimum, average and maximum are over all values, the average rounded down; percentiles over the last 10 000', () => {
    const summary = new StatsSummary()
    for (const early of [-1, 1_000_003]) summary.add(early)
    for (let value = 1; value <= 10_000; value++) summary.add(value)
    expect([summary.count, summary.min, summary.max, summary.average]).toEqual([10_002, -1, 1_000_003, 5099])
    expect(summary.percentiles([0, 0.5, 1])).toEqual([1, 5000.5, 10_000])
    summary.add(20_000)
    expect(summary.percentiles([0, 1])).toEqual([2, 20_000])
  })

  it('history holds the newest 10, those in progress included', () => {
    const statistics = new CheckpointStatistics(10)
    for (let id = 1; id <= 12; id++) trigger(statistics, id)
    expect(statistics.history.map((stats) => stats.id)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
    expect(statistics.find(2)).toBeNull()
    statistics.completedCheckpoint(1, '/c/chk-1')
    expect([statistics.inProgress, statistics.completed]).toEqual([11, 1])
  })

  it('duration: latest ack for completed, failure time for failed, none without an ack', () => {
    const statistics = new CheckpointStatistics(10)
    for (const id of [1, 2, 3]) trigger(statistics, id)
    statistics.acknowledged(1, V, 0, NO_METRICS, 1500)
    statistics.completedCheckpoint(1, '/c/chk-1')
    statistics.failedCheckpoint(2, 'expired', 9000)
    expect([1, 2, 3].map((id) => durationMillis(statistics.find(id)!))).toEqual([0, 7, null])
  })

  it('a duration is the difference of the milliseconds that stand beside it, wherever in a millisecond they lie', () => {
    for (let micros = 0; micros < 3000; micros += 371) {
      expect(millisBetween(999, 999 + micros)).toBe(toMillis(999 + micros) - toMillis(999))
      expect(millisBetween(1000, 1000 + micros)).toBe(toMillis(1000 + micros) - 1)
    }
  })

  it('the summary covers completed ones only', () => {
    const statistics = new CheckpointStatistics(10)
    trigger(statistics, 1)
    statistics.failedCheckpoint(1, 'expired', 9000)
    expect(statistics.summary.duration.count).toBe(0)
  })

  it('a late acknowledgement fills in and is marked as aborted', () => {
    const statistics = new CheckpointStatistics(10)
    trigger(statistics, 1)
    statistics.failedCheckpoint(1, 'expired', 9000)
    statistics.acknowledged(1, V, 1, NO_METRICS, 9500)
    expect(statistics.find(1)?.vertices.get(V)?.subtasks.get(1)?.aborted).toBe(true)
  })

  it('finished tasks count as acknowledged at once, with zero sizes', () => {
    const statistics = new CheckpointStatistics(10)
    trigger(statistics, 1, [0])
    expect(statistics.find(1)?.vertices.get(V)?.subtasks.get(0)).toMatchObject({ finished: true, metrics: { stateBytes: 0 } })
  })

  it('a failure before there was a checkpoint raises the counts and makes no row', () => {
    const statistics = new CheckpointStatistics(10)
    statistics.failedPreFlight()
    expect([statistics.total, statistics.failed, statistics.history.length]).toEqual([1, 1, 0])
  })
})
