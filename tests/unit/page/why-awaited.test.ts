/** Why a subtask aligns: what is ahead of the barrier that it waits for, wherever that is. */
import { expect, it } from 'vitest'
import { whyWaiting } from '../../../src/inspector/why.ts'
import type { EventBody } from '../../../workers/model/events.ts'
import { emptyRunView, reduceRun } from '../../../workers/projections/run-view.ts'
import { at, channel, event, GRAPH, KEYED, report, SOURCE } from '../projections/fixture.ts'

const SENT: EventBody = { type: 'BarrierEmitted', checkpointId: 1, channels: [channel(0, 0, 0)], ...at(SOURCE, 0) }
const position = { checkpointId: 1, buffersBefore: 9, recordsBefore: 90, hasLeft: false, overtakes: false }
const output = { channel: channel(0, 0, 0), buffers: 4, records: 40, bytes: 400, credits: 0, stopped: false, sentRecords: 60, sentBuffers: 6, barriers: [position] }
const input = { channel: channel(0, 0, 0), blocked: false, buffers: 1, records: 8, bytes: 80, receivedBuffers: 5, receivedRecords: 50, barrier: null }

function causes(...emitted: readonly EventBody[]): readonly string[] {
  const bodies: readonly EventBody[] = [
    { type: 'CheckpointTriggered', checkpointId: 1, periodic: true, tasks: 5 },
    ...emitted,
    { type: 'BarrierArrived', checkpointId: 1, channel: channel(0, 1, 0), arrived: 1, expected: 2, ...at(KEYED, 0) },
  ]
  const reports = [report(SOURCE, 0, { outputs: [output] }), report(KEYED, 0, { inputs: [input] })]
  return whyWaiting(reduceRun(emptyRunView(GRAPH), bodies.map((body) => event(5, body)), reports), KEYED, 0, 10).map(({ text }) => text)
}

it('counts what is in the input, on the way and at the sender before it', () => {
  expect(causes(SENT)).toContain('48 records, 5 buffers ahead of it, and it is still at its sender')
})

it('says when the sender waits itself', () => {
  expect(causes()).toContain('Its sender has not sent it yet')
})
