/**
 * The version of a heap backend and its open snapshots. Flink: CopyOnWriteStateMap's `stateMapVersion` and `snapshotVersions`.
 *
 * A snapshot takes the current version and raises it. What was written at that version or before belongs to the snapshot; whoever
 * overwrites, removes or moves such an entry has the snapshot write it first, unless its walker has been there.
 */
import type { EngineTime } from '../../model/time.ts'
import type { Entry } from './state-entries.ts'
import type { SnapshotWalk } from './snapshot-walk.ts'

const NONE = -1

export class SnapshotVersions {
  current = 0
  /** Engine time of the input being handled: when entries change. */
  now: EngineTime = 0
  /** The highest version among the open snapshots: entries above it are free to be overwritten. */
  newestOpen = NONE
  private readonly open: SnapshotWalk[] = []

  /** The version of a new snapshot. */
  take(): number {
    return this.current++
  }

  opened(walk: SnapshotWalk): void {
    this.open.push(walk)
    this.newestOpen = walk.version
  }

  /** Copying on write stops for this one. */
  closed(walk: SnapshotWalk): void {
    const at = this.open.indexOf(walk)
    if (at < 0) return
    this.open.splice(at, 1)
    this.newestOpen = this.open.reduce((newest, other) => Math.max(newest, other.version), NONE)
  }

  saveBeforeWrite(state: number, entry: Entry): void {
    for (const walk of this.open) {
      if (entry.version <= walk.version && !walk.hasPassed(state, entry.position)) walk.save(state, entry)
    }
  }

  /** `entry` has moved from `from` to its present position, maybe behind a walker that has not seen it. */
  saveBeforeMove(state: number, entry: Entry, from: number): void {
    for (const walk of this.open) {
      const missed = walk.hasPassed(state, entry.position) && !walk.hasPassed(state, from)
      if (entry.version <= walk.version && missed) walk.save(state, entry)
    }
  }
}
