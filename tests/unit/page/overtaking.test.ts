/** What the picture shows of unaligned barriers: who goes past whom, and which records are in flight and persisted. */
import { describe, expect, it } from 'vitest'
import { sceneOf } from '../../../src/canvas/overlay-scene-of.ts'
import { layWorld } from '../../../src/canvas/world-layout.ts'
import type { EngineEvent, EventBody } from '../../../workers/model/events.ts'
import type { TraceEvent } from '../../../workers/model/trace.ts'
import type { Token } from '../../../workers/overlay/channel-tokens.ts'
import { leapHeight } from '../../../workers/overlay/painter.ts'
import { TokenWorld } from '../../../workers/overlay/token-world.ts'
import { at, attempt, channel, event, GRAPH, KEYED, SOURCE } from '../projections/fixture.ts'

const ONE = channel(0, 0, 0)
const OTHER = channel(0, 1, 0)
const SENDER = at(SOURCE, 0)
const RECEIVER = at(KEYED, 0)

type Step = EngineEvent | TraceEvent

const queued = (time: number, offset: number): TraceEvent => ({ type: 'queued', at: time, channel: ONE, record: { partition: 0, offset, branch: 0, replayed: false, label: 'ATL', checkpoint: 1 } })
const sent = (time: number, sequence: number, records: number): TraceEvent => ({ type: 'sent', at: time, channel: ONE, sequence, records })
const received = (time: number, sequence: number): TraceEvent => ({ type: 'received', at: time, channel: ONE, sequence })
const barrier = (time: number, step: 'queued' | 'sent' | 'received' | 'taken', on = ONE): TraceEvent => ({ type: 'barrier', at: time, channel: on, checkpointId: 4, step })
const happened = (time: number, body: EventBody): EngineEvent => event(time, body)
const emitted = (time: number, more: object): EngineEvent => happened(time, { type: 'BarrierEmitted', checkpointId: 4, channels: [ONE], ...more, ...SENDER })
const arrived = (time: number, arrivedSoFar = 1): EngineEvent => happened(time, { type: 'BarrierArrived', checkpointId: 4, channel: ONE, arrived: arrivedSoFar, expected: 2, ...RECEIVER })
const started = (time: number): EngineEvent => happened(time, { type: 'UnalignedSnapshotStarted', checkpointId: 4, ...RECEIVER })
const aligned = (time: number): EngineEvent => happened(time, { type: 'AlignmentCompleted', checkpointId: 4, alignmentMicros: 1, ...RECEIVER })

function world(...steps: readonly Step[]): TokenWorld {
  const tokens = new TokenWorld()
  tokens.setScene(sceneOf(layWorld(GRAPH), {}, 20))
  for (const step of steps) {
    if ('body' in step) tokens.add([step], [], [])
    else tokens.add([], [step], [])
  }
  tokens.advance(Infinity)
  return tokens
}

/** One letter a token, head first: b barrier, B one that overtakes, r record, P one that is persisted. */
const word = (tokens: readonly Token[]): string => tokens.map((token) => (token.kind === 'barrier' ? (token.overtakes ? 'B' : 'b') : token.persisted === null ? 'r' : 'P')).join('')
function lane(tokens: TokenWorld, id = ONE): string {
  const found = tokens.channels.get(id)
  if (found === undefined) throw new Error('no such channel')
  return `${word(found.output)}|${word(found.wire.flatMap((travelling) => travelling.tokens))}|${word(found.input)}`
}

describe('in the output queue', () => {
  it('an aligned barrier waits behind the records before it, and none of them is persisted', () => {
    expect(lane(world(queued(1, 1), queued(2, 2), barrier(3, 'queued'), emitted(3, {}), queued(4, 3)))).toBe('rrbr||')
  })

  it('an unaligned barrier goes past them, and what it passes is persisted; what comes after it is not', () => {
    expect(lane(world(queued(1, 1), queued(2, 2), barrier(3, 'queued'), emitted(3, { overtakes: [ONE] }), queued(4, 3)))).toBe('BPPr||')
    // The log may come before the trace.
    expect(lane(world(queued(1, 1), queued(2, 2), emitted(3, { overtakes: [ONE] }), barrier(3, 'queued'), barrier(3, 'sent'), queued(4, 3)))).toBe('PPr|B|')
  })

  it('a barrier that has left at once has passed what stood there', () => {
    expect(lane(world(queued(1, 1), barrier(3, 'queued'), barrier(3, 'sent'), emitted(3, { overtakes: [ONE] })))).toBe('P|B|')
  })

  it('a barrier with a time-out shows it until it is pulled forward', () => {
    const steps = [queued(1, 1), barrier(3, 'queued'), emitted(3, { timesOut: { from: 2, until: 9, channels: [ONE] } })]
    expect(world(...steps).channels.get(ONE)?.output[1]).toMatchObject({ overtakes: false, timeOut: { from: 2, until: 9 } })
    const pulled = world(...steps, happened(9, { type: 'BarrierPulledForward', checkpointId: 4, channel: ONE, side: 'output', ...SENDER }))
    expect(lane(pulled)).toBe('BP||')
    expect(pulled.channels.get(ONE)?.output[0]).toMatchObject({ timeOut: null })
  })
})

