/**
 * The map between wall time and engine time: piecewise linear, and plain data, so that every host can hold a copy and all agree
 * (DESIGN 8, 2). The page owns it; a change of pace takes effect at a stated engine time and has a number, the epoch, which hosts
 * acknowledge. Nothing of this is Flink's: a cluster's clock cannot be slowed.
 */
import type { EngineTime } from './time.ts'

/** Milliseconds since 1970 with fractions, as every browsing context of one machine can tell them. */
export type WallTime = number

export interface PaceSegment {
  readonly wall: WallTime
  readonly engine: EngineTime
  /** Engine time per wall time; 0 = paused. */
  readonly pace: number
}

export interface PaceSchedule {
  /** Grows by one with every change. */
  readonly epoch: number
  /** At least one; ascending in wall and in engine time. */
  readonly segments: readonly PaceSegment[]
}

const MICROS_PER_WALL_MS = 1000
/** More than the rounding error of a wall time today, far less than anything a host can wait for. */
const WALL_NUDGE = 0.001
/** Old segments are dropped beyond this many: an old wall time is then answered with the beginning of the oldest segment kept. */
export const SEGMENTS_MAX = 64
export const PACE_MAX = 1000

/** A clock that stands at `engine` until `wall`, then runs at `pace`. */
export function startSchedule(wall: WallTime, engine: EngineTime, pace: number): PaceSchedule {
  checkPace(pace)
  return { epoch: 1, segments: [{ wall, engine, pace }] }
}

/** The engine time at a wall time, rounded down to whole microseconds. Before the first segment the clock stands. */
export function engineAt(schedule: PaceSchedule, wall: WallTime): EngineTime {
  const segment = segmentAtWall(schedule, wall)
  if (wall <= segment.wall) return segment.engine
  return Math.floor(segment.engine + (wall - segment.wall) * segment.pace * MICROS_PER_WALL_MS)
}

/**
 * The earliest wall time at which the clock shows `engine` (so `engineAt(wallAt(e)) >= e`); -Infinity for a time before the first
 * segment, Infinity for one that a pause keeps from coming.
 */
export function wallAt(schedule: PaceSchedule, engine: EngineTime): WallTime {
  const segments = schedule.segments
  if (engine < firstOf(schedule).engine) return -Infinity
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i] as PaceSegment
    const next = segments[i + 1]
    if (engine === segment.engine) return segment.wall
    if (next !== undefined && engine >= next.engine) continue
    if (segment.pace === 0) return Infinity
    const wall = segment.wall + (engine - segment.engine) / (segment.pace * MICROS_PER_WALL_MS)
    return engineAt(schedule, wall) >= engine ? wall : wall + WALL_NUDGE
  }
  return Infinity
}

export function paceAt(schedule: PaceSchedule, wall: WallTime): number {
  return segmentAtWall(schedule, wall).pace
}

/**
 * The schedule with another pace from `engine` on; whatever was laid out for later is replaced. A time that has passed, or that a pause keeps
 * from coming, means "from now on": what a clock has shown never changes.
 */
export function withPaceFrom(schedule: PaceSchedule, now: WallTime, engine: EngineTime, pace: number): PaceSchedule {
  checkPace(pace)
  const shown = engineAt(schedule, now)
  const planned = wallAt(schedule, engine)
  const later = engine > shown && planned !== Infinity
  const segment: PaceSegment = later ? { wall: Math.max(now, planned), engine, pace } : { wall: now, engine: shown, pace }
  const kept = schedule.segments.filter((old) => old.wall < segment.wall && old.engine <= segment.engine)
  return { epoch: schedule.epoch + 1, segments: [...kept, segment].slice(-SEGMENTS_MAX) }
}

/** The schedule with several changes laid out at once, in ascending engine time, as one epoch. */
export function withPaces(
  schedule: PaceSchedule,
  now: WallTime,
  changes: readonly { readonly engine: EngineTime; readonly pace: number }[],
): PaceSchedule {
  let result = schedule
  for (const change of changes) result = withPaceFrom(result, now, change.engine, change.pace)
  return { epoch: schedule.epoch + 1, segments: result.segments }
}

function segmentAtWall(schedule: PaceSchedule, wall: WallTime): PaceSegment {
  const segments = schedule.segments
  for (let i = segments.length - 1; i > 0; i--) {
    const segment = segments[i] as PaceSegment
    if (segment.wall <= wall) return segment
  }
  return firstOf(schedule)
}

function firstOf(schedule: PaceSchedule): PaceSegment {
  const first = schedule.segments[0]
  if (first === undefined) throw new RangeError('a pace schedule has at least one segment')
  return first
}

function checkPace(pace: number): void {
  if (!(pace >= 0 && pace <= PACE_MAX)) throw new RangeError(`a pace is a number from 0 to ${PACE_MAX}, not ${String(pace)}`)
}
