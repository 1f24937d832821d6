/**
 * Stands for an operator that had finished when the snapshot was taken from which its task was restored: it takes no state, emits no record, passes
 * watermarks on and ends at once. Flink: FinishedOperatorChain (behaviour 14).
 */
import type { OperatorEvent } from '../model/control.ts'
import type { Value } from '../model/schema.ts'
import { ProcessingBase } from './operator-base.ts'
import type { ProcessingOperator, SourceOperator, SourceStatus } from './operator.ts'

export class FinishedOperator extends ProcessingBase implements ProcessingOperator, SourceOperator {
  poll(): SourceStatus {
    return 'ended'
  }

  onCoordinatorEvent(_event: OperatorEvent): void {}

  /** What comes before a finished operator has finished too. */
  processElement(_input: number, value: Value, _timestamp: number): void {
    throw new RangeError(`a finished operator was sent the record ${JSON.stringify(value)}`)
  }
}
