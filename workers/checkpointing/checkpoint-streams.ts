/**
 * Where each stream of a snapshot goes: into the handle, which travels with the acknowledgement, or into a file of its own. Flink:
 * CheckpointStreamFactory with FsCheckpointStreamFactory (filesystem storage) and MemCheckpointStreamFactory (JobManager storage), behaviour 10.2,
 * 10.3. Write buffers are absent: a file is handed over in one piece.
 */
import type { Prng } from '../base/prng.ts'
import type { TaskSettings } from '../model/deployment.ts'
import type { StreamHandle } from '../model/state-handles.ts'
import type { FileWrite } from '../model/storage.ts'

type StreamSettings = Pick<TaskSettings, 'inlineThresholdBytes' | 'memoryStateLimitBytes'>

export class CheckpointStreams {
  /** Files that must be stored before the acknowledgement. */
  readonly writes: FileWrite[] = []
  /** In all, and of these in handles. */
  bytes = 0
  inlineBytes = 0
  private readonly location: string
  private readonly names: Prng
  private readonly localCopy: number | null
  private readonly inlineThresholdBytes: number
  /** Null: filesystem storage. */
  private readonly memoryLimitBytes: number | null

  /** `localCopy`: the checkpoint for which the TaskManager keeps copies of keyed state; null: it keeps none. */
  constructor({ inlineThresholdBytes, memoryStateLimitBytes }: StreamSettings, location: string, names: Prng, localCopy: number | null) {
    this.localCopy = localCopy
    this.location = location
    this.names = names
    this.inlineThresholdBytes = inlineThresholdBytes
    this.memoryLimitBytes = memoryStateLimitBytes ?? null
  }

  /** A stream of that length gets no file. */
  isInline(length: number): boolean {
    return this.memoryLimitBytes !== null || length <= this.inlineThresholdBytes
  }

  /** Of keyed state, of which the TaskManager may keep a copy. */
  storeKeyed(bytes: Uint8Array): StreamHandle {
    return this.put(bytes, this.localCopy === null ? {} : { localCopy: this.localCopy })
  }

  /** Throws where JobManager storage does not take so much. */
  store(bytes: Uint8Array): StreamHandle {
    return this.put(bytes, {})
  }

  private put(bytes: Uint8Array, copy: Pick<FileWrite, 'localCopy'>): StreamHandle {
    this.checkSize(bytes.length)
    this.bytes += bytes.length
    const name = this.names.uuid()
    const path = `${this.location}/${name}`
    if (this.isInline(bytes.length)) {
      this.inlineBytes += bytes.length
      return { kind: 'bytes', name: path, bytes }
    }
    this.writes.push({ path, bytes, createNew: true, ...copy })
    return { kind: 'relative', name, size: bytes.length }
  }

  /** Flink: MemCheckpointStreamFactory.checkSize; the limit holds for each stream of state. */
  checkSize(length: number): void {
    const limit = this.memoryLimitBytes
    if (limit === null || length <= limit) return
    throw new RangeError(
      `Size of the state is larger than the maximum permitted memory-backed state. Size=${length}, maxSize=${limit}. ` +
        'Consider using a different checkpoint storage, like the FileSystemCheckpointStorage.',
    )
  }
}
