/**
 * Gives out the splits of a number sequence on request, one at a time. Flink: NumberSequenceSource with an IteratorSourceEnumerator in a
 * SourceCoordinator (behaviour 18): one split for each subtask, contiguous and of nearly equal size.
 */
import { must } from '../../base/assert.ts'
import type { OperatorEvent } from '../../model/control.ts'
import type { OperatorCoordinator, OperatorCoordinatorContext } from '../operator-coordinator.ts'
import { decodeSequenceEnumerator, encodeSequenceEnumerator, encodeSequenceSplit, type SequenceSplit } from './split-codec.ts'
import { SplitAssignmentTracker } from './split-assignment-tracker.ts'

export class SequenceEnumerator implements OperatorCoordinator {
  private readonly count: number | null
  private context: OperatorCoordinatorContext | null = null
  private remaining: SequenceSplit[] = []
  private tracker = new SplitAssignmentTracker<SequenceSplit>()

  /** `count` null: without end. */
  constructor(count: number | null) {
    this.count = count
  }

  start(context: OperatorCoordinatorContext, state: Uint8Array | null): void {
    this.context = context
    this.tracker = new SplitAssignmentTracker()
    this.remaining = state === null ? splitSequence(this.count, context.parallelism) : [...decodeSequenceEnumerator(state)]
  }

  onReaderEvent(subtask: number, event: OperatorEvent): void {
    if (event.type !== 'request-split') return
    const context = must(this.context, 'context of an enumerator that has not been started')
    const split = this.remaining.shift()
    if (split === undefined) {
      context.sendEvent(subtask, { type: 'no-more-splits' })
      return
    }
    this.tracker.assign(subtask, split)
    context.sendEvent(subtask, { type: 'add-splits', splits: [encodeSequenceSplit(split)] })
  }

  onSubtaskReset(subtask: number, checkpointId: number | null): void {
    this.remaining.push(...this.tracker.takeBack(subtask, checkpointId))
  }

  checkpoint(checkpointId: number): Uint8Array {
    this.tracker.checkpoint(checkpointId)
    return encodeSequenceEnumerator(this.remaining)
  }

  notifyCheckpointComplete(checkpointId: number): void {
    this.tracker.complete(checkpointId)
  }
}

/** Without end: each part ends so far away that nobody gets there, and far from where a sum would stop being exact. */
export function splitSequence(count: number | null, parts: number): SequenceSplit[] {
  const total = count ?? Number.MAX_SAFE_INTEGER
  const size = Math.floor(total / parts)
  const rest = total - size * parts
  const splits: SequenceSplit[] = []
  let next = 0
  for (let i = 0; i < parts; i++) {
    const length = size + (i < rest ? 1 : 0)
    if (length > 0) splits.push({ id: String(i + 1), next, to: next + length - 1 })
    next += length
  }
  return splits
}
