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
import type { NextJob } from '../simulator.ts'
import { randomFaults } from './random-faults.ts'
import { pathToGoOnFrom, randomSavepoints, SAVEPOINT_DIRECTORY, SavepointRequests, wasStopForgotten } from './random-savepoints.ts'
import type { PlannedSavepoint } from './random-savepoints.ts'
import { randomBarrierMode, underPressure, withBarrierMode } from './barrier-mode.ts'
import type { BarrierMode } from './barrier-mode.ts'
import { randomJob } from './random-job.ts'
import { randomRestart } from './random-restart.ts'
import { withRandomStorage } from './random-storage.ts'

export interface RandomRunPlan {
  readonly document: JobDocument
  readonly latencies: Partial<Latencies>
  readonly faults: readonly PlannedFault[]
  readonly savepoints: readonly PlannedSavepoint[]
  readonly traced: boolean
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
  /** Savepoints that completed, and jobs that went on from one. */
  readonly savepoints: number
  readonly resumed: number
  readonly committed: number
  readonly compared: number
  /** Snapshots of subtasks with in-flight data, and records of such that came back. */
  readonly inFlight: number
  readonly inFlightRestored: number
  /** Of the event log, computed when asked for. */
  readonly runHash: () => string
}

const FAULTS_END_MICROS = 200_000
const HEAL_MICROS = 120_000_000

export function planOf(seed: number, mode?: BarrierMode): RandomRunPlan {
  const random = new Prng(deriveSeed(seed, 'plan'))
  const latencies = random.chance(0.5) ? quickLatencies(random) : slowLatencies(random)
  const job = randomJob(random, latencies.linkJitterMicros === 0)
  const barriers = new Prng(deriveSeed(seed, 'barriers'))
  const drawn = randomBarrierMode(barriers)
  const pressed = withBarrierMode(barriers.chance(0.4) ? underPressure(job, barriers) : job, mode ?? drawn)
  const document = withRandomStorage(pressed, new Prng(deriveSeed(seed, 'storage')))
  return { document, latencies, faults: randomFaults(random, document), savepoints: randomSavepoints(new Prng(deriveSeed(seed, 'savepoints'))), traced: random.chance(0.2) }
}

/** A checkpoint takes a few milliseconds, so that the job may have a time-out that a fault makes it miss. */
function quickLatencies(random: Prng): Partial<Latencies> {
  return {
    linkMicros: random.int(0, 50),
    linkJitterMicros: 0,
    controlMicros: random.int(10, 300),
    controlJitterMicros: random.pick([0, 200]),
    storageMicros: random.int(10, 300),
    storageJitterMicros: random.pick([0, 500]),
    outsideMicros: random.int(10, 100),
    outsideJitterMicros: random.pick([0, 200]),
    taskManagerStartMicros: random.int(1000, 20_000),
    failoverMicros: random.int(1000, 30_000),
    ...turns(random),
  }
}

function slowLatencies(random: Prng): Partial<Latencies> {
  return {
    linkMicros: random.int(0, 100),
    linkJitterMicros: random.pick([10, 500, 5000]),
    controlMicros: random.int(10, 1000),
    controlJitterMicros: random.pick([0, 200, 5000]),
    storageMicros: random.int(10, 2000),
    storageJitterMicros: random.pick([0, 1000, 20_000]),
    outsideJitterMicros: random.pick([0, 200, 5000]),
    taskManagerStartMicros: random.int(1000, 50_000),
    failoverMicros: random.int(1000, 60_000),
    ...turns(random),
  }
}

function turns(random: Prng): Partial<Latencies> {
  return { turnBudgetMax: random.pick([1, 4, 32]), sliceBudgetMax: random.pick([1, 4, 64]), sliceMicros: random.pick([1, 20, 200]) }
}

/** The simulator of a seed, before its first step. */
export function simulatorOf(seed: number, createBarrierHandler?: BarrierHandlerFactory, mode?: BarrierMode): Simulator {
  const { document, latencies, faults, savepoints, traced } = planOf(seed, mode)
  const topics = topicContents(document.topics ?? [], new Map())
  if (!topics.ok) throw new RangeError(topics.error)
  const simulator = new Simulator({ document, seed, topics: topics.value, latencies, faults, traced, ...(createBarrierHandler === undefined ? {} : { createBarrierHandler }) })
  simulator.world.observers.push(new SavepointRequests(simulator, savepoints))
  return simulator
}

