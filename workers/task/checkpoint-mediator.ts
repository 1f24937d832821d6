/**
 * Between barrier handler, snapshot procedure and the rest of the task: carries out what the first two ask for, and reports what happened.
 * Flink: the CheckpointableTask side of StreamTask, and CheckpointedInputGate's channel blocking.
 */
import { must } from '../base/assert.ts'
import type { AlignmentMetrics, BarrierHandlerOwner } from '../checkpointing/barrier-handler.ts'
import type { InFlightChannel } from '../network/in-flight-buffer.ts'
import type { SubtaskCheckpointCoordinator } from '../checkpointing/subtask-checkpoint-coordinator.ts'
import type { SubtaskCheckpointOwner } from '../checkpointing/subtask-checkpoint-owner.ts'
import type { SyncPartStart } from '../checkpointing/sync-part.ts'
import { alignmentDeadline, isTimeoutable, isUnaligned } from '../model/alignment.ts'
import { CHECKPOINT_FAILURE_REASONS } from '../model/checkpoint.ts'
import type { CheckpointFailureReason, CheckpointMetrics } from '../model/checkpoint.ts'
import type { EventOf } from '../model/events.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { TaskStateSnapshot } from '../model/state-handles.ts'
import type { StorageOp } from '../model/storage.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointBarrier } from '../model/wire.ts'
import type { InputGates } from '../network/input-gates.ts'
import type { RecordWriter } from '../network/record-writer.ts'
import type { TaskEventBody } from '../operators/operator.ts'
import type { GateInput } from './gate-input.ts'
import type { TaskEffects } from './task-effects.ts'

/** One for each checkpoint, its id behind. */
export const ALIGNMENT_TIMER = 'alignment:'

export class CheckpointMediator implements BarrierHandlerOwner, SubtaskCheckpointOwner {
  /** Of the last checkpoint of this task. */
  startDelayMicros: EngineTime = 0
  /** Of the last alignment; 0: it was given up. */
  alignmentMicros: EngineTime = 0
  private readonly effects: TaskEffects
  private readonly gates: InputGates
  private readonly writer: RecordWriter
  /** The barriers that come in are those of a trigger, in channels whose own will not come. */
  isTriggering = false
  private coordinator: SubtaskCheckpointCoordinator | null = null
  private gateInput: GateInput | null = null
  /** Set at the end of data: the first checkpoint after it is the one to wait for (behaviour 14). */
  private isAfterEndOfData = false
  private finalCheckpointMin: CheckpointId | null = null
  private isFinalCompleted = false
  /** The savepoint that this task stops with; it waits for its completion, and dies with it. */
  private syncSavepoint: CheckpointId | null = null

  constructor(effects: TaskEffects, gates: InputGates, writer: RecordWriter) {
    this.effects = effects
    this.gates = gates
    this.writer = writer
  }

  /** The two that need this one to be made first. */
  connect(coordinator: SubtaskCheckpointCoordinator, gateInput: GateInput | null): void {
    this.coordinator = coordinator
    this.gateInput = gateInput
  }

  get now(): EngineTime {
    return this.effects.now
  }

  get isFailing(): boolean {
    return this.effects.failure !== null
  }

  get isBlocked(): boolean {
    return this.writer.isBlocked
  }

  get isFinalCheckpointCompleted(): boolean {
    return this.isFinalCompleted
  }

  onEndOfData(): void {
    this.isAfterEndOfData = true
  }

  /** With a synchronous savepoint only its own completion ends the wait. Flink: StreamTask.notifyCheckpointComplete. */
  onCheckpointComplete(checkpointId: CheckpointId): void {
    const { syncSavepoint, finalCheckpointMin } = this
    if (syncSavepoint === null ? finalCheckpointMin !== null && checkpointId >= finalCheckpointMin : checkpointId === syncSavepoint) this.isFinalCompleted = true
  }

  /** The task stops with this savepoint. */
  enterSynchronousSavepoint(checkpointId: CheckpointId): void {
    this.syncSavepoint = checkpointId
  }

