import type { EngineEvent, EventBody, EventOf } from '../model/events.ts'
import type { EventChecker } from './checker.ts'

interface Checkpoint {
  tasks: number
  at: number
  status: 'pending' | 'completed' | 'aborted'
  acknowledged: Set<string>
  /** Tasks that had finished when it was triggered: they count as acknowledged (behaviour 14). */
  finished: number
  /** A task has heard of it. */
  reached: boolean
  bytes: number
}

/**
 * A checkpoint's life at the JobManager (behaviour 3): ids only grow, also across leaders (one that no task has heard of, because its leader died
 * before the counter was stored, may come again); each task acknowledges once; complete only when every
 * task has; completed or aborted once, never both; what is restored had completed; figures add up.
 */
export class CheckpointLifecycle implements EventChecker {
  readonly invariant = 'checkpoint-lifecycle'
  private checkpoints = new Map<number, Checkpoint>()
  private lastId = 0
  private latestCompleted = 0
  private readonly finished = new Set<string>()

  startJob(): void {
    this.checkpoints.clear()
    this.finished.clear()
    this.lastId = 0
    this.latestCompleted = 0
  }

  check(event: EngineEvent): string | null {
    const body = event.body
    switch (body.type) {
      case 'TaskStateChanged':
        if (body.to === 'FINISHED') this.finished.add(`${body.vertex}/${body.subtask}`)
        else this.finished.delete(`${body.vertex}/${body.subtask}`)
        return null
      case 'CheckpointTriggered':
        return this.triggered(body, event.at)
      case 'CheckpointAcknowledged':
        return this.acknowledged(body)
      case 'CheckpointCompleted':
        return this.completed(body, event.at)
      case 'CheckpointAborted':
        return this.aborted(body)
      case 'CheckpointRestored':
        return this.restored(body)
      default:
        return this.references(body)
    }
  }

  private triggered(body: EventOf<'CheckpointTriggered'>, at: number): string | null {
    const last = this.lastId
    this.lastId = Math.max(last, body.checkpointId)
    this.checkpoints.set(body.checkpointId, { tasks: body.tasks, at, status: 'pending', acknowledged: new Set(), finished: this.finished.size, reached: false, bytes: 0 })
    return body.checkpointId > last ? null : `checkpoint ${body.checkpointId} was triggered after ${last}`
  }

  private acknowledged(body: EventOf<'CheckpointAcknowledged'>): string | null {
    const checkpoint = this.checkpoints.get(body.checkpointId)
    if (checkpoint === undefined) return `checkpoint ${body.checkpointId} was acknowledged and never triggered`
    if (checkpoint.status !== 'pending') return `checkpoint ${body.checkpointId} was acknowledged after it was ${checkpoint.status}`
    const task = `${body.vertex}/${body.subtask}`
    if (checkpoint.acknowledged.has(task)) return `${task} acknowledged checkpoint ${body.checkpointId} twice`
    checkpoint.acknowledged.add(task)
    checkpoint.bytes += body.metrics.checkpointedBytes
    const seen = checkpoint.acknowledged.size + checkpoint.finished
    if (body.acknowledged !== seen || body.tasks !== checkpoint.tasks) {
      return `checkpoint ${body.checkpointId}: says ${body.acknowledged}/${body.tasks}, seen ${seen}/${checkpoint.tasks}`
    }
    const { startDelayMicros, alignmentMicros, syncMicros, asyncMicros, processedBytes, persistedBytes, checkpointedBytes, stateBytes } = body.metrics
    const figures = [startDelayMicros, alignmentMicros, syncMicros, asyncMicros, processedBytes, persistedBytes, checkpointedBytes, stateBytes]
    return figures.every((figure) => Number.isFinite(figure) && figure >= 0) ? null : `metrics of ${task}: ${figures.join(', ')}`
  }

  private completed(body: EventOf<'CheckpointCompleted'>, at: number): string | null {
    const checkpoint = this.checkpoints.get(body.checkpointId)
    if (checkpoint === undefined) return `checkpoint ${body.checkpointId} completed and was never triggered`
    if (checkpoint.status !== 'pending') return `checkpoint ${body.checkpointId} completed after it was ${checkpoint.status}`
    checkpoint.status = 'completed'
    const previous = this.latestCompleted
    // A savepoint is no recovery point, and may complete in any order.
    if (body.savepoint !== true) this.latestCompleted = Math.max(previous, body.checkpointId)
    if (checkpoint.acknowledged.size + checkpoint.finished !== checkpoint.tasks) {
      return `checkpoint ${body.checkpointId} completed with ${checkpoint.acknowledged.size + checkpoint.finished} of ${checkpoint.tasks} acknowledgements`
    }
    if (body.checkpointId < previous && body.savepoint !== true) return `checkpoint ${body.checkpointId} completed after ${previous}`
    if (body.checkpointedBytes < checkpoint.bytes) return `checkpoint ${body.checkpointId}: ${body.checkpointedBytes} bytes, its tasks wrote ${checkpoint.bytes}`
    const duration = at - checkpoint.at
    return body.durationMicros >= 0 && body.durationMicros <= duration ? null : `duration ${body.durationMicros}, but ${duration} since the trigger`
  }

  private aborted(body: EventOf<'CheckpointAborted'>): string | null {
    const checkpoint = this.checkpoints.get(body.checkpointId)
    if (checkpoint === undefined) return `checkpoint ${body.checkpointId} was aborted and never triggered`
    if (checkpoint.status !== 'pending') return `checkpoint ${body.checkpointId} was aborted after it was ${checkpoint.status}`
    checkpoint.status = 'aborted'
    return null
  }

  /** A leader that died between writing and telling leaves a checkpoint that completed without our having seen it: so pending passes too. */
  private restored(body: EventOf<'CheckpointRestored'>): string | null {
    const checkpoint = this.checkpoints.get(body.checkpointId)
    if (checkpoint === undefined && this.lastId === 0) return this.startedFrom(body.checkpointId)
    if (checkpoint === undefined) return `checkpoint ${body.checkpointId} was restored and never triggered`
    if (checkpoint.status === 'aborted') return `checkpoint ${body.checkpointId} was restored although it was aborted`
    if (checkpoint.status === 'pending') {
      if (checkpoint.acknowledged.size + checkpoint.finished !== checkpoint.tasks) return `checkpoint ${body.checkpointId} was restored although tasks had not acknowledged it`
      checkpoint.status = 'completed'
    }
    const latest = this.latestCompleted
    this.latestCompleted = Math.max(latest, body.checkpointId)
    return body.checkpointId >= latest ? null : `checkpoint ${body.checkpointId} was restored, the latest completed is ${latest}`
  }

  /** What the job was started from, another job made: ids go on behind it (behaviour 12.3). */
  private startedFrom(id: number): null {
    this.checkpoints.set(id, { tasks: 0, at: 0, status: 'completed', acknowledged: new Set(), finished: 0, reached: true, bytes: 0 })
    this.lastId = id
    this.latestCompleted = id
    return null
  }

  private references(body: EventBody): string | null {
    if (body.type === 'LeadershipGranted') this.lastId = Math.max(0, ...[...this.checkpoints].flatMap(([id, { reached }]) => (reached ? [id] : [])))
    if (!('checkpointId' in body) || body.type === 'LateMessage') return null
    const checkpoint = this.checkpoints.get(body.checkpointId)
    if (checkpoint !== undefined && 'attempt' in body) checkpoint.reached = true
    return checkpoint !== undefined ? null : `${body.type} names checkpoint ${body.checkpointId}, which was never triggered`
  }
}
