/** An operator that writes down whatever it hears, passes records and watermarks on, and keeps the letters that it has seen as its state. */
import type { OutsideOp } from '../../../workers/model/outside.ts'
import type { Value } from '../../../workers/model/schema.ts'
import { OperatorBase } from '../../../workers/operators/operator-base.ts'
import type { OperatorContext, ProcessingOperator, SourceOperator, SourceStatus } from '../../../workers/operators/operator.ts'
import type { OperatorListState } from '../../../workers/state/backend.ts'

/** What it does beside that. */
export interface Hooks {
  readonly prepare?: (context: OperatorContext) => void
  readonly snapshot?: (context: OperatorContext) => void
  readonly complete?: (context: OperatorContext) => void
  readonly aborted?: (context: OperatorContext) => void
  readonly finish?: (context: OperatorContext) => void
  /** Asks the outside world in this step, and waits for the answer. */
  readonly waitsIn?: 'prepare' | 'snapshot' | 'finish'
  /** Has no state. */
  readonly isStateless?: boolean
}

const REQUEST: OutsideOp = { type: 'pre-commit', sink: 'out', transaction: 't' }

export class LoggingOperator extends OperatorBase implements ProcessingOperator, SourceOperator {
  private readonly uid: string
  private readonly log: string[]
  private readonly hooks: Hooks
  private readonly records: string | null
  private letters = ''
  private read = 0
  private state: OperatorListState | null = null
  private request: number | null = null

  constructor(uid: string, log: string[], hooks: Hooks, records: string | null) {
    super()
    this.uid = uid
    this.log = log
    this.hooks = hooks
    this.records = records
  }

  override open(context: OperatorContext, restored: number | null): void {
    super.open(context, restored)
    if (this.hooks.isStateless !== true) this.state = context.operatorState.listState('letters', 'SPLIT_DISTRIBUTE')
  }

  poll(budget: number, mayEmit: () => boolean): SourceStatus {
    const records = this.records ?? ''
    for (let done = 0; done < budget && this.read < records.length; done++) {
      if (!mayEmit()) return 'more'
      this.read++
      this.processElement(0, records[this.read - 1] as string, NaN)
    }
    if (this.read < records.length) return 'more'
    return this.records === null ? 'idle' : 'ended'
  }

  onCoordinatorEvent(): void {
    this.log.push(`event ${this.uid}`)
  }

  processElement(_input: number, value: Value, timestamp: number): void {
    this.log.push(`${this.uid} ${String(value)}`)
    this.letters += String(value)
    this.ctx.emit(value, timestamp)
  }

  processWatermark(watermark: number): void {
    this.log.push(`watermark ${this.uid}`)
    this.ctx.emitWatermark(watermark)
  }

  endInput(input: number): void {
    this.log.push(`endInput ${this.uid} ${input}`)
  }

  override isWaiting(): boolean {
    return this.request !== null
  }

  override onOutsideReply(): void {
    this.request = null
  }

  override prepareSnapshotPreBarrier(checkpointId: number): void {
    this.log.push(`prepare ${this.uid} ${checkpointId}`)
    this.step('prepare')
  }

  override snapshotState(checkpointId: number): void {
    this.log.push(`snapshot ${this.uid} ${checkpointId}`)
    this.state?.update([Uint8Array.from(this.letters, (letter) => letter.charCodeAt(0))])
    this.step('snapshot')
  }

  override notifyCheckpointComplete(checkpointId: number): void {
    this.log.push(`complete ${this.uid} ${checkpointId}`)
    this.hooks.complete?.(this.ctx)
  }

  override notifyCheckpointAborted(checkpointId: number): void {
    this.log.push(`aborted ${this.uid} ${checkpointId}`)
    this.hooks.aborted?.(this.ctx)
  }

  override finish(): void {
    this.log.push(`finish ${this.uid}`)
    this.step('finish')
  }

  override close(): void {
    this.log.push(`close ${this.uid}`)
  }

  private step(name: 'prepare' | 'snapshot' | 'finish'): void {
    this.hooks[name]?.(this.ctx)
    if (this.hooks.waitsIn === name) this.request = this.ctx.outside(REQUEST)
  }
}
