/**
 * The JobManager's half of an operator: the split enumerator of a source. Flink: OperatorCoordinator, SourceCoordinator (behaviour 2.6, 18).
 * Plain machine, like an operator.
 */
import type { OperatorEvent } from '../model/control.ts'

export interface OperatorCoordinatorContext {
  readonly parallelism: number
  /** To the reader in that subtask. While a checkpoint waits for the subtask's barrier the holder keeps it back. */
  sendEvent(subtask: number, event: OperatorEvent): void
  /** The source reads old data whose freshness does not matter: checkpoints may be rarer meanwhile (`interval-during-backlog`). */
  setIsProcessingBacklog(isProcessingBacklog: boolean): void
}

export interface OperatorCoordinator {
  /** `state` is what `checkpoint` gave, or null to start afresh. Also called to reset on a global failover. */
  start(context: OperatorCoordinatorContext, state: Uint8Array | null): void
  onReaderEvent(subtask: number, event: OperatorEvent): void
  /** A subtask was reset to that checkpoint (null: to the start): splits given to it since then come back. */
  onSubtaskReset(subtask: number, checkpointId: number | null): void
  /** Formats 16: version, enumerator version, bytes. */
  checkpoint(checkpointId: number): Uint8Array
  notifyCheckpointComplete(checkpointId: number): void
}
