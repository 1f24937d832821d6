/** Counts the records of each key. Flink: KeyedProcessOperator with a function that keeps a ValueState<Long>. */
import { bare, type Value } from '../../model/schema.ts'
import type { ValueState } from '../../state/backend.ts'
import { ProcessingBase } from '../operator-base.ts'
import type { OperatorContext, ProcessingOperator } from '../operator.ts'
import { keyedBackend, keyedRow } from './keyed-row.ts'

const COUNT_STATE = 'count'

export class KeyedProcessCountOperator extends ProcessingBase implements ProcessingOperator {
  private readonly emitEvery: number
  private state: ValueState | null = null

  constructor(emitEvery: number) {
    super()
    this.emitEvery = emitEvery
  }

  override open(context: OperatorContext, restoredCheckpoint: number | null): void {
    super.open(context, restoredCheckpoint)
    this.state = keyedBackend(context).valueState({ name: COUNT_STATE, schema: bare('Long', 'count') })
  }

  processElement(_input: number, _value: Value, timestamp: number): void {
    const context = this.ctx
    const state = this.state as ValueState
    const count = ((state.value() as number | null) ?? 0) + 1
    state.update(count)
    context.stateChanged(COUNT_STATE, count)
    if (count % this.emitEvery !== 0) return
    const { row, at } = keyedRow(context.keyed?.currentKey as Value, 1)
    row[at] = count
    context.emit(row, timestamp)
  }
}
