/** Drives a plan of slices: waits for each, tells how far it is, lets others run in between, and gives up after a time. */
import type { Plan, Slice } from '../../../savepoint/read-plan.ts'

export interface Drive {
  read(slice: Slice): Promise<Uint8Array | null>
  /** Hears of the bytes that were read so far. */
  onRead?(bytes: number): void
}

/** Wall milliseconds for one reading, whatever the bytes say. */
const AT_MOST_MS = 120_000
/** Wall milliseconds of work after which others have their turn. */
const TURN_MS = 30

export async function drivePlan<T>(plan: Plan<T>, { read, onRead }: Drive, now: () => number = () => performance.now()): Promise<T> {
  const startedAt = now()
  let turnAt = startedAt
  let bytes = 0
  let step = plan.next()
  while (!step.done) {
    const slice = await read(step.value)
    bytes += slice?.length ?? 0
    onRead?.(bytes)
    if (now() - turnAt > TURN_MS) {
      await new Promise((resolve) => setTimeout(resolve))
      turnAt = now()
    }
    if (turnAt - startedAt > AT_MOST_MS) throw new Error(`given up after ${AT_MOST_MS / 1000} s, when ${bytes} bytes had been read`)
    step = plan.next(slice)
  }
  return step.value
}
