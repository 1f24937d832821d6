/**
 * The plain sink and the upsert sink: rows are visible as soon as they are written (behaviour 16.3). At a checkpoint everything is flushed and
 * answered before the synchronous part ends, so no row is lost; rows since the last completed checkpoint are written again after a failure.
 * Flink: a SinkWriter with at-least-once flushing.
 */
import type { OutsideResult } from '../../model/outside.ts'
import type { Value } from '../../model/schema.ts'
import { ProcessingBase } from '../operator-base.ts'
import type { ProcessingOperator } from '../operator.ts'
import type { RecordRun } from '../record-run.ts'
import { lingerUntil, RowWriter } from './row-writer.ts'

export interface AppendSinkOptions {
  /** Column that identifies a row; null: rows are appended. */
  readonly upsertBy: number | null
  /** Counts rows and writes none. */
  readonly discard: boolean
}

export class AppendSinkOperator extends ProcessingBase implements ProcessingOperator {
  rows = 0
  private readonly options: AppendSinkOptions
  private readonly writer = new RowWriter()
  /** Everything must be answered before the task goes on. */
  private flushing = false

  constructor(options: AppendSinkOptions) {
    super()
    this.options = options
  }

  processElement(_input: number, value: Value, _timestamp: number): void {
    this.rows++
    if (this.options.discard) return
    if (this.writer.add(value)) this.ctx.setTimer(lingerUntil(this.ctx.now()))
    if (this.writer.isDue) this.write()
  }

  /** Rows that are only counted need not be read. */
  processRun(_input: number, run: RecordRun): void {
    if (!this.options.discard) return
    this.rows += run.end - run.index
    run.index = run.end
  }

  override processWatermark(_watermark: number): void {}

  override isWaiting(): boolean {
    return this.flushing ? !this.writer.isSettled : this.writer.isFull
  }

  override onOutsideReply(request: number, result: OutsideResult): void {
    if (!this.writer.answered(request)) return
    if (!result.ok) {
      const { name, uid } = this.ctx.description
      this.ctx.fail(`${name}: writing to sink ${uid} failed: ${result.message}`, { detail: result.reason })
      return
    }
    if (this.flushing || this.writer.isDue) this.write()
    if (this.writer.isSettled) this.flushing = false
  }

  override onTimer(): void {
    this.writer.lingerIsOver()
    this.write()
  }

  override snapshotState(_checkpointId: number): void {
    this.flush()
  }

  override finish(): void {
    this.flush()
  }

  private flush(): void {
    this.write()
    this.flushing = !this.writer.isSettled
  }

  private write(): void {
    if (!this.writer.mayWrite) return
    const op = { type: 'append', sink: this.ctx.description.uid, rows: this.writer.take(), upsertBy: this.options.upsertBy } as const
    this.writer.sent(this.ctx.outside(op))
  }
}