/** Runs a seed to its end. Nothing is thrown: an error of the engine is a violation too. */
export function randomRun(seed: number, createBarrierHandler?: BarrierHandlerFactory, mode?: BarrierMode): RandomRunResult {
  const simulator = simulatorOf(seed, createBarrierHandler, mode)
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
  for (const observer of simulator.world.observers) if (observer instanceof SavepointRequests) observer.end()
  simulator.runTo(simulator.now + SETTLE_MICROS)
  if (broken()) return
  goOn(simulator)
  const view = new SimulatorView(simulator)
  const limit = simulator.now + HEAL_MICROS
  let events = -1
  const healed = simulator.runUntil(() => {
    if (simulator.events.length === events) return false
    events = simulator.events.length
    goOn(simulator)
    return broken() || hasEnded(simulator, 'FINISHED') || hasEnded(simulator, 'FAILED') || (simulator.status === 'RUNNING' && view.sourcesIdle())
  }, limit)
  if (broken()) return
  if (refused(simulator)) return
  if (!healed || hasEnded(simulator, 'FAILED')) {
    return simulator.watch.report('heals', `the job is ${simulator.status ?? 'without a leader'} and has not read everything`, simulator.now)
  }
  if (!hasEnded(simulator, 'FINISHED') && !settle(simulator, view, limit)) return
  if (!broken()) checkEnd(simulator, view, limit)
}

/** A job that ended with a savepoint is started from it. */
function goOn(simulator: Simulator): void {
  const path = pathToGoOnFrom(simulator)
  if (path === null) return
  simulator.submitNext(restartFrom(simulator, path))
}

const restartFrom = ({ seed, document }: Simulator, path: string): NextJob => randomRestart(new Prng(deriveSeed(seed, `restart from ${path}`)), document, path)

/** By the log: a new JobManager knows nothing of a job that has ended. */
function hasEnded(simulator: Simulator, status: 'FINISHED' | 'FAILED'): boolean {
  const last = simulator.events.findLast(({ body }) => body.type === 'JobStatusChanged' && body.job === simulator.job)?.body
  return last?.type === 'JobStatusChanged' && last.to === status
}

/** The job never began: it could not be stored, because of a fault, and whoever submitted it was told so. */
function refused(simulator: Simulator): boolean {
  return simulator.events.some(({ body }) => body.type === 'JobStatusChanged' && body.from === 'INITIALIZING' && body.to === 'FAILED')
}

/**
 * A checkpoint that is triggered when everything has been read has its barriers behind every record: when it has completed and its notification has
 * gone through, everything is final. A restart meanwhile rewinds the sources. A job of bounded sources may finish.
 */
function settle(simulator: Simulator, view: SimulatorView, limit: number): boolean {
  let first = Infinity
  // An unaligned one may have overtaken records: the first that has not is the one to wait for. There is one at a time.
  let inFlight = -1
  const completed = simulator.runUntilEvent(({ body }) => {
    if (body.type === 'CheckpointTriggered' && first === Infinity && view.sourcesIdle()) first = body.checkpointId
    if (body.type === 'RestartScheduled') first = Infinity
    // A savepoint that was asked for before may end the job only now.
    if (body.type === 'JobStatusChanged' && pathToGoOnFrom(simulator) !== null) {
      goOn(simulator)
      first = Infinity
    }
    if (body.type === 'JobStatusChanged' && body.to === 'FINISHED') return true
    if (body.type === 'InFlightPersisted') inFlight = body.checkpointId
    return body.type === 'CheckpointCompleted' && body.savepoint !== true && body.checkpointId >= first && body.checkpointId !== inFlight
  }, limit)
  if (completed === null && !hasEnded(simulator, 'FINISHED')) {
    simulator.watch.report('heals', `no checkpoint completes after the faults have ended; the job is ${simulator.status ?? 'without a leader'}`, simulator.now)
    return false
  }
  simulator.runTo(simulator.now + SETTLE_MICROS)
  return true
}

/** Longer than any notification takes to arrive, or files to be deleted. */
const SETTLE_MICROS = 60_000

/** A savepoint is never deleted by the job that took it, however that goes on and ends; nor by one that goes on from it, unless it claims it. */
function checkSavepoints(simulator: Simulator): void {
  const there = new Set(simulator.files(`${SAVEPOINT_DIRECTORY}/`).map(({ path }) => path))
  const restored = new Set(simulator.events.flatMap(({ body }) => (body.type === 'CheckpointRestored' ? [body.externalPath] : [])))
  for (const { body } of simulator.events) {
    if (body.type !== 'CheckpointCompleted' || body.savepoint !== true || there.has(`${body.externalPath}/_metadata`)) continue
    if (restored.has(body.externalPath) && restartFrom(simulator, body.externalPath).restore?.claimMode === 'CLAIM') continue
    simulator.watch.report('savepoints-stay', `${body.externalPath} is gone`, simulator.now)
  }
}

