/** What a task measures for Flink's metrics (behaviour 8.4, 19.3). */
import { describe, expect, it } from 'vitest'
import type { TaskSettings } from '../../../workers/model/deployment.ts'
import type { TaskReport } from '../../../workers/model/report.ts'
import { TestHost } from './test-host.ts'
import { deployments, operator } from './test-job.ts'

const SECOND = 1_000_000
const WORDS = Array.from({ length: 40 }, (_, i) => `word-${i % 10}`)

function pipeline({ items = WORDS, times = 1, settings = {}, costMicros = 0 }: {
  readonly items?: readonly string[]; readonly times?: number; readonly settings?: Partial<TaskSettings>; readonly costMicros?: number
} = {}): TestHost {
  return new TestHost(
    deployments(
      [
        { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items } }), operator('repeat', 'repeat', { params: { times } })] },
        { name: 'sink', parallelism: 1, chain: [operator('collect', 'collect', { output: null, costMicros })] },
      ],
      [{ from: 'source', to: 'sink', ship: 'forward' }],
      { segmentBytes: 16, ...settings },
    ),
  )
}

const reportOf = (host: TestHost, name: string): TaskReport => host.task(name).machine.report(host.now)
const gaugesOf = (host: TestHost, name: string) => reportOf(host, name).metrics.gauges

/** The sink takes nothing: the source fills its output and waits. */
function stuck(host: TestHost): TestHost {
  host.task('sink').isPaused = true
  return host.start().drain()
}

describe('back-pressure', () => {
  it('is soft where the output is full between two records', () => {
    const host = stuck(pipeline())
    host.now = 3 * SECOND
    expect(reportOf(host, 'source')).toMatchObject({ backpressuredMicros: 3 * SECOND, hardBackpressuredMicros: 0, metrics: { isBackPressured: true } })
    expect(reportOf(host, 'source').outPoolUsage).toBe(1)
  })

  it('is soft where the output of one record has run into the overdraft: the task waits between two records all the same', () => {
    const host = stuck(pipeline({ items: ['x'], times: 25 }))
    host.now = 3 * SECOND
    const report = reportOf(host, 'source')
    expect(report).toMatchObject({ backpressuredMicros: 3 * SECOND, hardBackpressuredMicros: 0, metrics: { isBackPressured: true } })
    expect(report.outPoolUsage).toBeGreaterThan(1)
  })

  it('is hard while the task is blocked inside of a record, and soft once the rest of it has its buffers', () => {
    const host = stuck(pipeline({ items: ['x'], times: 100 }))
    host.now = 3 * SECOND
    expect(reportOf(host, 'source')).toMatchObject({ backpressuredMicros: 3 * SECOND, hardBackpressuredMicros: 3 * SECOND, metrics: { isBackPressured: true } })
    const sink = host.task('sink')
    for (let i = 0; i < 44; i++) {
      sink.isPaused = false
      while (!sink.inbox.isEmpty) sink.machine.handle(sink.inbox.popFront()!, host.now, sink)
      sink.machine.run(1, host.now, sink)
      sink.isPaused = true
      const source = host.task('source')
      while (!source.inbox.isEmpty) source.machine.handle(source.inbox.popFront()!, host.now, source)
    }
    host.now = 5 * SECOND
    expect(reportOf(host, 'source')).toMatchObject({ backpressuredMicros: 5 * SECOND, hardBackpressuredMicros: 3 * SECOND })
  })

  it('of a task whose output is free, or that has none, is not there', () => {
    const host = pipeline().start().settle()
    expect(reportOf(host, 'source').metrics.isBackPressured).toBe(false)
    expect(reportOf(host, 'sink').metrics.isBackPressured).toBe(false)
  })

  it('of a task that the host holds back counts as soft', () => {
    const host = pipeline().start().settle()
    const { machine } = host.task('source')
    machine.holdBack(true, host.now)
    expect(machine.report(host.now).metrics.isBackPressured).toBe(true)
  })
})