  get isInSynchronousSavepoint(): boolean {
    return this.syncSavepoint !== null
  }

  /**
   * There is no way back for a task that has stopped for a savepoint which is not to be: that is what it fails of, in whatever step of the
   * snapshot it is. Flink: StreamTask.notifyCheckpointAborted.
   */
  onCheckpointAborted(checkpointId: CheckpointId): void {
    if (checkpointId !== this.syncSavepoint) return
    must(this.coordinator, 'coordinator').close()
    this.effects.failure ??= { message: 'Stop-with-savepoint failed.', detail: `savepoint ${checkpointId} was aborted`, nonRecoverable: false }
  }

  /** Of a trigger command at a task without running inputs: no alignment. */
  performCheckpoint(barrier: CheckpointBarrier): void {
    const alignment = { startDelayMicros: Math.max(0, this.now - barrier.timestamp), alignmentMicros: 0 }
    this.checkpoint(barrier, { alignment, processedBytes: 0, isTriggered: true })
  }

  // ── for the barrier handler

  triggerCheckpointOnBarrier(barrier: CheckpointBarrier, alignment: AlignmentMetrics): void {
    if (!isUnaligned(barrier.options)) {
      this.effects.event({ type: 'AlignmentCompleted', checkpointId: barrier.checkpointId, alignmentMicros: alignment.alignmentMicros })
    }
    this.checkpoint(barrier, { alignment, processedBytes: this.gateInput?.alignmentBytes ?? 0, isTriggered: this.isTriggering })
  }

  abortCheckpointOnBarrier(checkpointId: CheckpointId, reason: CheckpointFailureReason): void {
    this.onCheckpointAborted(checkpointId)
    this.alignmentMicros = 0
    must(this.coordinator, 'coordinator').abortCheckpointOnBarrier(checkpointId, reason, CHECKPOINT_FAILURE_REASONS[reason].message)
  }

  inputsStarted(barrier: CheckpointBarrier): void {
    const { checkpointId } = barrier
    this.effects.event({ type: 'UnalignedSnapshotStarted', checkpointId })
    must(this.coordinator, 'coordinator').startInputs(checkpointId)
    for (const channel of this.gates.channels) channel.startPersisting(checkpointId)
  }

  inputsStopped(checkpointId: CheckpointId, alignmentMicros: EngineTime | null): void {
    const inputs = this.gates.stopPersisting()
    if (alignmentMicros === null) return
    this.alignmentMicros = alignmentMicros
    this.effects.event({ type: 'AlignmentCompleted', checkpointId, alignmentMicros })
    const end = { alignmentMicros, processedBytes: this.gateInput?.alignmentBytes ?? 0 }
    must(this.coordinator, 'coordinator').finishInputs(checkpointId, inputs, end)
  }

  convertToPriority(checkpointId: CheckpointId, number: number): void {
    if (!this.gates.convertToPriority(number, checkpointId)) return
    const { id } = must(this.gates.channels[number], `channel ${number}`)
    this.effects.event({ type: 'BarrierPulledForward', checkpointId, channel: id, side: 'input' })
  }

  setAlignmentTimer(checkpointId: CheckpointId, at: EngineTime | null): void {
    if (at === null) this.effects.clearTimer(`${ALIGNMENT_TIMER}${checkpointId}`)
    else this.effects.setTimer(`${ALIGNMENT_TIMER}${checkpointId}`, at)
  }

  blockChannel(checkpointId: CheckpointId, number: number): void {
    const channel = must(this.gates.channels[number], `channel ${number}`)
    channel.isBlocked = true
    this.effects.event({ type: 'ChannelBlocked', checkpointId, channel: channel.id })
  }

  resumeChannel(checkpointId: CheckpointId, number: number): void {
    const channel = must(this.gates.channels[number], `channel ${number}`)
    this.effects.feedback(number, { kind: 'resume' })
    if (!channel.isBlocked) return
    channel.isBlocked = false
    this.effects.event({ type: 'ChannelUnblocked', checkpointId, channel: channel.id })
  }

