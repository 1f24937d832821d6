/** Small operators for task tests: a replayable list, a count per key, a running sum over two inputs, a collecting sink, and misbehaving ones. */
import type { OperatorDescription } from '../../../workers/model/job-graph.ts'
import { bare } from '../../../workers/model/schema.ts'
import type { Value } from '../../../workers/model/schema.ts'
import { MIN_WATERMARK } from '../../../workers/model/time.ts'
import { OperatorBase } from '../../../workers/operators/operator-base.ts'
import type { Operator, OperatorContext, ProcessingOperator, SourceOperator, SourceStatus } from '../../../workers/operators/operator.ts'
import type { OperatorListState, ValueState } from '../../../workers/state/backend.ts'

export function createTestOperator(description: OperatorDescription): Operator {
  switch (description.type) {
    case 'list':
      return new ListSource(description.params['items'] as readonly Value[], description.params['bounded'] === true)
    case 'count':
      return new CountOperator()
    case 'upper':
      return new UpperOperator()
    case 'repeat':
      return new RepeatOperator(description.params['times'] as number)
    case 'collect':
      return new CollectSink()
    case 'pre-commit':
      return new PreCommitSink()
    case 'fails-in-snapshot':
      return new FailsInSnapshot(description.params['when'] as string)
    case 'failing':
      return new FailingOperator(description.params['at'] as Value)
    default:
      throw new Error(`unknown type ${description.type}`)
  }
}

/** Reads its list; the offset is operator state. A watermark follows every record that is a multiple of ten. */
class ListSource extends OperatorBase implements SourceOperator {
  private readonly items: readonly Value[]
  private readonly bounded: boolean
  private offset = 0
  private state: OperatorListState | null = null

  constructor(items: readonly Value[], bounded: boolean) {
    super()
    this.items = items
    this.bounded = bounded
  }

  override open(context: OperatorContext, restored: number | null): void {
    super.open(context, restored)
    this.state = context.operatorState.listState('offset', 'SPLIT_DISTRIBUTE')
    const [saved] = this.state.get()
    if (saved !== undefined) this.offset = new DataView(saved.buffer, saved.byteOffset, saved.byteLength).getUint32(0)
  }

  poll(budget: number, mayEmit: () => boolean): SourceStatus {
    for (let done = 0; done < budget && this.offset < this.items.length; done++) {
      if (!mayEmit()) return 'more'
      this.ctx.reading(this.ctx.subtask, this.offset, false)
      const item = this.items[this.offset] as Value
      this.offset++
      this.ctx.emit(item, this.offset)
      if (this.offset % 10 === 0) this.ctx.emitWatermark(this.offset)
    }
    if (this.offset < this.items.length) return 'more'
    return this.bounded ? 'ended' : 'idle'
  }

  onCoordinatorEvent(): void {}

  override snapshotState(): void {
    const bytes = new Uint8Array(4)
    new DataView(bytes.buffer).setUint32(0, this.offset)
    this.state?.update([bytes])
  }
}

abstract class TestProcessing extends OperatorBase implements ProcessingOperator {
  watermark = MIN_WATERMARK
  readonly ended: number[] = []

  abstract processElement(input: number, value: Value, timestamp: number): void

  processWatermark(watermark: number): void {
    this.watermark = watermark
    this.ctx.emitWatermark(watermark)
  }

  endInput(input: number): void {
    this.ended.push(input)
  }
}

/** Emits `key=count` for each record. */
class CountOperator extends TestProcessing {
  private counts: ValueState | null = null

  override open(context: OperatorContext, restored: number | null): void {
    super.open(context, restored)
    this.counts = (context.keyed as NonNullable<OperatorContext['keyed']>).valueState({ name: 'count', schema: bare('Long') })
  }

  processElement(_input: number, value: Value, timestamp: number): void {
    const counts = this.counts as ValueState
    const next = ((counts.value() as number | null) ?? 0) + 1
    counts.update(next)
    this.ctx.stateChanged('count', next)
    this.ctx.emit(`${String(value)}=${next}`, timestamp)
  }
}

class UpperOperator extends TestProcessing {
  processElement(_input: number, value: Value, timestamp: number): void {
    this.ctx.emit(String(value).toUpperCase(), timestamp)
  }
}

class RepeatOperator extends TestProcessing {
  private readonly times: number

  constructor(times: number) {
    super()
    this.times = times
  }

  processElement(_input: number, value: Value, timestamp: number): void {
    for (let i = 0; i < this.times; i++) this.ctx.emit(value, timestamp)
  }
}

export class CollectSink extends TestProcessing {
  readonly rows: Value[] = []
  readonly timestamps: number[] = []
  isFinished = false

  processElement(_input: number, value: Value, timestamp: number): void {
    this.rows.push(value)
    this.timestamps.push(timestamp)
  }

  override finish(): void {
    this.isFinished = true
  }
}

/** Asks the outside world in the synchronous part of a snapshot, and waits for the answer. */
class PreCommitSink extends TestProcessing {
  readonly rows: Value[] = []
  private request: number | null = null

  processElement(_input: number, value: Value): void {
    this.rows.push(value)
  }

  override snapshotState(checkpointId: number): void {
    this.request = this.ctx.outside({ type: 'pre-commit', sink: 'out', transaction: `t-${checkpointId}` })
  }

  override isWaiting(): boolean {
    return this.request !== null
  }

  override onOutsideReply(): void {
    this.request = null
  }
}

/** Asks for its task to fail at one of the steps of a snapshot, and does not throw. */
class FailsInSnapshot extends TestProcessing {
  private readonly when: string
  private request: number | null = null

  constructor(when: string) {
    super()
    this.when = when
  }

  processElement(): void {}

  override prepareSnapshotPreBarrier(): void {
    if (this.when === 'before the barrier') this.ctx.fail('gave up')
    if (this.when === 'at the answer before the barrier') this.request = this.ctx.outside({ type: 'pre-commit', sink: 'out', transaction: 't' })
  }

  override snapshotState(): void {
    if (this.when === 'in the synchronous part') this.ctx.fail('gave up')
    if (this.when === 'at the answer in the synchronous part') this.request = this.ctx.outside({ type: 'pre-commit', sink: 'out', transaction: 't' })
  }

  override isWaiting(): boolean {
    return this.request !== null
  }

  override onOutsideReply(): void {
    this.request = null
    this.ctx.fail('gave up')
  }
}

class FailingOperator extends TestProcessing {
  private readonly at: Value

  constructor(at: Value) {
    super()
    this.at = at
  }

  processElement(_input: number, value: Value, timestamp: number): void {
    if (value === this.at) throw new Error(`cannot take ${String(value)}`)
    this.ctx.emit(value, timestamp)
  }
}
