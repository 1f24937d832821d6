/** Buffer debloating measures each gate by itself (behaviour 8.3). One sample: the average follows at once. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { TaskDeployment } from '../../../workers/model/deployment.ts'
import type { BufferDebloatSettings } from '../../../workers/model/job-graph.ts'
import type { DataBuffer } from '../../../workers/model/wire.ts'
import { InputGates } from '../../../workers/network/input-gates.ts'
import { BufferDebloating, DEBLOAT_TIMER } from '../../../workers/task/buffer-debloating.ts'
import { TaskEffects } from '../../../workers/task/task-effects.ts'
import { TaskLanes } from './task-lanes.ts'

const SEGMENT = 32_768
const SETTINGS: BufferDebloatSettings = { enabled: true, targetMicros: 1_000_000, periodMicros: 200_000, samples: 1, thresholdPercent: 25 }

class Gates {
  readonly timers: [string, number][] = []
  readonly gates: InputGates
  readonly debloating: BufferDebloating
  readonly out: TaskLanes
  private readonly effects: TaskEffects

  /** `inputs`: by channel, its gate. */
  constructor(inputs: readonly number[]) {
    this.out = new TaskLanes({ inputs, settings: { segmentBytes: SEGMENT } })
    const deployment: TaskDeployment = this.out.machine.deployment
    this.effects = new TaskEffects(deployment)
    this.out.setTimer = (timer, at) => void this.timers.push([timer, at])
    this.effects.enter(0, this.out)
    this.gates = new InputGates(deployment.gates, SEGMENT, this.effects)
    this.gates.grantInitialCredits()
    this.debloating = new BufferDebloating(SETTINGS, SEGMENT, this.gates, this.effects)
    this.debloating.start()
  }

  /** A buffer of that length arrives and is taken; it stays in use. */
  take(channel: number, bytes: number, backlog = 0): void {
    const buffer: DataBuffer = { kind: 'buffer', sequence: 1, payload: new ArrayBuffer(0), count: 0, bytes, words: [], dictionaryEpoch: 1, watermarks: [], lineage: null, backlog, sentAt: 0 }
    this.gates.receive(channel, buffer)
    this.gates.channels[channel]?.poll()
  }

  measure(now: number, idle = 0): Record<number, number> {
    this.effects.enter(now, this.out)
    this.out.feedbacks.length = 0
    this.debloating.onTimer(idle)
    return Object.fromEntries(this.out.feedbacks.flatMap(({ channel, feedback }) => (feedback.kind === 'buffer-size' ? [[channel, feedback.bytes]] : [])))
  }
}

describe('buffer debloating of a task', () => {
  let gates: Gates
  beforeEach(() => {
    gates = new Gates([0, 0, 1])
  })

  it('measures every 200 ms, from when the task runs', () => {
    gates.measure(200_000)
    expect(gates.timers).toEqual([[DEBLOAT_TIMER, 200_000], [DEBLOAT_TIMER, 400_000]])
  })

  it('each gate has the size of its own throughput, told to each of its channels', () => {
    // 2,000 bytes in 0.2 s are 10,000 in the target time, by two buffers in use; nothing has come through the other gate.
    gates.take(0, 1000)
    gates.take(1, 1000)
    expect(gates.measure(200_000)).toEqual({ 0: 5000, 1: 5000, 2: 256 })
  })

  it('time in which the task was idle says nothing of how fast it is', () => {
    gates.take(0, 1000)
    expect(gates.measure(200_000, 100_000)[0]).toBe(10_000)
  })

  it('only what was idle since the last measurement is left out', () => {
    gates.take(0, 1000)
    gates.measure(200_000, 100_000)
    gates.take(0, 1000)
    expect(gates.measure(400_000, 100_000)[0]).toBe(2500)
  })

  it('buffers in use are those held and the backlog of the senders', () => {
    gates.take(0, 4000, 3)
    expect(gates.measure(200_000)[0]).toBe(5000)
  })

  it('a gate whose channels have ended is told nothing', () => {
    const [, , third] = gates.gates.channels
    if (third !== undefined) gates.gates.finish(third)
    expect(Object.keys(gates.measure(200_000))).toEqual(['0', '1'])
  })
})
