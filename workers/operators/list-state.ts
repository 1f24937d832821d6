/**
 * Passes records on, and keeps elements of operator list state, to show how they are dealt out at a restore (behaviour 11.3). Flink: a
 * CheckpointedFunction with `getListState` or `getUnionListState`; what many a sink's committer and older source do. State: `elements`, texts.
 * What the subtask holds is what it was given at the restore, or, at a start from nothing, one element of its own.
 */
import type { SnapshotPart } from '../model/events.ts'
import type { OperatorDescription } from '../model/job-graph.ts'
import type { Value } from '../model/schema.ts'
import type { OperatorListState } from '../state/backend.ts'
import { utf8Encode } from '../state/serializers/utf8.ts'
import { ProcessingBase } from './operator-base.ts'
import type { OperatorContext, ProcessingOperator } from './operator.ts'

const ELEMENTS_STATE = 'elements'

export class ListStateOperator extends ProcessingBase implements ProcessingOperator {
  private readonly mode: 'SPLIT_DISTRIBUTE' | 'UNION'
  /** At each snapshot: an element of its own, whatever it was given. */
  private readonly keepsOwn: boolean
  private readonly insists: boolean
  private state: OperatorListState | null = null
  private held: readonly Uint8Array[] = []

  constructor({ params }: OperatorDescription) {
    super()
    this.mode = params['redistribution'] === 'union' ? 'UNION' : 'SPLIT_DISTRIBUTE'
    this.keepsOwn = params['snapshot'] === 'own'
    this.insists = params['insist'] === true
  }

  /** Whether there was a restore is told by the context, not by the elements: a subtask may get none (FC-052). */
  override open(context: OperatorContext, restoredCheckpoint: number | null): void {
    super.open(context, restoredCheckpoint)
    this.state = context.operatorState.listState(ELEMENTS_STATE, this.mode)
    const given = this.state.get()
    this.held = restoredCheckpoint === null ? [this.own()] : given
    if (this.insists && this.held.length === 0) context.fail(`${context.description.name}: subtask ${context.subtask} was restored from checkpoint ${restoredCheckpoint ?? 0} without any element`)
  }

  processElement(_input: number, value: Value, timestamp: number): void {
    this.ctx.emit(value, timestamp)
  }

  override snapshotState(_checkpointId: number): void {
    if (this.keepsOwn) this.held = [this.own()]
    this.state?.update(this.held)
  }

  override snapshotParts(): readonly SnapshotPart[] {
    return [{ operator: this.ctx.description.operatorId, kind: 'operator', entries: this.held.length }]
  }

  private own(): Uint8Array {
    return utf8Encode(`subtask ${this.ctx.subtask}`)
  }
}
