import type { EngineEvent } from '../model/events.ts'

/**
 * Which checkpoints are kept: the newest `num-retained` that have completed (or were restored: their leader died before it could say that they had),
 * and of them those that no event has subsumed. Path by id, oldest first.
 */
export class RetainedCheckpoints {
  readonly paths = new Map<number, string>()
  private readonly retained: number

  constructor(retained: number) {
    this.retained = retained
  }

  observe(event: EngineEvent): void {
    const body = event.body
    // A savepoint is nobody's to keep or to delete.
    const isOwned = body.type === 'CheckpointRestored' || (body.type === 'CheckpointCompleted' && body.savepoint !== true)
    if (isOwned) this.add(body.checkpointId, body.externalPath)
    if (body.type === 'CheckpointSubsumed') this.paths.delete(body.checkpointId)
  }

  private add(checkpoint: number, path: string): void {
    this.paths.set(checkpoint, path)
    for (const id of [...this.paths.keys()].sort((a, b) => a - b).slice(0, -this.retained)) this.paths.delete(id)
  }
}

/**
 * Null, or a file that nobody needs (DESIGN 7, 4): below the checkpoint directory only files of retained checkpoints may be.
 * `needed`: the absolute paths of all files of all retained checkpoints.
 */
export function straying(files: readonly string[], directory: string, needed: ReadonlySet<string>): string | null {
  const stray = files.filter((path) => path.startsWith(`${directory}/`) && !needed.has(path))
  return stray.length === 0 ? null : `${stray.length} files that nobody needs, such as ${stray[0]}`
}
