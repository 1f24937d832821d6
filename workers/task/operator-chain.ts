/**
 * The operators of a task, wired head to tail by plain calls. Flink: OperatorChain, RegularOperatorChain. Opening and finishing go operator
 * by operator and stop where one has to wait for the outside world.
 */
import { must } from '../base/assert.ts'
import type { CheckpointId, OperatorId } from '../model/ids.ts'
import type { OperatorEvent } from '../model/control.ts'
import type { EngineTime } from '../model/time.ts'
import type { OutsideReply } from '../model/outside.ts'
import type { ProcessingOperator, SourceOperator } from '../operators/operator.ts'
import type { ChainNode } from './chain-node.ts'

export class OperatorChain {
  /** Head first. */
  readonly nodes: readonly ChainNode[]
  readonly head: ChainNode
  readonly isSource: boolean
  /** Cost of one record in all operators of the chain. May change while the task runs. */
  costMicros = 0
  private readonly only: ChainNode | null
  /** Nodes still to be opened, counted from the head; nodes finished so far. */
  private toOpen: number
  private finished = 0
  private isFinishCalled = false

  constructor(nodes: readonly ChainNode[]) {
    this.nodes = nodes
    this.head = must(nodes[0], 'a chain has a head')
    this.isSource = this.head.description.inputs.length === 0
    this.only = nodes.length === 1 ? this.head : null
    this.toOpen = nodes.length
    this.setCosts({})
  }

  /** By uid; operators that are not named keep their cost. From the next record on. */
  setCosts(costs: Readonly<Record<string, EngineTime>>): void {
    for (const node of this.nodes) node.costMicros = costs[node.description.uid] ?? node.costMicros
    this.costMicros = this.nodes.reduce((sum, node) => sum + node.costMicros, 0)
    if (this.isSource) this.head.costAfterEmit = this.costMicros
  }

  /** By uid. */
  setSkews(skews: Readonly<Record<string, number>>): void {
    const skew = this.isSource ? skews[this.head.description.uid] : undefined
    if (skew !== undefined) this.source.setSkew?.(skew)
  }

  /** An answer is awaited: no record may be processed. */
  get isWaiting(): boolean {
    if (this.only !== null) return this.only.operator.isWaiting()
    for (const node of this.nodes) if (node.operator.isWaiting()) return true
    return false
  }

  get source(): SourceOperator {
    return this.head.operator as SourceOperator
  }

  /** Tail to head, one after another (behaviour 12.5). True when all are open and none waits. */
  openOperators(restoredCheckpoint: CheckpointId | null): boolean {
    while (!this.isWaiting && this.toOpen > 0) {
      this.toOpen--
      const node = this.nodes[this.toOpen] as ChainNode
      node.operator.open(node, restoredCheckpoint)
    }
    return this.toOpen === 0 && !this.isWaiting
  }

  /**
   * Head to tail: `endInput` and `finish` (behaviour 14). The inputs of the head have been ended already. True when all have finished. Without drain
   * nothing happens to them: what they hold stays open for the job that goes on from the savepoint (13.2).
   */
  finishOperators(drain: boolean): boolean {
    if (!drain) return !this.isWaiting
    while (this.finished < this.nodes.length) {
      const node = this.nodes[this.finished] as ChainNode
      if (!this.isFinishCalled) {
        if (node.operator.isWaiting()) return false
        this.isFinishCalled = true
        if (this.finished > 0) (node.operator as ProcessingOperator).endInput(0)
        node.operator.finish()
      }
      if (node.operator.isWaiting()) return false
      this.finished++
      this.isFinishCalled = false
    }
    return true
  }

  onOutsideReply(reply: OutsideReply): void {
    for (const node of this.nodes) {
      if (!node.pending.delete(reply.requestId)) continue
      node.operator.onOutsideReply(reply.requestId, reply.result)
      return
    }
  }

  onOperatorEvent(operator: OperatorId, event: OperatorEvent): void {
    const node = this.nodes.find((candidate) => candidate.operatorId === operator)
    if (node !== undefined && node === this.head && this.isSource) this.source.onCoordinatorEvent(event)
  }

  onTimer(index: number): void {
    must(this.nodes[index], `operator ${index}`).operator.onTimer()
  }

  /** Tail to head (behaviour 7.3). Each is told, also where another throws: the first exception is thrown in the end, and fails the task. */
  notifyCheckpointComplete(checkpointId: CheckpointId): void {
    this.tell(({ operator }) => operator.notifyCheckpointComplete(checkpointId))
  }

  /** State backends alone hear of it. Flink: StreamOperatorWrapper.notifyCheckpointSubsumed, InternalCheckpointListener. */
  notifyCheckpointSubsumed(checkpointId: CheckpointId): void {
    this.tell(({ keyed }) => keyed?.notifyCheckpointSubsumed?.(checkpointId))
  }

  /** As of a completion. */
  notifyCheckpointAborted(checkpointId: CheckpointId): void {
    this.tell(({ operator }) => operator.notifyCheckpointAborted(checkpointId))
  }

  private tell(notify: (node: ChainNode) => void): void {
    const failures: unknown[] = []
    for (let i = this.nodes.length - 1; i >= 0; i--) {
      try {
        notify(this.nodes[i] as ChainNode)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  /** Those that have been opened, tail to head. */
  close(): void {
    for (let i = this.nodes.length - 1; i >= this.toOpen; i--) (this.nodes[i] as ChainNode).operator.close()
    this.toOpen = this.nodes.length
  }

  setNow(now: number): void {
    for (const node of this.nodes) if (node.keyed !== null) node.keyed.setNow(now)
  }
}
