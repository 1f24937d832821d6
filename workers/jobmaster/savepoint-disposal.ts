/**
 * Deletes savepoints by hand: their metadata and all state that it names (behaviour 13.4). Flink: SavepointDisposalHandlers,
 * Checkpoints.disposeSavepoint. Whoever asks answers for it: files that a checkpoint shares with others go too. Simplified: one transaction
 * deletes metadata and state; Flink deletes the metadata first.
 *
 *   list what begins with the path ─► read `_metadata` ─► delete it and what it names ─► answer
 */
import { OperationCache } from '../coordinator/operations.ts'
import type { OperationResult } from '../coordinator/operations.ts'
import type { StorageResult } from '../model/storage.ts'
import { storagePathOf } from '../model/storage-path.ts'
import { readSavepoint } from '../savepoint/savepoint-reader.ts'
import type { MachineContext } from './machine-context.ts'

interface Disposal {
  readonly pointer: string
  /** Directory, or the metadata file itself. */
  readonly path: string
  phase: 'listing' | 'reading' | 'deleting'
  metadata: string
}

export class SavepointDisposal {
  readonly operations = new OperationCache()
  private readonly context: MachineContext
  private readonly underWay = new Map<string, Disposal>()

  constructor(context: MachineContext) {
    this.context = context
  }

  begin(triggerId: string, pointer: string): void {
    this.operations.begin(triggerId)
    const path = storagePathOf(pointer)
    if (!path.ok) return this.fail(triggerId, `Cannot find checkpoint or savepoint file/directory '${pointer}': ${path.error}`)
    this.underWay.set(triggerId, { pointer, path: path.value, phase: 'listing', metadata: '' })
    this.context.storage({ type: 'list', prefix: path.value }, { owner: 'disposal', triggerId })
  }

  onStorage(triggerId: string, result: StorageResult): void {
    const disposal = this.underWay.get(triggerId)
    if (disposal === undefined) return
    if (!result.ok) return this.fail(triggerId, `Could not dispose the savepoint '${disposal.pointer}': ${result.reason}: ${result.message}`)
    if (disposal.phase === 'listing') return this.onListed(triggerId, disposal, (result.entries ?? []).map((entry) => entry.path))
    if (disposal.phase === 'reading') return this.onRead(triggerId, disposal, result.bytes ?? new Uint8Array(0))
    const location = directoryOf(disposal.metadata)
    this.context.event({ type: 'SavepointDisposed', externalPath: location })
    this.end(triggerId, { status: 'COMPLETED', checkpointId: 0, location })
  }

  /** What was asked of storage will not be answered: another leads. */
  forget(): void {
    for (const triggerId of [...this.underWay.keys()]) this.fail(triggerId, 'The JobManager leads no more.')
  }

  private onListed(triggerId: string, disposal: Disposal, paths: readonly string[]): void {
    const { path, pointer } = disposal
    const metadata = paths.includes(path) ? path : `${path}/_metadata`
    if (!paths.includes(metadata)) {
      const isDirectory = paths.some((other) => other.startsWith(`${path}/`))
      return this.fail(
        triggerId,
        isDirectory ? `Cannot find meta data file '_metadata' in directory '${pointer}'.` : `Cannot find checkpoint or savepoint file/directory '${pointer}'.`,
      )
    }
    disposal.metadata = metadata
    disposal.phase = 'reading'
    this.context.storage({ type: 'read', path: metadata }, { owner: 'disposal', triggerId })
  }

  private onRead(triggerId: string, disposal: Disposal, bytes: Uint8Array): void {
    try {
      const files = new Set([disposal.metadata])
      collectFiles(readSavepoint(bytes), directoryOf(disposal.metadata), files)
      disposal.phase = 'deleting'
      this.context.storage({ type: 'transact', writes: [], deletes: [...files], durability: 'strict' }, { owner: 'disposal', triggerId })
    } catch (error) {
      this.fail(triggerId, `The metadata of '${disposal.pointer}' cannot be read: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  private fail(triggerId: string, message: string): void {
    this.context.event({ type: 'RequestFailed', request: 'dispose-savepoint', message })
    this.end(triggerId, { status: 'FAILED', message })
  }

  private end(triggerId: string, result: OperationResult): void {
    this.underWay.delete(triggerId)
    this.operations.end(triggerId, result)
  }
}

const directoryOf = (metadata: string): string => metadata.slice(0, metadata.lastIndexOf('/'))

/** Every file that any handle in `value` names, of whatever kind the handle is. */
function collectFiles(value: unknown, directory: string, files: Set<string>): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  if (Array.isArray(value)) {
    for (const element of value) collectFiles(element, directory, files)
    return
  }
  const { kind, path, name } = value as { readonly kind?: unknown; readonly path?: unknown; readonly name?: unknown }
  if ((kind === 'file' || kind === 'segment') && typeof path === 'string') {
    const stored = storagePathOf(path)
    if (stored.ok) files.add(stored.value)
  }
  if (kind === 'relative' && typeof name === 'string') files.add(`${directory}/${name}`)
  for (const nested of Object.values(value)) collectFiles(nested, directory, files)
}
