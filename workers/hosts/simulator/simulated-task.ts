/**
 * A task worker of the simulated world: hosts one `StreamTask`, carries out its effects, gives it turns. It runs for as long as it is alive; a
 * kill ends it between two messages, as `terminate()` ends a worker, and its ports drop what was under way.
 */
import { assert } from '../../base/assert.ts'
import type { TaskDeployment } from '../../model/deployment.ts'
import type { EventBody } from '../../model/events.ts'
import type { TaskMessage } from '../../model/control.ts'
import type { ChannelDelays } from '../../model/live-settings.ts'
import type { TaskManagerId } from '../../model/ids.ts'
import type { OutsideOp } from '../../model/outside.ts'
import type { StorageOp } from '../../model/storage.ts'
import type { EngineTime } from '../../model/time.ts'
import type { TraceEvent } from '../../model/trace.ts'
import type { ChannelFeedback, ChannelMessage } from '../../model/wire.ts'
import type { LocalStateStore } from '../../task/local-state-store.ts'
import type { StreamTask } from '../../task/stream-task.ts'
import type { TaskInput, TaskOut } from '../../task/task-io.ts'
import type { JobManagerEnvelope, OutsideCall, StorageAnswer, StorageCall, TaskEnvelope } from './envelopes.ts'
import type { Latencies } from './latencies.ts'
import type { Line } from './line.ts'
import type { Receiver, World } from './world.ts'

/** A line to a peer, and the number that the peer knows this connection by. */
export interface PeerEnd {
  readonly line: Line<TaskEnvelope>
  readonly number: number
}

/** All connections of a task, made by the broker before any task starts. Null: the peer never came to life. */
export interface TaskConnections {
  readonly outputs: (PeerEnd | null)[]
  readonly inputs: (PeerEnd | null)[]
  /** By channel: the line that ends here. */
  readonly incoming: Line<TaskEnvelope>[]
  readonly jobManager: Line<JobManagerEnvelope>
  readonly storage: Line<StorageCall>
  readonly storageAnswers: Line<StorageAnswer>
  readonly outside: Line<OutsideCall>
  readonly outsideAnswers: Line<TaskEnvelope>
}

/** A task may send so many things in one turn at most; more is a loop. */
const EARLY_MAX = 100_000

export class SimulatedTask implements Receiver<TaskEnvelope>, TaskOut {
  readonly machine: StreamTask
  readonly deployment: TaskDeployment
  readonly taskManager: TaskManagerId
  /** Of its TaskManager; null: that has died before the task began. */
  private readonly localState: LocalStateStore | null
  /** By channel: what comes in takes so much longer on its way. */
  readonly delays: EngineTime[]
  connections: TaskConnections | null = null
  alive = true
  private readonly world: World
  private readonly latencies: Latencies
  private started = false
  private early: TaskInput[] = []
  private turnDue = false
  private sliceDue = false
  private workToWrite = false
  /** The turn in progress is over then: no other begins before. */
  private busyThrough: EngineTime = 0
  private readonly timers = new Map<string, number>()
  private generation = 0

  constructor(world: World, latencies: Latencies, machine: StreamTask, taskManager: TaskManagerId, localState: LocalStateStore | null) {
    this.localState = localState
    localState?.serve(machine.deployment.job)
    this.world = world
    this.latencies = latencies
    this.machine = machine
    this.deployment = machine.deployment
    this.taskManager = taskManager
    this.delays = this.deployment.gates.flatMap(({ channels }) => channels.map(({ delayMicros }) => delayMicros ?? 0))
  }

  receive(message: TaskEnvelope): void {
    if (!this.alive) return
    switch (message.type) {
      case 'start':
        return this.start()
      case 'input':
        return this.input(message.input)
      case 'turn':
        return this.turn()
      case 'slice':
        return this.slice()
      case 'timer':
        if (this.timers.get(message.timer) !== message.generation) return
        this.timers.delete(message.timer)
        return this.input({ type: 'timer', timer: message.timer })
    }
  }

  /** It has reached a terminal state and said so: it goes, and what it has sent arrives. */
  retire(): void {
    this.alive = false
  }

  /** `terminate()`: nothing of it happens any more; what it had sent arrives up to some moment. */
  kill(): void {
    if (!this.alive) return
    this.alive = false
    const connections = this.connections
    if (connections === null) return
    for (const end of [...connections.outputs, ...connections.inputs]) end?.line.cutSomewhere()
    connections.jobManager.cutSomewhere()
    connections.storage.cutSomewhere()
    connections.outside.cutSomewhere()
  }

