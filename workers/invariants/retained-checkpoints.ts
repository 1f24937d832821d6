import type { EngineEvent } from '../model/events.ts'

/** Which checkpoints the log says are kept: completed (or restored) and not subsumed since. Path by id. */
export class RetainedCheckpoints {
  readonly paths = new Map<number, string>()

  observe(event: EngineEvent): void {
    const body = event.body
    if (body.type === 'CheckpointCompleted' || body.type === 'CheckpointRestored') this.paths.set(body.checkpointId, body.externalPath)
    if (body.type === 'CheckpointSubsumed') this.paths.delete(body.checkpointId)
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