const JOURNEY: readonly Step[] = [queued(1, 1), queued(2, 2), sent(3, 1, 2), received(4, 1), queued(5, 3), barrier(6, 'queued')]

describe('in the input queue', () => {
  it('an unaligned barrier comes in ahead of the records, which are persisted', () => {
    const steps = [...JOURNEY, emitted(6, { overtakes: [ONE] }), barrier(7, 'sent'), barrier(8, 'received'), arrived(8), started(8)]
    expect(lane(world(...steps))).toBe('P||BPP')
    expect(lane(world(...steps, aligned(9)))).toBe('P||PP')
  })

  it('what comes in until the barrier of its channel is there is persisted, what comes after is not', () => {
    const steps = [...JOURNEY.slice(0, 4), started(5), queued(6, 3), sent(6, 2, 1), received(7, 2)]
    expect(lane(world(...steps))).toBe('||PPP')
    expect(lane(world(...steps, arrived(8, 2), queued(9, 4), sent(9, 3, 1), received(10, 3)))).toBe('||bPPPr')
  })

  it('records behind a barrier that was aligned with before the time-out are not persisted', () => {
    const steps = [barrier(1, 'queued'), barrier(2, 'sent'), barrier(3, 'received'), arrived(3), queued(4, 1), sent(4, 1, 1), received(5, 1), started(6)]
    expect(lane(world(...steps))).toBe('||br')
  })

  it('a barrier pulled forward at the receiver passes what stands before it', () => {
    const steps = [...JOURNEY.slice(0, 4), barrier(5, 'queued'), barrier(5, 'sent'), barrier(6, 'received')]
    expect(lane(world(...steps))).toBe('||rrb')
    expect(lane(world(...steps, happened(7, { type: 'BarrierPulledForward', checkpointId: 4, channel: ONE, side: 'input', ...RECEIVER })))).toBe('||BPP')
  })

  it('a record that is taken into work stays marked; a failed checkpoint holds nothing', () => {
    const steps = [...JOURNEY.slice(0, 4), started(5), { type: 'taken', at: 6, channel: ONE, attempt: attempt(KEYED, 0), until: 9 } as const]
    expect(world(...steps).chambers.get(`${KEYED}_0`)?.token.persisted).toBe(4)
    expect(lane(world(...steps, happened(7, { type: 'CheckpointAborted', checkpointId: 4, reason: 'CHECKPOINT_EXPIRED', message: '' }), queued(8, 3), sent(8, 2, 1), received(9, 2)))).toBe('||rr')
  })

  it('the other channel is not touched', () => {
    expect(lane(world(...JOURNEY, emitted(6, { overtakes: [ONE] })), OTHER)).toBe('||')
  })
})

describe('the leap', () => {
  it('is an arc: on its way at both ends, above it between them', () => {
    const height = (s: number): number => leapHeight({ s, leapFrom: 10, leapTo: 70 })
    expect([height(10), height(70)]).toEqual([0, 0])
    expect(height(40)).toBe(20)
    expect(height(25)).toBeLessThan(height(40))
    expect(leapHeight({ s: 40, leapFrom: null, leapTo: 70 })).toBe(0)
  })
})

it('a savepoint has a flag of its own', () => {
  expect(world(happened(1, { type: 'CheckpointTriggered', checkpointId: 4, periodic: false, tasks: 5, savepoint: true })).savepoints).toEqual([4])
  expect(world(happened(1, { type: 'CheckpointTriggered', checkpointId: 4, periodic: false, tasks: 5 })).savepoints).toEqual([])
})
