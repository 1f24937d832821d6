/** A task that is blocked inside of a record, whose output exceeds pool and overdraft (behaviour 8.2, 8.4, FC-013): what goes on, and what does not. */
import { describe, expect, it } from 'vitest'
import { cloneGraph } from '../../../workers/base/clone.ts'
import type { CheckpointOptions } from '../../../workers/model/checkpoint.ts'
import type { TaskSettings } from '../../../workers/model/deployment.ts'
import type { Value } from '../../../workers/model/schema.ts'
import { OperatorBase } from '../../../workers/operators/operator-base.ts'
import type { Operator, ProcessingOperator } from '../../../workers/operators/operator.ts'
import type { HostedTask } from './test-host.ts'
import { ENVIRONMENT, TestHost } from './test-host.ts'
import { deployments, operator } from './test-job.ts'
import type { CollectSink } from './test-operators.ts'
import { createTestOperator } from './test-operators.ts'

const TIMES = 150
const UNALIGNED: Pick<CheckpointOptions, 'alignment'> = { alignment: 'UNALIGNED' }

/** Emits many on each occasion that an operator has, and notes what it is told. */
class Talkative extends OperatorBase implements ProcessingOperator {
  readonly told: string[] = []

  processElement(_input: number, value: Value, timestamp: number): void {
    this.told.push(`record ${String(value)}`)
    this.many(String(value), timestamp)
    this.ctx.setTimer(this.ctx.now())
  }

  override onTimer(): void {
    this.told.push('timer')
    this.ctx.emit('timer', 0)
  }

  override prepareSnapshotPreBarrier(checkpointId: number): void {
    this.many(`before barrier ${checkpointId}`, 0)
  }

  override snapshotState(checkpointId: number): void {
    this.told.push(`snapshot ${checkpointId}`)
  }

  override notifyCheckpointAborted(checkpointId: number): void {
    this.told.push(`aborted ${checkpointId}`)
  }

  override notifyCheckpointComplete(checkpointId: number): void {
    this.told.push(`complete ${checkpointId}`)
  }

  processWatermark(watermark: number): void {
    this.ctx.emitWatermark(watermark)
  }

  endInput(): void {}

  override finish(): void {
    this.many('end', 0)
  }

  private many(word: string, timestamp: number): void {
    for (let i = 0; i < TIMES; i++) this.ctx.emit(`${word} ${i}`, timestamp)
  }
}

const environment = {
  ...ENVIRONMENT,
  createOperator: (description: Parameters<typeof createTestOperator>[0]): Operator => (description.type === 'talkative' ? new Talkative() : createTestOperator(description)),
}

interface Options {
  readonly type?: 'repeat' | 'talkative'
  readonly items?: readonly string[]
  readonly bounded?: boolean
  readonly settings?: Partial<TaskSettings>
}

/** source → many → sink, one buffer a record. */
function hostOf({ type = 'repeat', items = ['a', 'b', 'c'], bounded = false, settings = {} }: Options = {}): TestHost {
  return new TestHost(
    deployments(
      [
        { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items, bounded } })] },
        { name: 'many', parallelism: 1, chain: [operator('many', type, { params: { times: TIMES } })] },
        { name: 'sink', parallelism: 1, chain: [operator('collect', 'collect', { output: null })] },
      ],
      [
        { from: 'source', to: 'many', ship: 'rebalance' },
        { from: 'many', to: 'sink', ship: 'rebalance' },
      ],
      { segmentBytes: 16, unalignedEnabled: true, ...settings },
      {},
    ),
    1,
    environment,
  )
}

function blocked(options: Options = {}): TestHost {
  const host = hostOf(options)
  host.task('sink').isPaused = true
  host.start().drain()
  expect(isBlocked(host)).toBe(true)
  return host
}

function goOn(host: TestHost): TestHost {
  host.task('sink').isPaused = false
  return host
}

const many = (host: TestHost): HostedTask => host.task('many')
const isBlocked = (host: TestHost): boolean => {
  const { machine } = many(host)
  const before = machine.report(host.now).hardBackpressuredMicros
  host.now += 1
  return machine.report(host.now).hardBackpressuredMicros > before
}
/** What the task keeps its operators in is nobody's business but a test's. */
function operatorOf<T extends Operator>(task: HostedTask, index = 0): T {
  const { parts } = task.machine as unknown as { parts: { chain: { nodes: { operator: T }[] } } }
  return parts.chain.nodes[index]?.operator as T
}
const rows = (host: TestHost): readonly Value[] => operatorOf<CollectSink>(host.task('sink')).rows
const told = (host: TestHost): readonly string[] => operatorOf<Talkative>(many(host)).told
const repeated = (...items: readonly string[]): string[] => items.flatMap((item) => new Array<string>(TIMES).fill(item))
const talked = (word: string): string[] => Array.from({ length: TIMES }, (_, i) => `${word} ${i}`)

