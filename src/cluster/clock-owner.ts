/**
 * The owner of the engine's clock: the one schedule, its copies in the hosts and their acknowledgements, and the anchor that survives the
 * page. With the page closed engine time stands still.
 */
import { engineAt, paceAt, startSchedule, wallAt, withPaces, type PaceSchedule } from '../../workers/model/pace.ts'
import type { EngineTime } from '../../workers/model/time.ts'

const STORED_CLOCK = 'weir.engine-time'
const STORE_EVERY_MS = 1000
/** A browser fires a long timer at once. */
const LONGEST_WAIT_MS = 0x7fffffff

export const wallNow = (): number => performance.timeOrigin + performance.now()

export interface ClockHost {
  sendPace(schedule: PaceSchedule): void
  /** Epoch of the newest schedule that this host has acknowledged. */
  readonly appliedEpoch: number
}

interface Waiting {
  readonly at: EngineTime
  readonly call: () => void
  timer: ReturnType<typeof setTimeout> | null
}

export class ClockOwner {
  private current: PaceSchedule
  /** A pace that was laid out beforehand has come. */
  onSegment: () => void = () => undefined
  private readonly hosts: () => Iterable<ClockHost>
  private segmentTimer: ReturnType<typeof setTimeout> | null = null
  private readonly waiting = new Set<Waiting>()
  private readonly acknowledgements: { readonly epoch: number; readonly call: () => void }[] = []

  constructor(hosts: () => Iterable<ClockHost>) {
    this.hosts = hosts
    this.current = startSchedule(wallNow(), 0, 0)
  }

  /** The clock goes on where the leader before has left it, and belongs to this page from now on. */
  begin(): void {
    this.current = startSchedule(wallNow(), readStoredTime(), 1)
    // A page that crashes leaves a time that its engine had not reached yet: no later one can go back behind what was seen.
    setInterval(() => store(this.now() + Math.ceil(this.pace * 1000 * STORE_EVERY_MS)), STORE_EVERY_MS)
    addEventListener('pagehide', () => store(this.now()))
  }

  get schedule(): PaceSchedule {
    return this.current
  }

  get pace(): number {
    return paceAt(this.current, wallNow())
  }

  get reading(): { readonly wall: number; readonly engine: EngineTime; readonly pace: number } {
    const wall = wallNow()
    return { wall, engine: engineAt(this.current, wall), pace: paceAt(this.current, wall) }
  }

  now(): EngineTime {
    return engineAt(this.current, wallNow())
  }

  /** Lays out paces as one new epoch and tells every host. */
  change(changes: readonly { readonly engine: EngineTime; readonly pace: number }[]): number {
    this.current = withPaces(this.current, wallNow(), changes)
    for (const host of this.hosts()) host.sendPace(this.current)
    for (const entry of this.waiting) this.arm(entry)
    this.announceSegments()
    this.acknowledged()
    return this.current.epoch
  }

  /** Calls once, when every host has the schedule of that epoch or a newer one. */
  whenAcknowledged(epoch: number, call: () => void): void {
    this.acknowledgements.push({ epoch, call })
    this.acknowledged()
  }

  /** A host has acknowledged, or is gone. */
  acknowledged(): void {
    if (this.acknowledgements.length === 0) return
    let least = this.current.epoch
    for (const host of this.hosts()) least = Math.min(least, host.appliedEpoch)
    const due = this.acknowledgements.filter((entry) => entry.epoch <= least)
    if (due.length === 0) return
    const rest = this.acknowledgements.filter((entry) => entry.epoch > least)
    this.acknowledgements.splice(0, this.acknowledgements.length, ...rest)
    for (const entry of due) entry.call()
  }

  /** Calls once, when the clock shows `at`. */
  whenShows(at: EngineTime, call: () => void): void {
    const entry: Waiting = { at, call, timer: null }
    this.waiting.add(entry)
    this.arm(entry)
  }

  /** Tells when a pace that was laid out beforehand has come. */
  private announceSegments(): void {
    if (this.segmentTimer !== null) clearTimeout(this.segmentTimer)
    this.segmentTimer = null
    const wall = wallNow()
    const next = this.current.segments.find((segment) => segment.wall > wall)
    if (next === undefined) return
    this.segmentTimer = setTimeout(() => {
      this.onSegment()
      this.announceSegments()
    }, Math.min(next.wall - wall + 1, LONGEST_WAIT_MS))
  }

  private arm(entry: Waiting): void {
    if (entry.timer !== null) clearTimeout(entry.timer)
    const wait = wallAt(this.current, entry.at) - wallNow()
    if (wait === Infinity) {
      entry.timer = null
      return
    }
    entry.timer = setTimeout(() => {
      if (this.now() < entry.at) {
        this.arm(entry)
        return
      }
      this.waiting.delete(entry)
      entry.call()
    }, Math.min(Math.max(0, wait), LONGEST_WAIT_MS))
  }
}

function store(time: EngineTime): void {
  try {
    localStorage.setItem(STORED_CLOCK, String(time))
  } catch {
    // Storage is refused: the clock begins anew with the next page, and the storage worker says so by itself.
  }
}

function readStoredTime(): EngineTime {
  try {
    const stored = Number(localStorage.getItem(STORED_CLOCK) ?? '0')
    return Number.isSafeInteger(stored) && stored >= 0 ? stored : 0
  } catch {
    return 0
  }
}
