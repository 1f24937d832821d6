/**
 * The word count's tasks in one thread of Node, joined by arrays instead of ports: what a record costs in the engine itself, without
 * transport and hosts. Profile it with `node --cpu-prof --import tsx bench/hot-path.ts`.
 */
import { ExecutionGraph } from '../workers/jobmaster/execution-graph.ts'
import { deploymentOf } from '../workers/jobmaster/deployment-descriptor.ts'
import { compileOrThrow, taskEnvironment } from '../workers/hosts/simulator/engine-parts.ts'
import { fencingToken, jobId } from '../workers/model/ids.ts'
import type { ChannelId } from '../workers/model/ids.ts'
import { createCoordinator } from '../workers/operators/create-coordinator.ts'
import { StreamTask } from '../workers/task/stream-task.ts'
import type { TaskInput, TaskOut } from '../workers/task/task-io.ts'
import { vocabulary, zipfWords } from './by-hand/words.ts'
import { wordCountJob } from './job.ts'

const RECORDS = Number(process.argv[2] ?? 5_000_000)
const SEGMENT = process.argv[3] ?? '32 kb'
const ROUNDS = Number(process.argv[4] ?? 5)
const RUN_BUDGET = 4096

/** Of the processor: what other programs take does not count. */
const cpuMicros = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}

interface Peer {
  readonly node: Node
  readonly number: number
}

class Node implements TaskOut {
  readonly task: StreamTask
  readonly inbox: TaskInput[] = []
  readonly receivers: Peer[] = []
  readonly senders: Peer[] = []
  micros = 0
  buffers = 0
  readonly job: ReturnType<typeof compileOrThrow>

  constructor(task: StreamTask, job: ReturnType<typeof compileOrThrow>) {
    this.task = task
    this.job = job
  }

  send(output: number, message: Parameters<TaskOut['send']>[1]): void {
    const peer = this.receivers[output] as Peer
    if (message.kind === 'buffer') this.buffers++
    peer.node.inbox.push({ type: 'channel', channel: peer.number, message })
  }

  feedback(channel: number, feedback: Parameters<TaskOut['feedback']>[1]): void {
    const peer = this.senders[channel] as Peer
    peer.node.inbox.push({ type: 'feedback', output: peer.number, feedback })
  }

  toJobManager(message: Parameters<TaskOut['toJobManager']>[0]): void {
    if (message.type === 'state' && message.state === 'FAILED') throw new Error(JSON.stringify(message.failure))
    if (message.type !== 'operator-event') return
    const description = this.task.deployment.chain[0]!
    this.coordinator ??= createCoordinator(description, this.job)
    if (message.event.type === 'reader-registered') {
      this.coordinator.start({ parallelism: this.task.deployment.parallelism, sendEvent: (_subtask, event) => this.inbox.push({ type: 'command', command: { type: 'operator-event', operator: message.operator, event } }), setIsProcessingBacklog: () => undefined }, null)
    }
    this.coordinator.onReaderEvent(message.event.type === 'request-split' || message.event.type === 'reader-registered' ? message.event.subtask : 0, message.event)
  }

  private coordinator: ReturnType<typeof createCoordinator> | null = null

  storage(): void {}
  outside(): void {}
  setTimer(): void {}
  clearTimer(): void {}
  event(): void {}
  trace(): void {}

  /** Everything that can be done now; false: nothing. */
  turn(now: number): boolean {
    const started = cpuMicros()
    let did = false
    const inputs = this.inbox.splice(0)
    for (const input of inputs) this.task.handle(input, now, this)
    if (this.task.waiting(now).kind === 'ready') {
      this.task.run(RUN_BUDGET, now, this)
      did = true
    }
    this.micros += cpuMicros() - started
    return did || inputs.length > 0
  }
}

function build(records: number): Node[] {
  const job = compileOrThrow(wordCountJob({ records, segmentSize: SEGMENT }))
  const graph = new ExecutionGraph(job, { now: 0, event: () => undefined }, 1)
  const context = { job: jobId('0'.repeat(32)), token: fencingToken(1), seed: 1, traced: false }
  const nodes = graph.executions.map((execution) => new Node(new StreamTask(deploymentOf(graph, execution, null, context), taskEnvironment()), job))
  const inputs = new Map<ChannelId, Peer>()
  for (const node of nodes) {
    let number = 0
    for (const gate of node.task.deployment.gates) for (const { id } of gate.channels) inputs.set(id, { node, number: number++ })
  }
  for (const node of nodes) {
    let output = 0
    for (const partition of node.task.deployment.partitions) {
      for (const { id } of partition.subpartitions) {
        const peer = inputs.get(id) as Peer
        node.receivers.push(peer)
        peer.node.senders[peer.number] = { node, number: output++ }
      }
    }
  }
  return nodes
}

/** The same count without any engine: one loop and a Map (S of the goals). Millions of records per second. */
function plainLoop(words: readonly string[]): number {
  const cpu = process.cpuUsage()
  const counts = new Map<string, { count: number }>()
  for (const word of words) {
    const entry = counts.get(word)
    if (entry === undefined) counts.set(word, { count: 1 })
    else entry.count++
  }
  const { user, system } = process.cpuUsage(cpu)
  return words.length / (user + system)
}

function round(records: number, plain: number): void {
  const nodes = build(records)
  const start = performance.now()
  const cpu = process.cpuUsage()
  for (const node of nodes) node.task.handle({ type: 'start' }, 0, node)
  for (let busy = true; busy; ) {
    busy = false
    const now = Math.round((performance.now() - start) * 1000)
    for (const node of nodes) busy = node.turn(now) || busy
  }
  // Of the processor, not of the wall: other programs run too.
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (user + system) / 1e6
  const sink = nodes.at(-1) as Node
  if (sink.task.report(0).recordsIn !== records) throw new Error(`${sink.task.report(0).recordsIn} records at the sink, not ${records}`)
  const per = nodes.map(({ task, micros, buffers }) => `${task.deployment.name} ${((1000 * micros) / Math.max(1, task.report(0).recordsIn)).toFixed(0)} ns (${buffers} buffers)`)
  const ratio = (2 * records) / seconds / 1e6 / plain
  console.log(`${(records / seconds / 1e6).toFixed(2)} M records/s over two hops, ${((2 * records) / seconds / 1e6).toFixed(2)} M records/s per hop = ${ratio.toFixed(2)} of a plain loop (${plain.toFixed(1)}); ${per.join(', ')}`)
}

const words = zipfWords(RECORDS, vocabulary(10_000))
for (let i = 0; i < ROUNDS; i++) round(RECORDS, plainLoop(words))
