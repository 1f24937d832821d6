/** Records that lead to very much output: whatever the size of the buffers and the pool, whoever waits for whom, each receiver gets the same in the same order. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ship } from '../../../workers/model/job-document.ts'
import type { Value } from '../../../workers/model/schema.ts'
import { OperatorBase } from '../../../workers/operators/operator-base.ts'
import type { Operator, ProcessingOperator } from '../../../workers/operators/operator.ts'
import { deployments, operator } from '../../unit/task/test-job.ts'
import { ENVIRONMENT, TestHost } from '../../unit/task/test-host.ts'
import { CollectSink, createTestOperator } from '../../unit/task/test-operators.ts'

/** From each record as many as it says, of few words and of many; a watermark among them. */
class Burst extends OperatorBase implements ProcessingOperator {
  processElement(_input: number, value: Value, timestamp: number): void {
    const [name, times] = String(value).split(':')
    for (let i = 0; i < Number(times); i++) {
      this.ctx.emit(i % 2 === 0 ? `w${i % 7}` : `${name}-${i}`, timestamp)
      if (i % 50 === 49) this.ctx.emitWatermark(timestamp * 1000 + i)
    }
  }

  processWatermark(): void {}

  endInput(): void {}
}

const environment = {
  ...ENVIRONMENT,
  createOperator: (description: Parameters<typeof createTestOperator>[0]): Operator => (description.type === 'burst' ? new Burst() : createTestOperator(description)),
}

interface Job {
  readonly bursts: readonly number[]
  readonly sinks: number
  readonly ship: Ship
  /** Sinks of another edge; 0: there is none. */
  readonly others: number
  readonly chained: boolean
}

interface Way {
  readonly segmentBytes: number
  readonly budget: number
  readonly seed: number
  readonly timeout: number
  readonly traced: boolean
  /** After so many steps the trace is switched. */
  readonly switchAt: number
  readonly unalignedAt: number
  readonly sinkCost: number
}

const job: fc.Arbitrary<Job> = fc.record({
  bursts: fc.array(fc.constantFrom(0, 1, 30, 200, 900), { minLength: 1, maxLength: 3 }),
  sinks: fc.integer({ min: 1, max: 4 }),
  ship: fc.constantFrom<Ship>('rebalance', 'hash', 'broadcast'),
  others: fc.integer({ min: 0, max: 2 }),
  chained: fc.boolean(),
})

const way: fc.Arbitrary<Way> = fc.record({
  segmentBytes: fc.constantFrom(16, 40, 256, 2000),
  budget: fc.constantFrom(1, 7, 100),
  seed: fc.nat(),
  timeout: fc.constantFrom(0, 100_000),
  traced: fc.boolean(),
  switchAt: fc.integer({ min: 0, max: 300 }),
  unalignedAt: fc.integer({ min: 0, max: 300 }),
  sinkCost: fc.constantFrom(0, 10),
})

const WIDE: Way = { segmentBytes: 1_000_000, budget: 100, seed: 1, timeout: 100_000, traced: false, switchAt: 0, unalignedAt: 0, sinkCost: 0 }

interface Outcome {
  readonly rows: readonly (readonly Value[])[]
  readonly wasBlocked: boolean
}

function run({ bursts, sinks, ship, others, chained }: Job, { segmentBytes, budget, seed, timeout, traced, switchAt, unalignedAt, sinkCost }: Way): Outcome {
  const list = operator('list', 'list', { params: { items: bursts.map((times, i) => `r${i}:${times}`) } })
  const burst = operator('burst', 'burst')
  const host = new TestHost(
    deployments(
      [
        { name: 'source', parallelism: 1, chain: chained ? [list, burst] : [list] },
        ...(chained ? [] : [{ name: 'burst', parallelism: 1, chain: [burst] }]),
        { name: 'sink', parallelism: sinks, chain: [operator('collect', 'collect', { output: null, costMicros: sinkCost, keyFields: [ship === 'hash' ? ['value'] : null] })] },
        ...(others === 0 ? [] : [{ name: 'other', parallelism: others, chain: [operator('other', 'collect', { output: null })] }]),
      ],
      [
        ...(chained ? [] : [{ from: 'source', to: 'burst', ship: 'forward' as const }]),
        { from: chained ? 'source' : 'burst', to: 'sink', ship },
        ...(others === 0 ? [] : [{ from: chained ? 'source' : 'burst', to: 'other', ship: 'rebalance' as const }]),
      ],
      { segmentBytes, bufferTimeoutMicros: timeout, unalignedEnabled: true },
      { traced },
    ),
    seed,
    environment,
  )
  host.budget = budget
  host.start()
  for (let step = 0; step < 300; step++) {
    if (step === switchAt) for (const { machine } of host.tasks) host.command(machine.deployment.name, { type: 'set-traced', traced: !traced }, machine.deployment.subtask)
    if (step === unalignedAt) host.triggerWith({ alignment: 'UNALIGNED' }, 1, 'source')
    if (!host.step()) host.fireTimer()
  }
  host.settle(1_000_000)
  const rows = host.tasks.flatMap(({ machine }) => {
    const { parts } = machine as unknown as { parts: { chain: { head: { operator: Operator } } } }
    const head = parts.chain.head.operator
    return head instanceof CollectSink ? [head.rows] : []
  })
  const sender = host.task(chained ? 'source' : 'burst').machine
  expect(sender.report(host.now).recordsOut).toBe(bursts.reduce((sum, times) => sum + times, 0) * (others === 0 ? 1 : 2))
  // One acknowledgement of each task: nothing has stopped a barrier for good.
  expect(host.acknowledgements(1)).toHaveLength(host.tasks.length)
  return { rows, wasBlocked: host.now > 0 && sender.report(host.now).hardBackpressuredMicros > 0 }
}

test('a record with very much output gives the same whatever the buffers', () => {
  let blocked = 0
  fc.assert(
    fc.property(job, way, (jobOf, wayOf) => {
      const outcome = run(jobOf, wayOf)
      if (outcome.wasBlocked) blocked++
      expect(outcome.rows).toEqual(run(jobOf, WIDE).rows)
    }),
    { numRuns: 60, seed: 20 },
  )
  expect(blocked).toBeGreaterThan(3)
}, 120_000)