describe('gauges', () => {
  it('stand at 0 until the first five seconds are over, and move on every five seconds', () => {
    const host = stuck(pipeline())
    host.now = 5 * SECOND - 1
    expect(gaugesOf(host, 'source').softBackPressured).toBe(0)
    host.now = 5 * SECOND
    expect(gaugesOf(host, 'source').softBackPressured).toBe(1000)
    host.task('source').machine.holdBack(false, host.now)
    host.task('sink').isPaused = false
    host.drain()
    host.now = 10 * SECOND - 1
    expect(gaugesOf(host, 'source')).toMatchObject({ idle: 0, softBackPressured: 1000 })
    host.now = 10 * SECOND
    expect(gaugesOf(host, 'source')).toMatchObject({ idle: 500, softBackPressured: 500 })
  })

  it('are those of the last minute, also where nobody has looked for hours', () => {
    const host = stuck(pipeline())
    host.now = 60 * SECOND
    expect(gaugesOf(host, 'source').softBackPressured).toBe(1000)
    host.task('sink').isPaused = false
    host.drain()
    host.now += 7200 * SECOND
    expect(gaugesOf(host, 'source')).toMatchObject({ idle: 1000, softBackPressured: 0, hardBackPressured: 0, recordsOut: 0 })
  })

  it.each([
    ['hard', { items: ['x'], times: 100 }, { maxHardBackPressured: 10_000, maxSoftBackPressured: 0 }, { maxHardBackPressured: 12_000, maxSoftBackPressured: 0 }],
    ['soft', {}, { maxHardBackPressured: 0, maxSoftBackPressured: 10_000 }, { maxHardBackPressured: 0, maxSoftBackPressured: 12_000 }],
  ] as const)('tell the longest time without a break of the last step, %s; one that goes on counts from its beginning', (_kind, job, before, after) => {
    const host = stuck(pipeline(job))
    host.now = 7 * SECOND
    reportOf(host, 'source')
    host.now = 12 * SECOND
    expect(gaugesOf(host, 'source')).toMatchObject(before)
    host.task('sink').isPaused = false
    host.drain()
    host.now = 15 * SECOND
    expect(gaugesOf(host, 'source')).toMatchObject(after)
    host.now = 20 * SECOND
    expect(gaugesOf(host, 'source')).toMatchObject({ maxHardBackPressured: 0, maxSoftBackPressured: 0 })
  })

  it('of counters divide by a minute from the beginning, as Flink’s do', () => {
    const host = pipeline().start().drain()
    host.now = 10 * SECOND
    const { metrics, recordsIn, bytesIn } = reportOf(host, 'sink')
    expect(recordsIn).toBeGreaterThan(0)
    expect(metrics.gauges).toMatchObject({ recordsIn: recordsIn / 60, bytesIn: bytesIn / 60 })
    const source = reportOf(host, 'source')
    expect(source.metrics.gauges).toMatchObject({ recordsOut: source.recordsOut / 60, buffersOut: source.metrics.buffersOut / 60 })
  })

  it('count mails', () => {
    const host = pipeline().start().settle()
    host.trigger(1, 'source')
    host.drain()
    host.complete(1)
    host.drain()
    host.now += 10 * SECOND
    expect(gaugesOf(host, 'source').mails).toBe(2 / 60)
  })
})

describe('buffers', () => {
  it('of an input are exclusive ones, and floating ones once the sender has told a backlog', () => {
    const { metrics, inPoolUsage } = reportOf(stuck(pipeline()), 'sink')
    expect(inPoolUsage).toBe(2 / 10)
    expect(metrics.input).toMatchObject({ queuedBuffers: 2, exclusiveUsage: 1, floatingUsage: 0 })
    expect(metrics.input.queuedBytes).toBeGreaterThan(0)
    const slow = pipeline({ items: [...WORDS, ...WORDS, ...WORDS], costMicros: 1000 }).start()
    while (slow.now < 30_000) if (!slow.step()) slow.fireTimer()
    const sink = reportOf(slow, 'sink')
    expect(sink.metrics.input.floatingUsage).toBe(1)
    expect(sink.metrics.input.exclusiveUsage * 2 + 8).toBe(sink.inPoolUsage * 10)
  })

  it('tell what debloating announced last and how long they take to work through', () => {
    const debloat = { enabled: true, targetMicros: 10_000, periodMicros: 5000, samples: 2, thresholdPercent: 25 }
    const items = Array.from({ length: 400 }, (_, i) => `word-${i % 10}`)
    const host = pipeline({ items, settings: { segmentBytes: 2048, debloat }, costMicros: 1000 }).start()
    while (host.now < 200_000) if (!host.step()) host.fireTimer()
    const [gate] = reportOf(host, 'sink').metrics.debloat ?? []
    expect(gate?.bufferBytes).toBe(reportOf(host, 'sink').inputs[0]?.bufferBytes)
    expect(gate?.timeToConsumeMillis).toBeGreaterThan(0)
    expect(reportOf(host, 'source').metrics.debloat).toBeNull()
  })
})

describe('alignment', () => {
  it('is that in hand, then that of the last checkpoint; a source has none', () => {
    const host = new TestHost(
      deployments(
        [
          { name: 'left', parallelism: 1, chain: [operator('left', 'list', { params: { items: [] } })] },
          { name: 'right', parallelism: 1, chain: [operator('right', 'list', { params: { items: [] } })] },
          { name: 'sink', parallelism: 1, chain: [operator('collect', 'collect', { output: null })] },
        ],
        [{ from: 'left', to: 'sink', ship: 'forward' }, { from: 'right', to: 'sink', ship: 'forward' }],
      ),
    )
    host.start().drain()
    host.now = 100
    host.trigger(1, 'left')
    host.drain()
    host.now = 400
    expect(reportOf(host, 'sink').metrics.alignmentMicros).toBe(300)
    host.trigger(1, 'right')
    host.drain()
    host.now = 900
    expect(reportOf(host, 'sink').metrics).toMatchObject({ alignmentMicros: 300, startDelayMicros: 0 })
    expect(reportOf(host, 'left').metrics.alignmentMicros).toBeNull()
  })

  it('starts later where the barrier has come late', () => {
    const host = stuck(pipeline())
    host.trigger(1, 'source')
    host.drain()
    host.now = 2 * SECOND
    host.task('sink').isPaused = false
    host.drain()
    expect(reportOf(host, 'sink').metrics.startDelayMicros).toBe(2 * SECOND)
    expect(reportOf(host, 'source').metrics.startDelayMicros).toBe(0)
  })
})
