/** The broker of ports: makes every line of a deployment before any of its tasks starts (DESIGN 8, 11). */
import type { ChannelId, ExecutionAttemptId } from '../../model/ids.ts'
import type { Latencies } from './latencies.ts'
import { Line } from './line.ts'
import { ControlLine } from './control-line.ts'
import type { AckDelay } from './control-line.ts'
import type { OutsideCall, StorageAnswer, StorageCall, TaskEnvelope } from './envelopes.ts'
import type { SimulatedJobManager } from './simulated-job-manager.ts'
import type { SimulatedOutside } from './simulated-outside.ts'
import type { SimulatedStorage } from './simulated-storage.ts'
import type { PeerEnd, SimulatedTask } from './simulated-task.ts'
import type { World } from './world.ts'

export interface Connecting {
  readonly world: World
  readonly latencies: Latencies
  readonly leader: SimulatedJobManager
  readonly storage: SimulatedStorage
  readonly outside: SimulatedOutside
  readonly ackDelays: readonly AckDelay[]
  readonly fresh: readonly SimulatedTask[]
  /** With those that go on running, after a regional failover. */
  readonly all: ReadonlyMap<ExecutionAttemptId, SimulatedTask>
}

export function connectTasks(connecting: Connecting): void {
  const { world, latencies } = connecting
  for (const task of connecting.fresh) {
    const outsideMicros = [latencies.outsideMicros, latencies.outsideJitterMicros] as const
    const storageMicros = [latencies.storageMicros, latencies.storageJitterMicros] as const
    task.connections = {
      outputs: [],
      inputs: [],
      incoming: [],
      jobManager: new ControlLine(
        world, connecting.leader, latencies.controlMicros, latencies.controlJitterMicros,
        connecting.ackDelays, task.deployment.chain.map((operator) => operator.uid),
      ),
      storage: new Line<StorageCall>(world, connecting.storage, ...storageMicros),
      storageAnswers: new Line<StorageAnswer>(world, task, ...storageMicros),
      outside: new Line<OutsideCall>(world, connecting.outside, ...outsideMicros),
      outsideAnswers: new Line<TaskEnvelope>(world, task, ...outsideMicros),
    }
  }
  const receivers = receiverByChannel(connecting.all)
  for (const sender of connecting.all.values()) {
    if (!sender.alive || sender.connections === null) continue
    let output = 0
    for (const partition of sender.deployment.partitions) {
      for (const subpartition of partition.subpartitions) connectChannel(connecting, sender, output++, receivers.get(subpartition.id) ?? null)
    }
  }
}

interface ReceivingEnd {
  readonly task: SimulatedTask
  readonly channel: number
}

function receiverByChannel(all: ReadonlyMap<ExecutionAttemptId, SimulatedTask>): Map<ChannelId, ReceivingEnd> {
  const receivers = new Map<ChannelId, ReceivingEnd>()
  for (const task of all.values()) {
    if (!task.alive) continue
    let channel = 0
    for (const gate of task.deployment.gates) {
      for (const { id } of gate.channels) receivers.set(id, { task, channel: channel++ })
    }
  }
  return receivers
}

function connectChannel({ world, latencies, fresh }: Connecting, sender: SimulatedTask, output: number, receiver: ReceivingEnd | null): void {
  if (sender.connections === null) return
  if (receiver === null || receiver.task.connections === null) {
    sender.connections.outputs[output] ??= null
    return
  }
  if (!fresh.includes(sender) && !fresh.includes(receiver.task)) return
  const latency = latencies.linkMicros + sender.deployment.settings.linkLatencyMicros
  const end = (to: SimulatedTask, number: number): PeerEnd => ({ line: new Line<TaskEnvelope>(world, to, latency, latencies.linkJitterMicros), number })
  const there = end(receiver.task, receiver.channel)
  there.line.slowDown(receiver.task.delays[receiver.channel] ?? 0)
  sender.connections.outputs[output] = there
  receiver.task.connections.incoming[receiver.channel] = there.line
  receiver.task.connections.inputs[receiver.channel] = end(sender, output)
}
