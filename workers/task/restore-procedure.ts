/**
 * Brings back the state of a task's operators before they are opened. Flink: StreamTask.restoreInternal, StreamTaskStateInitializerImpl
 * (behaviour 12.5). Inline handles are at hand; files are read by requests to storage, each once, and their lengths are checked.
 */
import type { TaskRestore } from '../model/deployment.ts'
import type { OperatorRestoreState, StreamHandle } from '../model/state-handles.ts'
import type { StorageReply } from '../model/storage.ts'
import { must } from '../base/assert.ts'
import { lengthProblem, stateFilePath, streamsOf, unreadableFile } from '../state/state-file.ts'
import type { ChainNode } from './chain-node.ts'
import type { InFlightRecovery } from './in-flight-recovery.ts'
import type { TaskEffects } from './task-effects.ts'

export class RestoreProcedure {
  private readonly restore: TaskRestore | null
  private readonly effects: TaskEffects
  /** Path → its request, until the bytes are here. */
  private readonly requests = new Map<number, string>()
  private readonly files = new Map<string, Uint8Array>()
  /** Of these, what the TaskManager had kept. */
  private readonly local = new Set<string>()
  private isStarted = false

  constructor(restore: TaskRestore | null, effects: TaskEffects) {
    this.restore = restore
    this.effects = effects
  }

  /** Asks for every file that is needed. */
  start(): void {
    this.isStarted = true
    const asked = new Set<string>()
    for (const operator of this.restore?.operators ?? []) {
      const copied = new Set(this.restore?.fromLocal === true ? operator.keyed.map(({ stream }) => stream) : [])
      for (const stream of streamsOf(operator)) {
        const path = this.pathOf(stream)
        if (path === null || asked.has(path)) continue
        asked.add(path)
        this.requests.set(this.effects.storage({ type: 'read', path, ...(copied.has(stream) ? { localCopy: true } : {}) }), path)
      }
    }
  }

  /** True if the reply was for the restore. A file that cannot be read fails the task. */
  onStorageReply(reply: StorageReply): boolean {
    const path = this.requests.get(reply.requestId)
    if (path === undefined) return false
    this.requests.delete(reply.requestId)
    const { result } = reply
    if (!result.ok) throw new Error(unreadableFile(path, `${result.reason}: ${result.message}`))
    this.files.set(path, must(result.bytes, `bytes of ${path}`))
    if (result.local === true) this.local.add(path)
    return true
  }

  get isReading(): boolean {
    return !this.isStarted || this.requests.size > 0
  }

  /** All bytes are here: fills the backends of the operators, and hands over what was in flight. */
  fill(nodes: readonly ChainNode[], inFlight: InFlightRecovery): void {
    const { restore } = this
    if (restore === null) return
    for (const node of nodes) {
      const state = this.stateOf(node)
      if (state !== null) this.fillOperator(node, state, restore.checkpointId)
    }
    const head = must(nodes[0], 'head of the chain')
    const tail = must(nodes.at(-1), 'tail of the chain')
    inFlight.load(restore.checkpointId, this.stateOf(head), this.stateOf(tail), (handle) => this.bytesOf(handle.stream))
    this.files.clear()
  }

  private stateOf(node: ChainNode): OperatorRestoreState | null {
    return this.restore?.operators.find((operator) => operator.operatorId === node.operatorId) ?? null
  }

  private fillOperator(node: ChainNode, state: OperatorRestoreState, checkpointId: number): void {
    let bytes = 0
    let localBytes = 0
    for (const handle of state.keyed) {
      const content = this.bytesOf(handle.stream)
      bytes += content.length
      if (this.local.has(this.pathOf(handle.stream) ?? '')) localBytes += content.length
      // An operator that is not keyed any more has no place for it: it is lost, as in Flink (StreamTaskStateInitializerImpl).
      node.keyed?.restore(handle, content)
    }
    for (const handle of state.operator) {
      const content = this.bytesOf(handle.stream)
      bytes += content.length
      node.operatorState.restore(handle, content)
    }
    this.effects.event({ type: 'StateRestored', checkpointId, operator: node.operatorId, keys: node.keyed?.keys ?? 0, bytes, ...(localBytes === 0 ? {} : { localBytes }) })
  }

  private bytesOf(handle: StreamHandle): Uint8Array {
    if (handle.kind === 'bytes') return handle.bytes
    const path = this.pathOf(handle) as string
    const bytes = must(this.files.get(path), path)
    const problem = lengthProblem(path, handle, bytes.length)
    if (problem !== null) throw new Error(problem)
    return bytes
  }

  private pathOf(handle: StreamHandle): string | null {
    return stateFilePath(handle, must(this.restore, 'restore').location)
  }
}
