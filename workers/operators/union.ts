import type { Value } from '../model/schema.ts'
import { ProcessingBase } from './operator-base.ts'
import type { ProcessingOperator } from './operator.ts'

/** Passes records on. In Flink a union is several edges into one input; the task does that, so nothing is left to do here. */
export class UnionOperator extends ProcessingBase implements ProcessingOperator {
  processElement(_input: number, value: Value, timestamp: number): void {
    this.ctx.emit(value, timestamp)
  }
}
