/** Unaligned checkpoints of a whole small job: overtaking, in-flight data kept and restored (behaviour 6.3 to 6.6, 11.4, 12.5). */
import { describe, expect, it } from 'vitest'
import { cloneGraph } from '../../../workers/base/clone.ts'
import type { CheckpointOptions } from '../../../workers/model/checkpoint.ts'
import { counts, exact, hostOf, persistedBytes, restored } from './word-count.ts'
import type { WordCountOptions } from './word-count.ts'
import type { TaskInput } from '../../../workers/task/task-io.ts'
import { TestHost } from './test-host.ts'
import { deployments, operator } from './test-job.ts'

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

describe('under back-pressure', () => {
  /** The sink takes nothing: every queue before it is full. */
  function stuck(mode: Mode): TestHost {
    const host = hostOf({}, 5)
    host.task('sink').isPaused = true
    host.start().drain()
    host.triggerWith(mode, 1, 'source')
    return host.drain()
  }

  it('a task whose outputs are full takes an unaligned barrier, but no aligned one', () => {
    const counter = (host: TestHost) => host.eventsOf('SyncSnapshotStarted').filter((event) => event.attempt.startsWith('count'))
    expect(stuck(UNALIGNED).task('count').machine.waiting(0).kind).toBe('outputUnavailable')
    expect(counter(stuck(UNALIGNED))).toHaveLength(2)
    expect(counter(stuck({ alignment: 'ALIGNED' }))).toHaveLength(0)
  })

  it('its barrier does not wait for what it overtakes to be encoded: that is done in slices behind it', () => {
    const host = hostOf({}, 5)
    host.task('sink').isPaused = true
    host.start().drain()
    host.triggerWith(UNALIGNED, 1, 'source')
    const source = host.task('source')
    while (!source.inbox.isEmpty) source.machine.handle(source.inbox.popFront() as TaskInput, host.now, source)
    expect(host.eventsOf('BarrierEmitted').filter(({ attempt }) => attempt === source.machine.deployment.attempt)).toHaveLength(1)
    const persisted = () => host.eventsOf('InFlightPersisted').length
    let slices = 0
    for (; source.machine.hasBackgroundWork; slices++) {
      expect(persisted()).toBe(0)
      source.machine.background(1, host.now, source)
    }
    expect(slices).toBeGreaterThan(2)
    expect(persisted()).toBe(1)
  })

  it('it is acknowledged by all but the task that does not work, with data of inputs and outputs', () => {
    const host = stuck(UNALIGNED)
    expect(host.acknowledgements(1)).toHaveLength(4)
    const persisted = host.eventsOf('InFlightPersisted')
    expect(persisted.some(({ inputBytes }) => inputBytes > 0)).toBe(true)
    expect(persisted.some(({ outputBytes }) => outputBytes > 0)).toBe(true)
  })

  it('the log says of each barrier sent on whether it overtakes, or until when it is aligned', () => {
    const manner = (mode: Mode) => stuck(mode).eventsOf('BarrierEmitted').map(({ channels, overtakes, timesOut }) => [channels.length > 0, overtakes?.length === channels.length, timesOut === undefined ? null : timesOut.until - timesOut.from])
    expect(manner({ alignment: 'ALIGNED' }).every(([some, overtakes, until]) => some && !overtakes && until === null)).toBe(true)
    expect(manner(UNALIGNED).every(([some, overtakes, until]) => some && overtakes && until === null)).toBe(true)
    const timed = manner({ alignment: 'ALIGNED', alignedTimeoutMicros: 700 })
    expect(timed.some(([, , until]) => until === 700)).toBe(true)
    expect(timed.every(([, overtakes]) => !overtakes)).toBe(true)
  })

  it('the time-out of an aligned one pulls the barriers forward that are stuck in outputs', () => {
    const host = stuck({ alignment: 'ALIGNED', alignedTimeoutMicros: 1000 })
    expect(host.acknowledgements(1).filter(({ attempt }) => attempt.startsWith('count'))).toHaveLength(0)
    for (let i = 0; i < 12; i++) {
      host.fireTimer()
      host.drain()
    }
    expect(host.acknowledgements(1)).toHaveLength(4)
    const pulled = host.eventsOf('BarrierPulledForward')
    expect(new Set(pulled.map(({ side }) => side))).toEqual(new Set(['output']))
    host.task('sink').isPaused = false
    host.settle()
    expect(host.acknowledgements(1)).toHaveLength(5)
    expect(counts(restored(host, 1, 9).settle())).toEqual(exact())
  })

  it('persisted bytes are 0 where nothing was in flight: it is shown as aligned', () => {
    const host = hostOf({}, 5).start().settle()
    host.triggerWith(UNALIGNED, 1, 'source')
    expect(persistedBytes(host.settle(), 1)).toBe(0)
    expect(host.acknowledgements(1)).toHaveLength(5)
  })
})