  barrierArrived(checkpointId: CheckpointId, number: number, arrived: number, expected: number): void {
    if (arrived === 1 && this.gateInput !== null) this.gateInput.alignmentBytes = 0
    const channel = must(this.gates.channels[number], `channel ${number}`)
    this.effects.event({ type: 'BarrierArrived', checkpointId, channel: channel.id, arrived, expected })
  }

  // ── for the snapshot procedure

  get subtask(): number {
    return this.effects.subtask
  }

  get taskName(): string {
    return this.effects.taskName
  }

  broadcastBarrier(barrier: CheckpointBarrier): readonly InFlightChannel[] {
    this.effects.lastBarrier = barrier.checkpointId
    const overtaken = this.writer.broadcastBarrier(barrier)
    const channels = this.writer.subpartitions.map((subpartition) => subpartition.channel)
    if (channels.length > 0) this.effects.event({ type: 'BarrierEmitted', checkpointId: barrier.checkpointId, channels, ...this.mannerOf(barrier) })
    return overtaken
  }

  /** What the barrier may do to data before it, on the outputs that know unaligned barriers. */
  private mannerOf(barrier: CheckpointBarrier): Pick<EventOf<'BarrierEmitted'>, 'overtakes' | 'timesOut'> {
    const { options, timestamp } = barrier
    if (!isUnaligned(options) && !isTimeoutable(options)) return {}
    const able = this.writer.partitions.filter((partition) => partition.unalignedSupported)
    const channels = able.flatMap((partition) => partition.subpartitions.map((subpartition) => subpartition.channel))
    if (channels.length === 0) return {}
    return isUnaligned(options) ? { overtakes: channels } : { timesOut: { from: timestamp, until: alignmentDeadline(barrier), channels } }
  }

  hasTimeoutableOutput(checkpointId: CheckpointId): boolean {
    return this.writer.hasTimeoutableBarrier(checkpointId)
  }

  timeOutOutputs(checkpointId: CheckpointId): readonly InFlightChannel[] {
    const overtaken = this.writer.timeOutBarrier(checkpointId)
    for (const { major, minor } of overtaken) {
      const channel = must(this.writer.partitions[major]?.subpartitions[minor], 'subpartition').channel
      this.effects.event({ type: 'BarrierPulledForward', checkpointId, channel, side: 'output' })
    }
    return overtaken
  }

  discardInputs(): void {
    this.gates.stopPersisting()
  }

  broadcastCancelMarker(checkpointId: CheckpointId): void {
    this.writer.broadcastEvent({ type: 'cancel-checkpoint', checkpointId })
  }

  storage(op: StorageOp): number {
    return this.effects.storage(op)
  }

  setTimer(timer: string, at: EngineTime): void {
    this.effects.setTimer(timer, at)
  }

  acknowledge(checkpointId: CheckpointId, metrics: CheckpointMetrics, snapshot: TaskStateSnapshot): void {
    this.effects.toJobManager({ type: 'acknowledge', attempt: this.effects.attempt, checkpointId, metrics, snapshot })
  }

  decline(checkpointId: CheckpointId, reason: CheckpointFailureReason, message: string): void {
    this.effects.toJobManager({ type: 'decline', attempt: this.effects.attempt, checkpointId, reason, message })
  }

  event(body: TaskEventBody): void {
    this.effects.event(body)
  }

  private checkpoint(barrier: CheckpointBarrier, start: SyncPartStart): void {
    if (barrier.options.type === 'SYNC_SAVEPOINT' && !must(this.coordinator, 'coordinator').isAborted(barrier.checkpointId)) {
      this.enterSynchronousSavepoint(barrier.checkpointId)
    }
    this.startDelayMicros = start.alignment.startDelayMicros
    this.alignmentMicros = start.alignment.alignmentMicros
    if (this.isAfterEndOfData) this.finalCheckpointMin ??= barrier.checkpointId
    must(this.coordinator, 'coordinator').checkpointState(barrier, start)
  }
}