describe('a task that is blocked inside of a record', () => {
  it('waits for its output, takes no other record, and goes on when buffers are back', () => {
    const host = blocked()
    const report = many(host).machine.report(host.now)
    expect(many(host).machine.waiting(host.now)).toEqual({ kind: 'outputUnavailable' })
    expect(report).toMatchObject({ recordsIn: 1, activity: 'backpressured', metrics: { isBackPressured: true } })
    expect(report.recordsOut).toBeLessThan(TIMES)
    goOn(host).settle()
    expect(rows(host)).toEqual(repeated('a', 'b', 'c'))
    expect(many(host).machine.report(host.now).recordsOut).toBe(3 * TIMES)
  })

  it('takes a priority barrier after the record, ahead of the next one, and counts the wait as its start delay', () => {
    const host = blocked()
    const { attempt } = many(host).machine.deployment
    const hasStarted = (): boolean => host.eventsOf('BarrierEmitted').some((event) => event.attempt === attempt)
    host.triggerWith(UNALIGNED, 1, 'source')
    host.drain()
    host.now += 5000
    host.drain()
    expect(host.eventsOf('BarrierEmitted')).toHaveLength(1)
    expect(hasStarted()).toBe(false)
    goOn(host)
    while (!hasStarted()) expect(host.step()).toBe(true)
    expect(many(host).machine.report(host.now)).toMatchObject({ recordsIn: 1, recordsOut: TIMES })
    host.settle()
    const acknowledged = host.acknowledgements(1)
    expect(acknowledged).toHaveLength(3)
    expect(acknowledged.find((each) => each.attempt === attempt)?.metrics.startDelayMicros).toBeGreaterThanOrEqual(5000)
    expect(rows(host)).toEqual(repeated('a', 'b', 'c'))
  })

  it('runs no mail: neither timer nor notice; all come after the record', () => {
    const host = blocked({ type: 'talkative' })
    host.fireTimer()
    host.drain()
    host.command('many', { type: 'notify-checkpoint-complete', checkpointId: 1 })
    host.command('many', { type: 'notify-checkpoint-aborted', checkpointId: 2, latestCompleted: null })
    host.drain()
    expect(told(host)).toEqual(['record a'])
    goOn(host).settle()
    expect(told(host).slice(0, 3).sort()).toEqual(['aborted 2', 'complete 1', 'record a'])
    expect(told(host)).toContain('timer')
    expect(rows(host).slice(0, TIMES)).toEqual(talked('a'))
  })

  it('is canceled at once', () => {
    const host = blocked()
    host.command('many', { type: 'cancel' })
    host.drain()
    expect(many(host).machine.state).toBe('CANCELED')
    expect(many(host).machine.waiting(host.now)).toEqual({ kind: 'ended' })
    const records = many(host).machine.report(host.now).recordsOut
    goOn(host).drain()
    expect(many(host).machine.report(host.now).recordsOut).toBe(records)
  })

  it('fails with a clear message where the record exceeds what may wait', () => {
    const host = hostOf({ items: ['x'.repeat(1024 * 1024)] })
    host.task('sink').isPaused = true
    host.start().drain()
    const failed = host.messages.find((message) => message.type === 'state' && message.state === 'FAILED')
    expect(failed).toMatchObject({ failure: { message: expect.stringContaining('64 MiB') as string } })
  })

  it('goes on where a copy of it goes on', () => {
    const host = blocked()
    const copy = cloneGraph(host)
    goOn(host).settle()
    expect(rows(copy).length).toBeLessThan(rows(host).length)
    goOn(copy).settle()
    expect(rows(copy)).toEqual(rows(host))
  })

  it('pays what is left of a cost after the wait', () => {
    const host = new TestHost(
      deployments(
        [
          { name: 'source', parallelism: 1, chain: [operator('list', 'list', { params: { items: ['a', 'b'] }, costMicros: 1000 }), operator('many', 'repeat', { params: { times: TIMES } })] },
          { name: 'sink', parallelism: 1, chain: [operator('collect', 'collect', { output: null })] },
        ],
        [{ from: 'source', to: 'sink', ship: 'forward' }],
        { segmentBytes: 16 },
      ),
    )
    host.task('sink').isPaused = true
    host.start().drain()
    host.now = 5000
    goOn(host).drain()
    expect(host.task('source').machine.waiting(host.now)).toEqual({ kind: 'busyUntil', at: 6000 })
    host.settle()
    expect(rows(host)).toEqual(repeated('a', 'b'))
  })
})

describe('where else an operator may emit more than there is room for', () => {
  it('before the barrier: it leaves behind all of that', () => {
    const host = hostOf({ type: 'talkative', items: [] }).start().drain()
    host.task('sink').isPaused = true
    host.triggerWith({ alignment: 'ALIGNED' }, 1, 'source')
    host.drain()
    expect(isBlocked(host)).toBe(true)
    expect(told(host)).not.toContain('snapshot 1')
    goOn(host).settle()
    expect(told(host)).toContain('snapshot 1')
    expect(rows(host).slice(-TIMES)).toEqual(talked('before barrier 1'))
    expect(host.acknowledgements(1)).toHaveLength(3)
  })

  it('at the end of data: it ends behind all of that', () => {
    const host = hostOf({ type: 'talkative', items: [], bounded: true, settings: { afterTasksFinish: false } })
    host.task('sink').isPaused = true
    host.start().drain()
    expect(isBlocked(host)).toBe(true)
    expect(host.eventsOf('EndOfDataReached').some((event) => event.vertex === many(host).machine.deployment.vertex)).toBe(false)
    goOn(host).settle()
    expect(rows(host)).toEqual(talked('end'))
    expect(host.tasks.map(({ machine }) => machine.state)).toEqual(['FINISHED', 'FINISHED', 'FINISHED'])
  })
})