describe('edges that can never be unaligned', () => {
  const jobWith = (ships: readonly ['rebalance' | 'hash', 'forward' | 'broadcast' | 'rebalance']) =>
    new TestHost(
      deployments(
        [
          { name: 'left', parallelism: 1, chain: [operator('left', 'list', { params: { items: ['a', 'b'] } })] },
          { name: 'right', parallelism: 1, chain: [operator('right', 'list', { params: { items: ['c'] } })] },
          { name: 'both', parallelism: 1, chain: [operator('both', 'upper')] },
          { name: 'sink', parallelism: 1, chain: [operator('sink', 'collect', { output: null })] },
        ],
        [
          { from: 'left', to: 'both', ship: ships[0] },
          { from: 'right', to: 'both', ship: ships[1] },
          { from: 'both', to: 'sink', ship: 'rebalance' },
        ],
        { unalignedEnabled: true },
      ),
      3,
    )
      .start()
      .settle()

  for (const ship of ['forward', 'broadcast'] as const) {
    it(`one ${ship} edge makes every input edge of its node align; behind the node barriers overtake again`, () => {
      const host = jobWith(['rebalance', ship])
      host.triggerWith(UNALIGNED, 1, 'left', 'right')
      host.settle()
      const of = (type: 'ChannelBlocked' | 'UnalignedSnapshotStarted') => host.eventsOf(type).map(({ attempt }) => attempt.slice(0, 4))
      expect(of('ChannelBlocked')).toEqual(['both', 'both'])
      expect(of('UnalignedSnapshotStarted')).toEqual(['sink'])
      expect(host.acknowledgements(1)).toHaveLength(4)
    })
  }

  it('without such an edge nothing aligns', () => {
    const host = jobWith(['rebalance', 'rebalance'])
    host.triggerWith(UNALIGNED, 1, 'left', 'right')
    host.settle()
    expect(host.eventsOf('ChannelBlocked')).toHaveLength(0)
  })
})

describe('a task that has seen all of its records', () => {
  it('is never finished before those that feed it, although an unaligned checkpoint has passed the slow branch', () => {
    const items = Array.from({ length: 30 }, (_, i) => `w${i}`)
    const host = new TestHost(
      deployments(
        [
          { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items, bounded: true } })] },
          { name: 'fast', parallelism: 1, chain: [operator('fast', 'collect', { output: null })] },
          { name: 'slow', parallelism: 1, chain: [operator('slow', 'collect', { output: null, costMicros: 1000 })] },
        ],
        [
          { from: 'source', to: 'fast', ship: 'rebalance' },
          { from: 'source', to: 'slow', ship: 'rebalance' },
        ],
        { unalignedEnabled: true, segmentBytes: 64 },
      ),
      2,
    ).start()
    while (!host.messages.some((message) => message.type === 'end-of-data' && message.attempt.startsWith('fast'))) if (!host.step()) host.fireTimer()
    host.triggerWith(UNALIGNED, 1, 'source')
    while (host.acknowledgements(1).length < 3) if (!host.step()) host.fireTimer()
    expect(persistedBytes(host, 1)).toBeGreaterThan(0)
    host.complete(1)
    host.drain()
    expect(host.task('source').machine.state).toBe('RUNNING')
    expect(host.task('fast').machine.state).toBe('RUNNING')
    host.settle()
    host.triggerWith(UNALIGNED, 2, 'source', 'slow')
    host.settle()
    host.complete(2)
    host.settle()
    expect(host.tasks.map((task) => task.machine.state)).toEqual(['FINISHED', 'FINISHED', 'FINISHED'])
  })
})

describe('a task that has in-flight data to work on', () => {
  it('is INITIALIZING until it has, takes nothing new, and declines checkpoints as not ready', () => {
    const again = restored(runInto(4, UNALIGNED).settle(), 1, 11, SLOW)
    again.drain()
    const behind = again.tasks.filter((task) => task.machine.state === 'INITIALIZING')
    expect(behind.length).toBeGreaterThan(0)
    const [task] = behind
    task?.inbox.pushBack({
      type: 'command',
      command: { type: 'trigger-checkpoint', checkpointId: 2, timestamp: 0, options: { alignment: 'UNALIGNED', type: 'CHECKPOINT', location: '/cp/chk-2' } },
    })
    again.drain()
    expect(again.messages.filter((message) => message.type === 'decline')).toMatchObject([{ checkpointId: 2, reason: 'CHECKPOINT_DECLINED_TASK_NOT_READY' }])
    expect(counts(again.settle())).toEqual(exact())
    expect(again.tasks.every(({ machine }) => machine.state === 'RUNNING')).toBe(true)
  })
})

describe('an aligned checkpoint with a time-out', () => {
  it('is a consistent cut whenever the time-out comes', () => {
    const persisted: number[] = []
    const sides = new Set<string>()
    for (let seed = 1; seed <= 24; seed++) {
      const host = runInto(seed, { alignment: 'ALIGNED', alignedTimeoutMicros: [1, 50, 200, 1000, 5000, 1_000_000][seed % 6] as number }).settle()
      expect(host.acknowledgements(1), `seed ${seed}`).toHaveLength(5)
      persisted.push(persistedBytes(host, 1))
      for (const { side } of host.eventsOf('BarrierPulledForward')) sides.add(side)
      expect(counts(restored(host, 1, seed + 100).settle()), `seed ${seed}`).toEqual(exact())
    }
    expect(persisted.some((bytes) => bytes > 0)).toBe(true)
    expect(persisted.some((bytes) => bytes === 0)).toBe(true)
    expect(sides).toEqual(new Set(['input', 'output']))
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
