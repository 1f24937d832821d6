/**
 * Gives the partitions of a topic to readers: partition p to reader p modulo parallelism, as soon as that reader has registered. Flink:
 * KafkaSourceEnumerator in a SourceCoordinator (behaviour 18). Partitions are known from the job; there is no periodic discovery.
 */
import { must } from '../../base/assert.ts'
import type { OperatorEvent } from '../../model/control.ts'
import type { OperatorCoordinator, OperatorCoordinatorContext } from '../operator-coordinator.ts'
import { decodeLogEnumerator, encodeLogEnumerator, encodeLogSplit, type LogSplit } from './split-codec.ts'
import { SplitAssignmentTracker } from './split-assignment-tracker.ts'

export class LogEnumerator implements OperatorCoordinator {
  private readonly topic: string
  private readonly partitions: number
  private context: OperatorCoordinatorContext | null = null
  private registered = new Set<number>()
  /** By partition. */
  private splits = new Map<number, { split: LogSplit; assigned: boolean }>()
  private tracker = new SplitAssignmentTracker<LogSplit>()

  private readonly hasSnapshot: boolean
  /** Readers that are in the initial snapshot. */
  private inSnapshot = new Set<number>()

  /** @param hasSnapshot its readers begin with an initial snapshot: a backlog. */
  constructor(topic: string, partitions: number, hasSnapshot = false) {
    this.topic = topic
    this.partitions = partitions
    this.hasSnapshot = hasSnapshot
  }

  start(context: OperatorCoordinatorContext, state: Uint8Array | null): void {
    this.context = context
    this.registered = new Set()
    this.inSnapshot = new Set()
    this.splits = new Map()
    this.tracker = new SplitAssignmentTracker()
    for (const { split, assigned } of state === null ? [] : decodeLogEnumerator(state)) this.splits.set(split.partition, { split, assigned })
    for (let partition = 0; partition < this.partitions; partition++) {
      if (!this.splits.has(partition)) this.splits.set(partition, { split: { topic: this.topic, partition, offset: 0, stop: null }, assigned: false })
    }
  }

  onReaderEvent(subtask: number, event: OperatorEvent): void {
    if (event.type === 'snapshot-read') this.trackSnapshot(subtask, false)
    if (event.type !== 'reader-registered') return
    this.registered.add(subtask)
    if (this.hasSnapshot) this.trackSnapshot(subtask, true)
    this.assignTo(subtask)
  }

  onSubtaskReset(subtask: number, checkpointId: number | null): void {
    this.registered.delete(subtask)
    for (const split of this.tracker.takeBack(subtask, checkpointId)) this.splits.set(split.partition, { split, assigned: false })
  }

  checkpoint(checkpointId: number): Uint8Array {
    this.tracker.checkpoint(checkpointId)
    return encodeLogEnumerator([...this.splits.values()])
  }

  notifyCheckpointComplete(checkpointId: number): void {
    this.tracker.complete(checkpointId)
  }

  private trackSnapshot(subtask: number, isIn: boolean): void {
    if (isIn) this.inSnapshot.add(subtask)
    else this.inSnapshot.delete(subtask)
    must(this.context, 'context of an enumerator').setIsProcessingBacklog(this.inSnapshot.size > 0)
  }

  private assignTo(subtask: number): void {
    const context = must(this.context, 'context of an enumerator that has not been started')
    const given: LogSplit[] = []
    for (const entry of this.splits.values()) {
      if (entry.assigned || entry.split.partition % context.parallelism !== subtask) continue
      entry.assigned = true
      given.push(entry.split)
      this.tracker.assign(subtask, entry.split)
    }
    if (given.length > 0) context.sendEvent(subtask, { type: 'add-splits', splits: given.map(encodeLogSplit) })
    // All that this reader will ever get: partitions are not discovered later.
    context.sendEvent(subtask, { type: 'no-more-splits' })
  }
}
