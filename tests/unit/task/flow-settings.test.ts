/** What can be set of the flow: buffer timeout, cost per record while the job runs, buffer debloating (behaviour 8.1, 8.3, 8.4). */
import { describe, expect, it } from 'vitest'
import type { TaskSettings } from '../../../workers/model/deployment.ts'
import { TestHost } from './test-host.ts'
import { deployments, operator } from './test-job.ts'

const WORDS = Array.from({ length: 40 }, (_, i) => `word-${i % 10}`)

function pipeline(settings: Partial<TaskSettings>, costMicros = 0, items: readonly string[] = WORDS): TestHost {
  return new TestHost(
    deployments(
      [
        { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items } })] },
        { name: 'sink', parallelism: 1, chain: [operator('sink', 'collect', { output: null, costMicros })] },
      ],
      [{ from: 'source', to: 'sink', ship: 'rebalance' }],
      settings,
    ),
    1,
  )
}

const sentBuffers = (host: TestHost): number => host.task('source').machine.report(host.now).outputs[0]?.sentBuffers ?? 0
const taken = (host: TestHost): number => host.task('sink').machine.report(host.now).recordsIn

describe('buffer timeout', () => {
  it('0: every record leaves by itself, while there is credit', () => {
    const host = pipeline({ bufferTimeoutMicros: 0, segmentBytes: 32_768 }, 0, ['a', 'b', 'c'])
    host.budget = 1
    host.start().settle()
    expect(taken(host)).toBe(3)
    expect(sentBuffers(host)).toBe(3)
  })

  it('-1: a buffer leaves only when it is full', () => {
    const host = pipeline({ bufferTimeoutMicros: -1, segmentBytes: 32_768 }).start().settle()
    expect(taken(host)).toBe(0)
    expect(sentBuffers(host)).toBe(0)
  })

  it('-1: a barrier takes an unfinished buffer along', () => {
    const host = pipeline({ bufferTimeoutMicros: -1, segmentBytes: 32_768 }).start().settle()
    host.trigger(1, 'source')
    expect(taken(host.settle())).toBe(WORDS.length)
  })
})

describe('the cost of a record', () => {
  it('changes while the job runs, from the next record on', () => {
    const host = pipeline({ segmentBytes: 64 }, 1000).start()
    while (host.now < 10_000) if (!host.step()) host.fireTimer()
    const before = taken(host)
    expect(before).toBeLessThanOrEqual(11)
    host.command('sink', { type: 'change-settings', change: { costs: { sink: 0 } } })
    host.drain()
    for (let i = 0; taken(host) < WORDS.length && i < 10; i++) {
      host.fireTimer()
      host.drain()
    }
    expect(taken(host)).toBe(WORDS.length)
    expect(host.now).toBeLessThan(13_000)
  })

  it('of an operator that is not named stays', () => {
    const host = pipeline({}, 1000).start()
    host.command('sink', { type: 'change-settings', change: { costs: { other: 0 } } })
    host.settle()
    expect(host.now).toBeGreaterThanOrEqual(WORDS.length * 1000)
  })

  it('shows as busy time here and back-pressure before: together they are all the time', () => {
    const host = pipeline({ segmentBytes: 32 }, 1000, [...WORDS, ...WORDS, ...WORDS]).start()
    while (host.now < 60_000) if (!host.step()) host.fireTimer()
    const source = host.task('source').machine.report(host.now)
    const sink = host.task('sink').machine.report(host.now)
    expect(sink.busyMicros).toBeGreaterThan(0.9 * host.now)
    expect(source.backpressuredMicros).toBeGreaterThan(0.9 * host.now)
    for (const report of [source, sink]) expect(report.busyMicros + report.idleMicros + report.backpressuredMicros).toBe(host.now)
    expect(source.outPoolUsage).toBeGreaterThan(0.9)
    expect(sink.inPoolUsage).toBeGreaterThan(0.9)
  })
})

describe('buffer debloating in a task', () => {
  it('tells its senders a smaller size when it is slow', () => {
    const debloat = { enabled: true, targetMicros: 10_000, periodMicros: 5000, samples: 2, thresholdPercent: 25 }
    const host = pipeline({ segmentBytes: 2048, debloat }, 1000, Array.from({ length: 400 }, (_, i) => `word-${i % 10}`)).start()
    while (host.now < 200_000) if (!host.step()) host.fireTimer()
    const bytes = host.task('sink').machine.report(host.now).inputs[0]?.bufferBytes ?? 0
    expect(bytes).toBeLessThan(2048)
    expect(bytes).toBeGreaterThanOrEqual(256)
  })
})
