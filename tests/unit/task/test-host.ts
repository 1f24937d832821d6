/**
 * A small host for several tasks: one inbox per task, virtual time, a seeded choice of what happens next. It is a plain object graph without
 * closures, so that it can be copied together with its tasks.
 */
import { Deque } from '../../../workers/base/deque.ts'
import { Prng } from '../../../workers/base/prng.ts'
import type { CheckpointOptions } from '../../../workers/model/checkpoint.ts'
import type { TaskCommand, TaskMessage } from '../../../workers/model/control.ts'
import type { TaskDeployment } from '../../../workers/model/deployment.ts'
import type { EventBody } from '../../../workers/model/events.ts'
import type { OutsideOp } from '../../../workers/model/outside.ts'
import type { StorageOp, StorageResult } from '../../../workers/model/storage.ts'
import type { TraceEvent } from '../../../workers/model/trace.ts'
import type { ChannelFeedback, ChannelMessage } from '../../../workers/model/wire.ts'
import { compileBuiltin } from '../../../workers/operators/functions/compile-builtin.ts'
import { HeapKeyedStateBackend } from '../../../workers/state/heap/heap-keyed-state-backend.ts'
import { HeapOperatorStateBackend } from '../../../workers/state/operator-state.ts'
import { StreamTask } from '../../../workers/task/stream-task.ts'
import type { StreamTaskEnvironment } from '../../../workers/task/task-environment.ts'
import type { TaskInput, TaskOut } from '../../../workers/task/task-io.ts'
import { createTestOperator } from './test-operators.ts'

export const ENVIRONMENT: StreamTaskEnvironment = {
  compile: compileBuiltin,
  createOperator: createTestOperator,
  createKeyedBackend: ({ keySchema, keyGroupRange, maxParallelism }) => new HeapKeyedStateBackend(keySchema, keyGroupRange, maxParallelism),
  createOperatorStateBackend: () => new HeapOperatorStateBackend(),
}

export class TestHost {
  now = 0
  readonly log: string[] = []
  readonly events: EventBody[] = []
  readonly traces: TraceEvent[] = []
  readonly messages: TaskMessage[] = []
  readonly files = new Map<string, Uint8Array>()
  readonly tasks: HostedTask[]
  /** Storage answers with this instead of doing its work. */
  storageFailure: Extract<StorageResult, { ok: false }> | null = null
  /** Requests to the outside world are kept until the test answers. */
  readonly outsideRequests: { readonly task: HostedTask; readonly requestId: number; readonly op: OutsideOp }[] = []
  budget = 7
  private readonly random: Prng

  constructor(deployments: readonly TaskDeployment[], seed = 1, environment = ENVIRONMENT) {
    this.random = new Prng(seed)
    this.tasks = deployments.map((deployment) => new HostedTask(this, deployment, environment))
    for (const sender of this.tasks) for (const receiver of this.tasks) sender.connect(receiver)
  }

  task(name: string, subtask = 0): HostedTask {
    const found = this.tasks.find((task) => task.machine.deployment.name === name && task.machine.deployment.subtask === subtask)
    if (found === undefined) throw new Error(`no task ${name}`)
    return found
  }

  start(): this {
    for (const task of this.tasks) task.inbox.pushBack({ type: 'start' })
    return this
  }

  command(name: string, command: TaskCommand, subtask = 0): void {
    this.task(name, subtask).inbox.pushBack({ type: 'command', command })
  }

  trigger(checkpointId: number, ...names: string[]): void {
    this.triggerWith({ alignment: 'ALIGNED' }, checkpointId, ...names)
  }

  triggerWith(mode: Pick<CheckpointOptions, 'alignment' | 'alignedTimeoutMicros'>, checkpointId: number, ...names: string[]): void {
    for (const task of this.tasks) {
      if (!names.includes(task.machine.deployment.name)) continue
      const options: CheckpointOptions = { ...mode, type: 'CHECKPOINT', location: `/cp/chk-${checkpointId}` }
      task.inbox.pushBack({ type: 'command', command: { type: 'trigger-checkpoint', checkpointId, timestamp: this.now, options } })
    }
  }

  complete(checkpointId: number): void {
    for (const task of this.tasks) task.inbox.pushBack({ type: 'command', command: { type: 'notify-checkpoint-complete', checkpointId } })
  }

  /** One action of one task. False: nothing can happen without time passing. */
  step(): boolean {
    const able = this.tasks.filter((task) => task.isAble)
    if (able.length === 0) return false
    this.random.pick(able).act(this.random)
    return true
  }

  /** Until nothing happens any more, timers included; `steps` bounds a livelock. */
  settle(steps = 100_000): this {
    for (let i = 0; i < steps; i++) {
      if (this.step()) continue
      if (!this.fireTimer()) return this
    }
    throw new Error('did not come to rest')
  }