  private start(): void {
    this.started = true
    this.machine.handle({ type: 'start' }, this.world.now, this)
    const early = this.early
    this.early = []
    for (const input of early) this.machine.handle(input, this.world.now, this)
    this.settle()
  }

  private input(input: TaskInput): void {
    if (input.type === 'command') this.localState?.onCommand(input.command)
    if (input.type === 'command' && input.command.type === 'change-settings') this.delayChannels(input.command.change.delays ?? {})
    if (!this.started) {
      assert(this.early.length < EARLY_MAX, 'too much came before a task started')
      this.early.push(input)
      return
    }
    if (input.type === 'storage-reply') this.workToWrite = true
    this.machine.handle(input, this.world.now, this)
    this.settle()
  }

  private delayChannels(delays: ChannelDelays): void {
    const channels = this.deployment.gates.flatMap((gate) => gate.channels)
    channels.forEach(({ id }, channel) => {
      const micros = delays[id]
      if (micros === undefined) return
      this.delays[channel] = micros
      this.connections?.incoming[channel]?.slowDown(micros)
    })
  }

  private turn(): void {
    this.turnDue = false
    if (this.machine.waiting(this.world.now).kind !== 'ready') return this.settle()
    const budget = this.world.random.int(1, this.latencies.turnBudgetMax)
    this.machine.run(budget, this.world.now, this)
    this.busyThrough = this.world.now + Math.max(1, budget * this.latencies.turnMicrosPerRecord)
    this.settle()
  }

  private slice(): void {
    this.sliceDue = false
    this.workToWrite = this.machine.background(this.world.random.int(1, this.latencies.sliceBudgetMax), this.world.now, this)
    this.settle()
  }

  /** Schedules whatever the machine wants to do next. */
  private settle(): void {
    const { world } = this
    if (!this.turnDue && this.machine.waiting(world.now).kind === 'ready') {
      this.turnDue = true
      world.schedule<TaskEnvelope>(Math.max(world.now, this.busyThrough), this, { type: 'turn' })
    }
    if (!this.sliceDue && (this.workToWrite || this.machine.hasBackgroundWork)) {
      this.sliceDue = true
      world.later<TaskEnvelope>(this.latencies.sliceMicros, this.latencies.sliceMicros, this, { type: 'slice' })
    }
  }

  // ── effects of the machine

  send(output: number, message: ChannelMessage): void {
    const end = this.ends().outputs[output]
    assert(end !== undefined, `${this.deployment.attempt} has no output ${output}`)
    end?.line.send({ type: 'input', input: { type: 'channel', channel: end.number, message } })
  }

  feedback(channel: number, feedback: ChannelFeedback): void {
    const end = this.ends().inputs[channel]
    assert(end !== undefined, `${this.deployment.attempt} has no channel ${channel}`)
    end?.line.send({ type: 'input', input: { type: 'feedback', output: end.number, feedback } })
  }

  toJobManager(message: TaskMessage): void {
    this.ends().jobManager.send({ type: 'input', input: { type: 'task-message', message } })
  }

  storage(requestId: number, op: StorageOp): void {
    const { job, token } = this.deployment
    if (op.type === 'transact') this.localState?.keep(job, op.writes)
    const copy = op.type === 'read' && op.localCopy === true ? (this.localState?.read(op.path) ?? null) : null
    if (copy !== null) {
      const reply = { requestId, result: { ok: true, bytes: copy, local: true } } as const
      return this.world.schedule<TaskEnvelope>(this.world.now, this, { type: 'input', input: { type: 'storage-reply', reply } })
    }
    this.ends().storage.send({ type: 'call', requestId, op, fence: { job, token }, answer: this.ends().storageAnswers })
  }

  outside(requestId: number, op: OutsideOp): void {
    const { job, token } = this.deployment
    this.ends().outside.send({ type: 'call', request: { requestId, job, token, op }, answer: this.ends().outsideAnswers })
  }

  setTimer(timer: string, at: EngineTime): void {
    this.generation++
    this.timers.set(timer, this.generation)
    this.world.schedule<TaskEnvelope>(at, this, { type: 'timer', timer, generation: this.generation })
  }

  clearTimer(timer: string): void {
    this.timers.delete(timer)
  }

  event(body: EventBody): void {
    if (body.type === 'SyncSnapshotEnded') this.workToWrite = true
    this.world.log(this.deployment.attempt, body)
  }

  trace(event: TraceEvent): void {
    this.world.trace(event)
  }

  private ends(): TaskConnections {
    assert(this.connections !== null, 'a task was started before it was connected')
    return this.connections
  }
}
