/** A source at the head of the chain. Flink: SourceOperatorStreamTask with its default action. */
import type { SourceStatus } from '../operators/operator.ts'
import { MAX_WATERMARK } from '../model/time.ts'
import type { OperatorChain } from './operator-chain.ts'
import type { TaskEffects } from './task-effects.ts'
import type { RecordPermit, TaskInputProcessor } from './task-input-processor.ts'

export class SourceInput implements TaskInputProcessor {
  readonly bytesIn = 0
  readonly hasPriority = false
  /** The cost of a source's record is paid after it was emitted: there is never one in hand. */
  readonly isRecordInHand = false
  private readonly chain: OperatorChain
  private readonly effects: TaskEffects
  private readonly permit: RecordPermit
  private status: SourceStatus = 'more'
  isDrained = true

  constructor(chain: OperatorChain, effects: TaskEffects, permit: RecordPermit) {
    this.chain = chain
    this.effects = effects
    this.permit = permit
  }

  process(budget: number): void {
    if (this.status !== 'more') return
    const { effects, permit } = this
    this.status = this.chain.source.poll(budget, () => effects.now >= effects.busyUntil && permit.mayTakeRecord())
    effects.beginRecord(null)
    // A bounded source has ended: no record will ever be late for anybody again.
    if (this.status === 'ended') this.chain.head.emitWatermark(MAX_WATERMARK)
  }

  /** Stop with savepoint: nothing is read any more, whatever there is. Drained, no record will ever be late for anybody again. */
  stop(drain: boolean): void {
    if (this.status === 'ended') return
    this.status = 'ended'
    this.isDrained = drain
    if (drain) this.chain.head.emitWatermark(MAX_WATERMARK)
  }

  /** A reply, a timer or a coordinator event came: there may be something to read again. */
  wake(): void {
    if (this.status === 'idle') this.status = 'more'
  }

  get holdsCheckpointLock(): boolean {
    return this.chain.source.holdsCheckpointLock === true
  }

  get hasWork(): boolean {
    return this.status === 'more'
  }

  get isEndOfData(): boolean {
    return this.status === 'ended'
  }

  get recordsIn(): number {
    return this.chain.head.emitted
  }
}
