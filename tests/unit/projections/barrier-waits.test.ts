/** What stands before and behind a barrier, wherever it is: figures of the tasks' own reports, of a sender and a receiver whose clocks a test sets. */
import { describe, expect, it } from 'vitest'
import { asUnaligned } from '../../../workers/model/alignment.ts'
import type { EventBody } from '../../../workers/model/events.ts'
import type { CheckpointBarrier } from '../../../workers/model/wire.ts'
import { barrierWaits } from '../../../workers/projections/barrier-waits.ts'
import type { BarrierWait } from '../../../workers/projections/barrier-waits.ts'
import { findCheckpoint } from '../../../workers/projections/checkpoint-view.ts'
import { emptyRunView, reduceRun } from '../../../workers/projections/run-view.ts'
import { alignedBarrier, ChannelPair } from '../network/channel-pair.ts'
import { at, channel, event, GRAPH, KEYED, report, SOURCE } from './fixture.ts'

const ID = channel(0, 0, 0)
const sender = (pair: ChannelPair) => pair.partition.subpartitions[0] as ChannelPair['partition']['subpartitions'][number]
const receiver = (pair: ChannelPair) => pair.gates.channels[0] as ChannelPair['gates']['channels'][number]
const timeoutable = (): CheckpointBarrier => ({ ...alignedBarrier(1), options: { ...alignedBarrier(1).options, alignedTimeoutMicros: 10 } })

/** From the first byte of a buffer, which has two records, to its last. */
const BUFFER = 34_000

/** Ten records and the barrier, and two more behind it. */
function written(barrier: CheckpointBarrier, bytesPerSecond?: number): ChannelPair {
  const pair = new ChannelPair(bytesPerSecond === undefined ? {} : { bytesPerSecond })
  for (let i = 0; i < 10; i++) pair.partition.emit(i, i)
  pair.partition.broadcastEvent(barrier)
  pair.partition.emit(10, 10)
  pair.partition.emit(11, 11)
  return pair
}

/** The channel as the page sees it now. */
function seen(pair: ChannelPair, ...more: readonly EventBody[]): BarrierWait | undefined {
  const bodies: readonly EventBody[] = [
    { type: 'CheckpointTriggered', checkpointId: 1, periodic: true, tasks: 5 },
    { type: 'BarrierEmitted', checkpointId: 1, channels: [ID], ...at(SOURCE, 0) },
    ...more,
  ]
  const reports = [report(SOURCE, 0, { outputs: [sender(pair).report()] }), report(KEYED, 0, { inputs: [receiver(pair).report()] })]
  const run = reduceRun(emptyRunView(GRAPH), bodies.map((body) => event(5, body)), reports)
  const record = findCheckpoint(run.checkpoints, 1)
  const [waits] = record === undefined ? [] : barrierWaits(record, run.channels, GRAPH)
  return [...(waits?.awaited ?? []), ...(waits?.arrived ?? [])].find((wait) => wait.channel === ID)
}

/** All credits that the receiver has to give. */
function grant(pair: ChannelPair): void {
  pair.gates.grantInitialCredits()
  for (const { output, feedback } of pair.feedbacks.splice(0)) pair.partition.subpartitions[output]?.onFeedback(feedback)
}

const amount = (buffers: number): object => ({ buffers, records: buffers * 2 })

describe('before and behind an aligned barrier', () => {
  it('in the output queue of its sender', () => {
    const pair = written(alignedBarrier(1))
    expect(seen(pair)).toMatchObject({ state: 'awaited', place: 'output', ahead: amount(5), behind: amount(1) })
    grant(pair)
    // Two have left, and two of those that are before it are on their way.
    expect(seen(pair)).toMatchObject({ place: 'output', ahead: amount(5), behind: amount(1) })
  })

  it('also while a part of a buffer is on the link', () => {
    const pair = written(alignedBarrier(1), 1000)
    grant(pair)
    expect(seen(pair)).toMatchObject({ place: 'output', ahead: amount(5), behind: amount(1) })
    pair.until(BUFFER)
    expect(receiver(pair).held).toBe(1)
    expect(seen(pair)).toMatchObject({ place: 'output', ahead: amount(5), behind: amount(1) })
    pair.take()
    expect(seen(pair)).toMatchObject({ place: 'output', ahead: amount(4), behind: amount(1) })
  })

  it('on its way', () => {
    const pair = written(alignedBarrier(1))
    sender(pair).onFeedback({ kind: 'credit', credits: 10, recycled: [] })
    expect(seen(pair)).toMatchObject({ place: 'link', ahead: amount(5), behind: amount(1) })
  })

  it('in the input queue, as what is before it is read', () => {
    const pair = written(alignedBarrier(1))
    pair.gates.grantInitialCredits()
    pair.deliver()
    expect(seen(pair)).toMatchObject({ place: 'input', ahead: amount(5), behind: amount(1) })
    pair.take()
    pair.take()
    expect(seen(pair)).toMatchObject({ place: 'input', ahead: amount(3), behind: amount(1) })
  })

  it('announced, because it may time out: as any other in the queue', () => {
    const pair = written(timeoutable())
    pair.gates.grantInitialCredits()
    pair.deliver()
    expect(pair.gates.takePriority().isAnnouncement).toBe(true)
    expect(seen(pair)).toMatchObject({ place: 'input', ahead: amount(5), behind: amount(1) })
  })

  it('taken: all that there is stands behind it', () => {
    const pair = written(alignedBarrier(1))
    pair.gates.grantInitialCredits()
    pair.deliver()
    while (pair.take() !== 'barrier') continue
    const arrived: EventBody = { type: 'BarrierArrived', checkpointId: 1, channel: ID, arrived: 1, expected: 2, ...at(KEYED, 0) }
    expect(seen(pair, arrived)).toMatchObject({ state: 'arrived', place: 'taken', ahead: amount(0), behind: amount(1) })
  })
})

describe('before and behind a barrier that overtakes', () => {
  it('behind it is what it has overtaken at the sender; before it what is on the link', () => {
    const pair = new ChannelPair({ bytesPerSecond: 1000 })
    grant(pair)
    for (let i = 0; i < 10; i++) pair.partition.emit(i, i)
    sender(pair).addPriorityBarrier(asUnaligned(alignedBarrier(1)))
    expect(seen(pair)).toMatchObject({ place: 'output', ahead: amount(1), behind: amount(4) })
    pair.until(BUFFER)
    // It has overtaken what the receiver has not read, too.
    expect(seen(pair)).toMatchObject({ place: 'link', ahead: amount(0), behind: amount(5) })
  })

  it('pulled forward at its sender, when its time is over', () => {
    const pair = written(timeoutable(), 1000)
    grant(pair)
    expect(seen(pair)).toMatchObject({ place: 'output', ahead: amount(5), behind: amount(1) })
    sender(pair).timeOutBarrier(1)
    expect(seen(pair)).toMatchObject({ place: 'output', ahead: amount(1), behind: amount(5) })
  })
})

it('what nobody has reported of yet is not made up', () => {
  const run = reduceRun(
    emptyRunView(GRAPH),
    [event(0, { type: 'CheckpointTriggered', checkpointId: 1, periodic: true, tasks: 5 }), event(1, { type: 'BarrierEmitted', checkpointId: 1, channels: [ID], ...at(SOURCE, 0) })],
    [],
  )
  const record = findCheckpoint(run.checkpoints, 1)
  const [waits] = record === undefined ? [] : barrierWaits(record, run.channels, GRAPH)
  expect(waits?.awaited[0]).toMatchObject({ channel: ID, place: 'sent', ahead: null, behind: null })
})
