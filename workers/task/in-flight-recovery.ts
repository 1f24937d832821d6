/**
 * Brings back the in-flight data of an unaligned checkpoint: that of the outputs is sent first, before the operators are opened; that of the inputs is
 * worked on before anything new and before the task is RUNNING. Flink: SequentialChannelStateReader, RecoveredInputChannel,
 * RescalingStreamTaskNetworkInput with RecordFilter (behaviour 11.4, 12.5).
 *
 * Simplified: after rescaling one channel takes the data of several old ones one after another, without their watermarks; Flink keeps virtual
 * channels apart until they have run empty.
 */
import type { GateDescription, TaskDeployment } from '../model/deployment.ts'
import type { ChannelStateHandle, OperatorRestoreState } from '../model/state-handles.ts'
import { BatchBuilder } from '../network/batch-builder.ts'
import { readChannelState } from '../network/channel-state-codec.ts'
import type { InputChannel } from '../network/input-channel.ts'
import { RECOVERED_SEQUENCE } from '../network/input-gates.ts'
import type { InputGates } from '../network/input-gates.ts'
import { KeySelector } from '../network/key-selector.ts'
import { KeyGroupPartitioner } from '../network/partitioners/key-group-partitioner.ts'
import { batchLayout } from '../network/record-batch.ts'
import type { RecordWriter } from '../network/record-writer.ts'
import { UNKNOWN_LINEAGE } from '../network/transport-effects.ts'
import type { StreamElement } from '../state/serializers/stream-element-serializer.ts'
import { must } from '../base/assert.ts'
import type { TaskEffects } from './task-effects.ts'

/** All bytes of the file that a handle points into. */
export type FileBytes = (handle: Pick<ChannelStateHandle, 'stream'>) => Uint8Array

export class InFlightRecovery {
  private readonly deployment: TaskDeployment
  private readonly gates: InputGates
  private readonly writer: RecordWriter
  private readonly effects: TaskEffects
  private outputs: { readonly partition: number; readonly target: number; readonly element: StreamElement }[] = []
  private sent = 0

  constructor(deployment: TaskDeployment, gates: InputGates, writer: RecordWriter, effects: TaskEffects) {
    this.deployment = deployment
    this.gates = gates
    this.writer = writer
    this.effects = effects
  }

  /** `head` and `tail`: the states of the two ends of the chain, which hold it. Throws `FormatError` where bytes are not what they should be. */
  load(checkpointId: number, head: OperatorRestoreState | null, tail: OperatorRestoreState | null, bytesOf: FileBytes): void {
    this.loadOutputs(checkpointId, tail, bytesOf)
    this.loadInputs(checkpointId, head, bytesOf)
  }

  /** Sends as much as there are buffers for; true when all has been. */
  sendOutputs(): boolean {
    while (this.sent < this.outputs.length) {
      if (!this.writer.isAvailable) return false
      const { partition, target, element } = this.outputs[this.sent] as (typeof this.outputs)[number]
      const to = must(this.writer.partitions[partition], `partition ${partition}`)
      if (element.kind === 'record') to.emitRecovered(target, element.value, element.timestamp ?? NaN)
      else to.emitRecoveredWatermark(target, element.timestamp)
      this.sent++
    }
    if (this.outputs.length > 0) this.writer.flush()
    this.outputs = []
    this.sent = 0
    return true
  }

  private loadOutputs(checkpointId: number, state: OperatorRestoreState | null, bytesOf: FileBytes): void {
    let records = 0
    for (const handle of state?.resultSubpartition ?? []) {
      const { schema } = must(this.deployment.partitions[handle.major], `partition ${handle.major}`)
      for (const element of readChannelState(handle, bytesOf(handle), schema, handle.continues === undefined ? null : bytesOf(handle.continues))) {
        if (element.kind === 'record') records++
        else if (state?.isInFlightRescaled === true) continue
        this.outputs.push({ partition: handle.major, target: handle.minor, element })
      }
    }
    if (records > 0) this.effects.event({ type: 'InFlightRestored', checkpointId, side: 'output', records })
  }

  private loadInputs(checkpointId: number, state: OperatorRestoreState | null, bytesOf: FileBytes): void {
    const fillers = new Map<InputChannel, ChannelFiller>()
    for (const handle of state?.inputChannel ?? []) {
      const gate = must(this.deployment.gates[handle.major], `gate ${handle.major}`)
      const channel = must(
        this.gates.channels.find((candidate) => candidate.gate === handle.major && candidate.index === handle.minor),
        `channel ${handle.minor} of gate ${handle.major}`,
      )
      const filler = fillers.get(channel) ?? new ChannelFiller(channel, gate, this.deployment)
      fillers.set(channel, filler)
      filler.add(readChannelState(handle, bytesOf(handle), gate.schema), state?.isInFlightRescaled === true)
    }
    let records = 0
    for (const filler of fillers.values()) records += filler.finish(this.effects.now)
    if (records > 0) this.effects.event({ type: 'InFlightRestored', checkpointId, side: 'input', records })
  }
}

/** Puts restored elements into buffers of a channel, as if they had just been received. */
class ChannelFiller {
  private readonly channel: InputChannel
  private readonly builder: BatchBuilder
  /** Of a hash edge: a record of another subtask's key groups is not for this one (behaviour 11.4). */
  private readonly owner: KeyGroupPartitioner | null
  private readonly subtask: number
  private records = 0

  constructor(channel: InputChannel, gate: GateDescription, deployment: TaskDeployment) {
    this.channel = channel
    this.builder = new BatchBuilder(batchLayout(gate.schema, deployment.settings.segmentBytes), 0)
    this.owner =
      gate.ship === 'hash' && gate.by !== undefined
        ? new KeyGroupPartitioner(new KeySelector(gate.schema, gate.by), deployment.parallelism, deployment.maxParallelism)
        : null
    this.subtask = deployment.subtask
  }

  add(elements: readonly StreamElement[], withoutWatermarks: boolean): void {
    for (const element of elements) {
      if (element.kind === 'watermark') {
        if (withoutWatermarks) continue
        this.builder.open()
        this.builder.appendWatermark(element.timestamp)
      } else if (this.owner === null || this.owner.select(element.value) === this.subtask) {
        this.builder.open()
        this.records++
        if (this.builder.append(element.value, element.timestamp ?? NaN, -1, -1)) this.seal()
      }
    }
  }

  /** How many records there are in all. */
  finish(now: number): number {
    if (!this.builder.isEmpty) this.seal(now)
    return this.records
  }

  private seal(now = 0): void {
    const buffer = this.builder.seal(RECOVERED_SEQUENCE, now, UNKNOWN_LINEAGE)
    // A dictionary that no sender's can be mistaken for: theirs count from 1.
    this.channel.addRecovered({ ...buffer, dictionaryEpoch: -buffer.dictionaryEpoch })
  }
}
