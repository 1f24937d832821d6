/** How long a worker is kept by one of its turns, read from a trace of the browser: nothing is added to the worker for it. */

/** One event of a trace, as far as it is read here; times in microseconds. */
export interface TraceEvent {
  readonly name: string
  readonly cat?: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** Of it, processor time of the thread: what other programs took of the core is not in it. */
  readonly tdur?: number
}

/** Milliseconds by the page's clock (`performance.now`). */
export interface Stretch {
  readonly from: number
  readonly to: number
}

export interface LongestTurn {
  readonly wall: number
  readonly processor: number
}

/** Set by the page at a moment of its clock that it tells. */
export const CLOCK_MARK = 'clock of the page'

const MICROS_PER_MILLI = 1000

/**
 * Milliseconds of the longest turn of a thread that overlaps one of the stretches, and of the one with the most processor time. The thread is the
 * one that carries the mark `thread`; `clock`: the page's clock at the moment of its own mark. Throws where the trace has no such thing, or no stretch is given.
 */
export function longestTurn(trace: readonly TraceEvent[], thread: string, clock: number, stretches: readonly Stretch[]): LongestTurn {
  if (stretches.length === 0) throw new Error(`nothing is asked of "${thread}": no checkpoint completed while it was watched`)
  const origin = lastMark(trace, CLOCK_MARK).ts - clock * MICROS_PER_MILLI
  const { pid, tid } = lastMark(trace, thread)
  let wall = 0
  let processor = 0
  for (const event of trace) {
    if (event.name !== 'RunTask' || event.pid !== pid || event.tid !== tid || event.dur === undefined) continue
    const from = (event.ts - origin) / MICROS_PER_MILLI
    const to = from + event.dur / MICROS_PER_MILLI
    if (!stretches.some((stretch) => from < stretch.to && to > stretch.from)) continue
    wall = Math.max(wall, to - from)
    processor = Math.max(processor, (event.tdur ?? event.dur) / MICROS_PER_MILLI)
  }
  if (wall === 0) throw new Error(`the trace has no turn of "${thread}" at that time`)
  return { wall, processor }
}

/** As long stretches of another run, each when it had come as far: a run may be faster than another. None goes beyond the end. */
export function moved(stretches: readonly Stretch[], run: Stretch, other: Stretch): readonly Stretch[] {
  const stretch = (other.to - other.from) / (run.to - run.from)
  return stretches.map(({ from, to }) => {
    const begin = other.from + (from - run.from) * stretch
    return { from: begin, to: Math.min(begin + to - from, other.to) }
  })
}

function lastMark(trace: readonly TraceEvent[], name: string): TraceEvent {
  const mark = trace.findLast((event) => event.name === name && event.cat === 'blink.user_timing')
  if (mark === undefined) throw new Error(`the trace has no mark "${name}"`)
  return mark
}
