/**
 * One seed: a random job, random latencies, random faults at random moments; then the faults end, the job heals, the sources run dry, a checkpoint
 * completes, and everything is checked (DESIGN 7). Needs nothing but the seed, so that a failure is replayed by it.
 */
import type { BarrierHandlerFactory } from '../../../checkpointing/barrier-handler.ts'
import { deriveSeed, Prng } from '../../../base/prng.ts'
import { straying } from '../../../invariants/retained-checkpoints.ts'
import type { Violation } from '../../../invariants/checker.ts'
import type { JobDocument } from '../../../model/job-document.ts'
import { topicContents } from '../../../outside/topics.ts'
import type { PlannedFault } from '../fault-injector.ts'
import type { Latencies } from '../latencies.ts'
import { SimulatorView } from '../simulator-view.ts'
import { Simulator } from '../simulator.ts'
import { randomFaults } from './random-faults.ts'
import { randomJob } from './random-job.ts'

export interface RandomRunPlan {
  readonly document: JobDocument
  readonly latencies: Partial<Latencies>
  readonly faults: readonly PlannedFault[]
}

export interface RandomRunResult {
  readonly seed: number
  readonly violation: Violation | null
  readonly events: number
  readonly steps: number
  readonly faults: number
  readonly restored: number
  readonly completed: number
  readonly aborted: number
  readonly committed: number
  readonly compared: number
  readonly runHash: string
}

const FAULTS_END_MICROS = 300_000
const HEAL_MICROS = 120_000_000

export function planOf(seed: number): RandomRunPlan {
  const random = new Prng(deriveSeed(seed, 'plan'))
  const document = randomJob(random)
  return { document, latencies: randomLatencies(random), faults: randomFaults(random, document) }
}

function randomLatencies(random: Prng): Partial<Latencies> {
  return {
    linkMicros: random.int(0, 100),
    linkJitterMicros: random.pick([0, 10, 500, 5000]),
    controlMicros: random.int(10, 1000),
    controlJitterMicros: random.pick([0, 200, 5000]),
    storageMicros: random.int(10, 2000),
    storageJitterMicros: random.pick([0, 1000, 20_000]),
    outsideJitterMicros: random.pick([0, 200, 5000]),
    taskManagerStartMicros: random.int(1000, 50_000),
    failoverMicros: random.int(1000, 60_000),
    turnBudgetMax: random.pick([1, 4, 32]),
    sliceBudgetMax: random.pick([1, 4, 64]),
    sliceMicros: random.pick([1, 20, 1000]),
  }
}

/** The simulator of a seed, before its first step. */
export function simulatorOf(seed: number, createBarrierHandler?: BarrierHandlerFactory): Simulator {
  const { document, latencies, faults } = planOf(seed)
  const topics = topicContents(document.topics ?? [], new Map())
  if (!topics.ok) throw new RangeError(topics.error)
  return new Simulator({ document, seed, topics: topics.value, latencies, faults, ...(createBarrierHandler === undefined ? {} : { createBarrierHandler }) })
}

/** Runs a seed to its end. Nothing is thrown: an error of the engine is a violation too. */
export function randomRun(seed: number, createBarrierHandler?: BarrierHandlerFactory): RandomRunResult {
  const simulator = simulatorOf(seed, createBarrierHandler)
  try {
    runToEnd(simulator)
  } catch (error) {
    simulator.watch.report('engine-error', error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error), simulator.now)
  }
  return resultOf(seed, simulator)
}

function runToEnd(simulator: Simulator): void {
  const broken = (): boolean => simulator.watch.first !== null
  simulator.runUntil(broken, FAULTS_END_MICROS)
  if (broken()) return
  simulator.faults.heal()
  const view = new SimulatorView(simulator)
  const limit = simulator.now + HEAL_MICROS
  let events = -1
  const healed = simulator.runUntil(() => {
    if (simulator.events.length === events) return false
    events = simulator.events.length
    return broken() || simulator.status === 'FINISHED' || simulator.status === 'FAILED' || (simulator.status === 'RUNNING' && view.sourcesIdle())
  }, limit)
  if (broken()) return
  if (!healed || simulator.status === 'FAILED') {
    return simulator.watch.report('heals', `the job is ${simulator.status ?? 'without a leader'} and has not read everything`, simulator.now)
  }
  if (simulator.status !== 'FINISHED' && !settle(simulator, limit)) return
  if (!broken()) checkEnd(simulator, view)
}

/** Everything that was read goes through; then a checkpoint is triggered, completes, and its notification goes through. */
function settle(simulator: Simulator, limit: number): boolean {
  const settled = simulator.now + SETTLE_MICROS
  simulator.runTo(settled)
  const triggered = simulator.runUntilEvent(({ body }) => body.type === 'CheckpointTriggered', limit)?.body
  const first = triggered?.type === 'CheckpointTriggered' ? triggered.checkpointId : Infinity
  const done = simulator.runUntilEvent(({ body }) => body.type === 'CheckpointCompleted' && body.checkpointId >= first, limit)
  if (done === null) {
    simulator.watch.report('heals', `no checkpoint completes after the faults have ended; the job is ${simulator.status ?? 'without a leader'}`, simulator.now)
    return false
  }
  simulator.runTo(simulator.now + SETTLE_MICROS)
  return true
}

/** Longer than any queue of a random job takes to drain, or a notification to arrive. */
const SETTLE_MICROS = 1_000_000

function checkEnd(simulator: Simulator, view: SimulatorView): void {
  const difference = view.exactlyOnce()
  if (difference !== null) simulator.watch.report('exactly-once', difference, simulator.now)
  const directory = `${simulator.graph.settings.checkpointing.dir}/${simulator.job}`
  const files = simulator.files().map((file) => file.path)
  if (simulator.status === 'RUNNING') {
    const stray = straying(files, directory, simulator.inspection.neededFiles())
    if (stray !== null) simulator.watch.report('no-stray-files', stray, simulator.now)
  }
}

function resultOf(seed: number, simulator: Simulator): RandomRunResult {
  const count = (type: string): number => simulator.events.reduce((sum, event) => sum + (event.body.type === type ? 1 : 0), 0)
  return {
    seed,
    violation: simulator.watch.first,
    events: simulator.events.length,
    steps: simulator.world.steps,
    faults: simulator.faults.injected,
    restored: count('CheckpointRestored'),
    completed: count('CheckpointCompleted'),
    aborted: count('CheckpointAborted'),
    committed: count('TransactionCommitted'),
    compared: simulator.inspection.compared,
    runHash: simulator.runHash,
  }
}
