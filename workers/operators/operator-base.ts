/** What most operators do at most hooks: nothing. Flink: AbstractStreamOperator. */
import { must } from '../base/assert.ts'
import type { SnapshotPart } from '../model/events.ts'
import type { OutsideResult } from '../model/outside.ts'
import type { Operator, OperatorContext } from './operator.ts'

/** The timestamp of a record without one. */
export const NO_TIMESTAMP = NaN

export abstract class OperatorBase implements Operator {
  protected context: OperatorContext | null = null

  open(context: OperatorContext, _restoredCheckpoint: number | null): void {
    this.context = context
  }

  protected get ctx(): OperatorContext {
    return must(this.context, 'context of an operator that has not been opened')
  }

  isWaiting(): boolean {
    return false
  }

  onOutsideReply(_request: number, _result: OutsideResult): void {}
  onTimer(): void {}
  prepareSnapshotPreBarrier(_checkpointId: number): void {}
  snapshotState(_checkpointId: number): void {}
  notifyCheckpointComplete(_checkpointId: number): void {}
  notifyCheckpointAborted(_checkpointId: number): void {}

  snapshotParts(): readonly SnapshotPart[] {
    return []
  }

  report(): ReturnType<Operator['report']> {
    return { splits: null, transactions: null }
  }

  finish(): void {}
  close(): void {}
}

/** An operator with inputs that passes watermarks on. */
export abstract class ProcessingBase extends OperatorBase {
  processWatermark(watermark: number): void {
    this.ctx.emitWatermark(watermark)
  }

  endInput(_input: number): void {}
}
