/**
 * Savepoints at random moments: plain ones in both formats, and now and then one that stops or cancels the job. A job that ended so is started
 * again from its savepoint, and goes on as if nothing had happened.
 */
import type { Prng } from '../../../base/prng.ts'
import type { SavepointFormat } from '../../../model/checkpoint.ts'
import type { EngineEvent, EventType, StopMode } from '../../../model/events.ts'
import { isGloballyTerminal } from '../../../model/execution.ts'
import type { EngineTime } from '../../../model/time.ts'
import type { Simulator } from '../simulator.ts'
import type { EventObserver, Receiver, World } from '../world.ts'

type When = { readonly at: EngineTime } | { readonly event: EventType; readonly count: number }

export interface PlannedSavepoint {
  readonly format: SavepointFormat
  /** Null: the job goes on. */
  readonly mode: StopMode | null
  readonly when: When
}

export const SAVEPOINT_DIRECTORY = '/savepoints'
const LAST_REQUEST_MICROS = 170_000
const MOMENTS: readonly EventType[] = ['CheckpointTriggered', 'BarrierArrived', 'SyncSnapshotEnded', 'CheckpointAcknowledged', 'CheckpointCompleted', 'CheckpointRestored', 'SynchronousSavepointAwaited', 'RestartScheduled']

/** Nothing for half of the seeds. */
export function randomSavepoints(random: Prng): readonly PlannedSavepoint[] {
  const planned: PlannedSavepoint[] = []
  const plain = random.pick([0, 0, 0, 1, 1, 2, 3])
  for (let i = 0; i < plain; i++) planned.push({ format: formatOf(random), mode: null, when: momentOf(random) })
  if (random.chance(0.3)) planned.push({ format: formatOf(random), mode: random.pick(['SUSPEND', 'SUSPEND', 'TERMINATE', 'CANCEL']), when: momentOf(random) })
  return planned
}

const formatOf = (random: Prng): SavepointFormat => random.pick(['CANONICAL', 'NATIVE'])
const momentOf = (random: Prng): When => (random.chance(0.5) ? { at: random.int(20_000, LAST_REQUEST_MICROS) } : { event: random.pick(MOMENTS), count: random.int(1, 10) })

export class SavepointRequests implements Receiver<PlannedSavepoint>, EventObserver {
  private readonly world: World
  private readonly simulator: Simulator
  private hasEnded = false
  private armed: { readonly planned: PlannedSavepoint; readonly event: EventType; left: number }[] = []

  constructor(simulator: Simulator, plan: readonly PlannedSavepoint[]) {
    this.world = simulator.world
    this.simulator = simulator
    for (const planned of plan) {
      if ('at' in planned.when) this.world.schedule<PlannedSavepoint>(planned.when.at, this, planned)
      else this.armed.push({ planned, event: planned.when.event, left: planned.when.count })
    }
  }

  observe(event: EngineEvent): void {
    for (const armed of this.armed) {
      if (armed.event !== event.body.type) continue
      armed.left--
      if (armed.left === 0) this.world.schedule<PlannedSavepoint>(this.world.now, this, armed.planned)
    }
  }

  /** Nothing is asked for any more. */
  end(): void {
    this.hasEnded = true
    this.armed = []
  }

  receive({ format, mode }: PlannedSavepoint): void {
    const { simulator } = this
    if (this.hasEnded) return
    if (mode === null || mode === 'CANCEL') simulator.triggerSavepoint(SAVEPOINT_DIRECTORY, format, mode === 'CANCEL')
    else simulator.stopWithSavepoint(SAVEPOINT_DIRECTORY, { format, drain: mode === 'TERMINATE' })
  }
}

/** Where the job goes on that has been stopped or cancelled with a savepoint, or has failed after one that was to stop it; null: it has not. */
export function pathToGoOnFrom({ events, job }: Simulator): string | null {
  const since = events.findLastIndex(({ body }) => body.type === 'JobSubmitted')
  const own = events.slice(since + 1).map(({ body }) => body)
  const last = own.findLast((body) => body.type === 'JobStatusChanged')
  if (last?.type !== 'JobStatusChanged' || last.job !== job || !isGloballyTerminal(last.to)) return null
  const stopped = own.findLast((body) => body.type === 'JobStoppedWithSavepoint' || (body.type === 'CheckpointCompleted' && body.stops === true))
  return stopped !== undefined && 'externalPath' in stopped ? stopped.externalPath : null
}

/**
 * A leader that dies between the completion of the savepoint and the end of the job leaves one that knows nothing of the stop: it goes on from the
 * latest checkpoint, and what the savepoint committed is committed again. As in Flink.
 */
export function wasStopForgotten(events: readonly EngineEvent[]): boolean {
  const stopped = events.findIndex(({ body }) => body.type === 'CheckpointCompleted' && body.stops === true)
  if (stopped < 0) return false
  const next = events.findIndex(({ body }, index) => index > stopped && body.type === 'JobSubmitted')
  const own = events.slice(stopped, next < 0 ? undefined : next)
  return own.some(({ body }) => body.type === 'LeadershipGranted')
}
