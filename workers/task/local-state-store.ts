/**
 * The copies of keyed state that a TaskManager keeps, for tasks that are restarted on it. Flink: TaskLocalStateStoreImpl,
 * TaskExecutorLocalStateStoresManager (task-local recovery). In memory here, since TaskManagers have no disk: lost with the TaskManager.
 *
 * Kept until a newer checkpoint has completed; those of an aborted one go at once. Storage has every file as well, and a task that finds no copy
 * reads there.
 */
import type { TaskCommand } from '../model/control.ts'
import type { JobId } from '../model/ids.ts'
import type { FileWrite } from '../model/storage.ts'

export interface LocalCopy {
  readonly path: string
  readonly bytes: Uint8Array
}

export class LocalStateStore {
  private job: JobId | null = null
  private readonly copies = new Map<string, { readonly checkpointId: number; readonly bytes: Uint8Array }>()

  /** Of these writes, those that ask for a copy. The bytes must not change any more. */
  keep(job: JobId, writes: readonly FileWrite[]): void {
    this.serve(job)
    for (const { path, bytes, localCopy } of writes) if (localCopy !== undefined) this.copies.set(path, { checkpointId: localCopy, bytes })
  }

  /** A TaskManager works for one job at a time: copies of an earlier one are of no use any more. */
  serve(job: JobId): void {
    if (job !== this.job) this.copies.clear()
    this.job = job
  }

  read(path: string): Uint8Array | null {
    return this.copies.get(path)?.bytes ?? null
  }

  /** What a task here is told of a checkpoint. */
  onCommand(command: TaskCommand): void {
    if (command.type === 'notify-checkpoint-complete') this.dropOlder(command.checkpointId)
    if (command.type !== 'notify-checkpoint-aborted') return
    if (command.latestCompleted !== null) this.dropOlder(command.latestCompleted)
    this.drop((checkpointId) => checkpointId === command.checkpointId)
  }

  private dropOlder(than: number): void {
    this.drop((checkpointId) => checkpointId < than)
  }

  private drop(isGone: (checkpointId: number) => boolean): void {
    for (const [path, { checkpointId }] of this.copies) if (isGone(checkpointId)) this.copies.delete(path)
  }
}