function checkEnd(simulator: Simulator, view: SimulatorView, limit: number): void {
  const difference = mayDouble(simulator) ? null : view.exactlyOnce()
  if (difference !== null) simulator.watch.report('exactly-once', difference, simulator.now)
  if (simulator.status === 'RUNNING') {
    // It costs as much as all the rest of a run.
    if (simulator.seed % 3 === 0) checkRunningFiles(simulator, limit)
    simulator.cancel()
    const canceled = simulator.runUntilEvent(({ body }) => body.type === 'JobStatusChanged' && body.to === 'CANCELED', limit)
    if (canceled === null) return simulator.watch.report('heals', `a cancelled job is ${simulator.status ?? 'gone'}`, simulator.now)
  }
  simulator.runTo(simulator.now + SETTLE_MICROS)
  checkFilesAfterEnd(simulator)
  checkSavepoints(simulator)
}

/** At-least-once: what stands behind a barrier may be in the state, and is read again after a restore (behaviour 6.7). */
const mayDouble = (simulator: Simulator): boolean =>
  wasStopForgotten(simulator.events) ||
  (simulator.graph.settings.checkpointing.mode === 'AT_LEAST_ONCE' && simulator.events.some(({ body }) => body.type === 'CheckpointRestored'))

const directoryOf = (simulator: Simulator): string => `${simulator.graph.settings.checkpointing.dir ?? ""}/${simulator.job}`

/** A file of a checkpoint that has ended, which no retained one needs, is gone two completions later, even if it came late. */
function checkRunningFiles(simulator: Simulator, limit: number): void {
  const needed = simulator.inspection.neededFiles()
  const ended = new Set<number>()
  for (const { body } of simulator.events) if (body.type === 'CheckpointCompleted' || body.type === 'CheckpointAborted') ended.add(body.checkpointId)
  const idOf = (path: string): number => Number(/\/chk-(\d+)\//.exec(path)?.[1])
  const before = new Set(simulator.files().map((file) => file.path).filter((path) => !needed.has(path) && ended.has(idOf(path))))
  for (let i = 0; i < 2; i++) simulator.runUntilEvent(({ body }) => body.type === 'CheckpointCompleted', limit)
  simulator.runTo(simulator.now + SETTLE_MICROS)
  const still = simulator.files().flatMap((file) => (before.has(file.path) ? [file.path] : []))
  const stray = straying(still, directoryOf(simulator), new Set())
  if (stray !== null) simulator.watch.report('no-stray-files', stray, simulator.now)
}

/**
 * Flink's default retention keeps nothing of an ended job. Not checked: a write of a checkpoint that never completed may arrive after the deletion, and
 * a leader that dies while it deletes has nobody to go on with it (docs/INVARIANTS.md).
 */
function checkFilesAfterEnd(simulator: Simulator): void {
  const ended = simulator.events.findLastIndex(({ body }) => body.type === 'JobStatusChanged')
  if (simulator.events.slice(ended).some(({ body }) => body.type === 'LeadershipGranted')) return
  const completed = simulator.events.flatMap(({ body }) => (body.type === 'CheckpointCompleted' ? [`${body.externalPath}/`] : []))
  const left = simulator.files().flatMap(({ path }) => (completed.some((directory) => path.startsWith(directory)) ? [path] : []))
  const stray = straying(left, directoryOf(simulator), new Set())
  if (stray !== null) simulator.watch.report('no-stray-files', stray, simulator.now)
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
    savepoints: simulator.events.reduce((sum, { body }) => sum + (body.type === 'CheckpointCompleted' && body.savepoint === true ? 1 : 0), 0),
    resumed: count('JobSubmitted') - 1,
    committed: count('TransactionCommitted'),
    compared: simulator.inspection.compared,
    inFlight: simulator.events.reduce((sum, { body }) => sum + (body.type === 'InFlightPersisted' ? 1 : 0), 0),
    inFlightRestored: simulator.events.reduce((sum, { body }) => sum + (body.type === 'InFlightRestored' ? body.records : 0), 0),
    runHash: () => simulator.runHash,
  }
}
