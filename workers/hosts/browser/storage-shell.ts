/** The storage worker: one file system, a port for everyone who uses it. Faults are injected here, between the port and the file system. */
import { expose } from 'comlink'
import type { StorageFailure, StorageOp, StorageResult } from '../../model/storage.ts'
import type { FileSystem } from '../../storage/file-system.ts'
import { inspectCheckpoint } from './inspect-checkpoint.ts'
import type { Fence, StorageAnswer, StorageCall, ToStorage, WorkerNotice } from './messages.ts'
import type { StorageFault, StorageSurface } from './requests.ts'

/** The whole store is out of use, not one file of it. */
const OUT_OF_USE: readonly StorageFailure[] = ['UNAVAILABLE', 'NEWER_VERSION']

export class StorageShell {
  private readonly post: (message: WorkerNotice) => void
  private readonly files: FileSystem
  private readonly faults: Exclude<StorageFault, { readonly kind: 'stall-storage' }>[] = []
  private failed = false
  private stalled: Promise<void> | null = null
  private endStall: () => void = () => undefined

  constructor(post: (message: WorkerNotice) => void, files: FileSystem) {
    this.post = post
    this.files = files
  }

  onMessage(message: ToStorage): void {
    switch (message.type) {
      case 'start':
        expose(this.surface(), message.surface)
        break
      case 'open':
        message.port.onmessage = (event: MessageEvent<StorageCall>) => void this.serve(message.port, event.data, message.fence)
        break
      case 'ping':
        this.post({ type: 'alive', ping: message.ping })
        break
    }
  }

  private async serve(port: MessagePort, call: StorageCall, fence: Fence | null): Promise<void> {
    await this.stalled
    const result = await this.execute(call, call.fence ?? fence)
    if (result === null) return
    const answer: StorageAnswer = { requestId: call.requestId, result }
    port.postMessage(answer)
  }

  /** Null: the answer is lost. */
  private async execute(call: StorageCall, fence: Fence | null): Promise<StorageResult | null> {
    const fault = call.op.type === 'transact' ? this.faults.shift() : undefined
    if (fault?.kind === 'fail-storage') return { ok: false, reason: fault.reason, message: `the write failed: ${fault.reason} (an injected fault)` }
    if (fault?.kind !== 'lose-storage-reply') return this.perform(call.op, fence)
    if (fault.applied) await this.perform(call.op, fence)
    return null
  }

  /** Whoever asked hears of the failure as well; the page hears of a store that is out of use, which is nobody's question. */
  private async perform(op: StorageOp, fence: Fence | null): Promise<StorageResult> {
    const result = await this.files.execute(op, fence)
    const failed = !result.ok && (OUT_OF_USE as readonly string[]).includes(result.reason)
    if (failed !== this.failed) this.post({ type: 'store-failed', message: result.ok || !failed ? null : result.message })
    this.failed = failed
    return result
  }

  private surface(): StorageSurface {
    const read = async (path: string): Promise<Uint8Array> => {
      const result = await this.perform({ type: 'read', path }, null)
      if (!result.ok) throw new Error(result.message)
      return result.bytes ?? new Uint8Array()
    }
    return {
      read,
      files: async (prefix) => {
        const result = await this.perform({ type: 'list', prefix }, null)
        if (!result.ok) throw new Error(result.message)
        return result.entries ?? []
      },
      inspect: (directory) => inspectCheckpoint(directory, read),
      fault: (fault) => this.inject(fault),
    }
  }

  private inject(fault: StorageFault): void {
    if (fault.kind === 'fail-storage') for (let i = 0; i < fault.count; i++) this.faults.push({ ...fault, count: 1 })
    else if (fault.kind === 'lose-storage-reply') this.faults.push(fault)
    else if (!fault.on) {
      this.endStall()
      this.stalled = null
    } else this.stalled ??= new Promise((resolve) => (this.endStall = resolve))
  }
}
