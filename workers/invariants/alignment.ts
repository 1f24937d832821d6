import type { EngineEvent } from '../model/events.ts'
import type { TraceEvent } from '../model/trace.ts'
import type { EventChecker } from './checker.ts'

/**
 * Aligned, exactly-once (behaviour 6.2): between the barrier on a channel and the channel's release no record of that channel is processed; every
 * blocked channel is released again. Reads the record trace too, where there is one.
 */
export class Alignment implements EventChecker {
  readonly invariant = 'alignment'
  /** By attempt: the last checkpoint that it has taken unaligned. */
  private unaligned = new Map<string, number>()
  /** By attempt and channel: the checkpoint whose barrier closed it. */
  private closed = new Map<string, Map<string, number>>()
  /** Checkpoints whose barriers block nothing. */
  private readonly atLeastOnce = new Set<number>()

  startJob(): void {
    this.closed.clear()
    this.unaligned.clear()
    this.atLeastOnce.clear()
  }

  check(event: EngineEvent): string | null {
    const body = event.body
    switch (body.type) {
      case 'LeadershipGranted':
        this.startJob()
        return null
      case 'CheckpointTriggered':
        if (body.atLeastOnce === true) this.atLeastOnce.add(body.checkpointId)
        return null
      case 'UnalignedSnapshotStarted':
        this.unaligned.set(body.attempt, body.checkpointId)
        this.open(body.attempt, body.checkpointId)
        return null
      case 'BarrierArrived':
        // Unaligned: the snapshot has been taken, and what stands before this barrier is kept.
        if (this.unaligned.get(body.attempt) === body.checkpointId || this.atLeastOnce.has(body.checkpointId)) return null
        if (body.arrived < body.expected) this.of(body.attempt).set(body.channel, body.checkpointId)
        return null
      case 'AlignmentCompleted':
      case 'CheckpointAbortedAtTask':
        this.open(body.attempt, body.checkpointId)
        return null
      case 'ChannelUnblocked':
        this.closed.get(body.attempt)?.delete(body.channel)
        return null
      case 'SyncSnapshotStarted':
        return this.unfinished(body.attempt, body.checkpointId)
      case 'TaskStateChanged':
        if (body.to === 'FAILED' || body.to === 'CANCELED') this.closed.delete(body.attempt)
        return null
      default:
        return null
    }
  }

  /** A record was taken from a channel. */
  checkTrace(trace: TraceEvent): string | null {
    if (trace.type !== 'taken') return null
    const checkpoint = this.closed.get(trace.attempt)?.get(trace.channel)
    return checkpoint === undefined ? null : `${trace.attempt} took a record of ${trace.channel} behind barrier ${checkpoint} before the others came`
  }

  private unfinished(attempt: string, checkpoint: number): string | null {
    for (const [channel, id] of this.closed.get(attempt) ?? []) {
      if (id < checkpoint) return `${attempt} snapshots ${checkpoint} while ${channel} is still closed by ${id}`
    }
    return null
  }

  private open(attempt: string, checkpoint: number): void {
    const channels = this.closed.get(attempt)
    if (channels === undefined) return
    for (const [channel, id] of [...channels]) if (id <= checkpoint) channels.delete(channel)
  }

  private of(attempt: string): Map<string, number> {
    let channels = this.closed.get(attempt)
    if (channels === undefined) this.closed.set(attempt, (channels = new Map()))
    return channels
  }
}