  /** Until nothing can happen at this time. */
  drain(steps = 100_000): this {
    for (let i = 0; i < steps; i++) if (!this.step()) return this
    throw new Error('did not come to rest')
  }

  fireTimer(): boolean {
    let next: { task: HostedTask; timer: string; at: number } | null = null
    for (const task of this.tasks) {
      for (const [timer, at] of task.timers) if (next === null || at < next.at) next = { task, timer, at }
    }
    if (next === null) return false
    this.now = Math.max(this.now, next.at)
    next.task.timers.delete(next.timer)
    next.task.inbox.pushBack({ type: 'timer', timer: next.timer })
    return true
  }

  acknowledgements(checkpointId: number): Extract<TaskMessage, { type: 'acknowledge' }>[] {
    return this.messages.flatMap((message) => (message.type === 'acknowledge' && message.checkpointId === checkpointId ? [message] : []))
  }

  eventsOf<T extends EventBody['type']>(type: T): Extract<EventBody, { type: T }>[] {
    return this.events.filter((event): event is Extract<EventBody, { type: T }> => event.type === type)
  }
}

export class HostedTask implements TaskOut {
  readonly machine: StreamTask
  readonly inbox = new Deque<TaskInput>('inbox', 10_000)
  readonly timers = new Map<string, number>()
  /** The host does not let it work: messages still arrive. */
  isPaused = false
  private readonly host: TestHost
  private readonly outputs: { readonly task: HostedTask; readonly channel: number }[] = []
  private readonly inputs: { readonly task: HostedTask; readonly output: number }[] = []

  constructor(host: TestHost, deployment: TaskDeployment, environment: StreamTaskEnvironment) {
    this.host = host
    this.machine = new StreamTask(deployment, environment)
  }

  connect(receiver: HostedTask): void {
    const outputs = this.machine.deployment.partitions.flatMap((partition) => partition.subpartitions)
    const channels = receiver.machine.deployment.gates.flatMap((gate) => gate.channels)
    outputs.forEach((subpartition, output) => {
      const channel = channels.findIndex((candidate) => candidate.id === subpartition.id)
      if (channel < 0) return
      this.outputs[output] = { task: receiver, channel }
      receiver.inputs[channel] = { task: this, output }
    })
  }

  get isAble(): boolean {
    return !this.inbox.isEmpty || this.machine.hasBackgroundWork || (!this.isPaused && this.machine.waiting(this.host.now).kind === 'ready')
  }

  act(random: Prng): void {
    const { host } = this
    const actions: string[] = []
    if (!this.inbox.isEmpty) actions.push('handle')
    if (this.machine.hasBackgroundWork) actions.push('background')
    if (!this.isPaused && this.machine.waiting(host.now).kind === 'ready') actions.push('run')
    switch (random.pick(actions)) {
      case 'handle':
        this.machine.handle(this.inbox.popFront() as TaskInput, host.now, this)
        break
      case 'background':
        this.machine.background(3, host.now, this)
        break
      case 'run':
        this.machine.run(random.int(1, host.budget), host.now, this)
        break
    }
  }

  send(output: number, message: ChannelMessage): void {
    const to = this.outputs[output]
    if (to !== undefined) to.task.inbox.pushBack({ type: 'channel', channel: to.channel, message })
  }

  feedback(channel: number, feedback: ChannelFeedback): void {
    const to = this.inputs[channel]
    if (to !== undefined) to.task.inbox.pushBack({ type: 'feedback', output: to.output, feedback })
  }

  toJobManager(message: TaskMessage): void {
    this.host.messages.push(message)
    this.host.log.push(JSON.stringify({ at: this.host.now, message }))
  }

  storage(requestId: number, op: StorageOp): void {
    this.inbox.pushBack({ type: 'storage-reply', reply: { requestId, result: this.carryOut(op) } })
  }

  outside(requestId: number, op: OutsideOp): void {
    this.host.outsideRequests.push({ task: this, requestId, op })
  }

  setTimer(timer: string, at: number): void {
    this.timers.set(timer, at)
  }

  clearTimer(timer: string): void {
    this.timers.delete(timer)
  }

  event(body: EventBody): void {
    this.host.events.push(body)
    this.host.log.push(JSON.stringify({ at: this.host.now, body }))
  }

  trace(event: TraceEvent): void {
    this.host.traces.push(event)
  }

  private carryOut(op: StorageOp): StorageResult {
    const { files, storageFailure } = this.host
    if (storageFailure !== null) return storageFailure
    if (op.type === 'transact') {
      for (const write of op.writes) files.set(write.path, write.bytes)
      for (const path of op.deletes) files.delete(path)
      return { ok: true }
    }
    if (op.type !== 'read') throw new Error(`not expected: ${op.type}`)
    const bytes = files.get(op.path)
    return bytes === undefined ? { ok: false, reason: 'NOT_FOUND', message: op.path } : { ok: true, bytes }
  }
}
