/** p → q → p: run, snapshot, start at another parallelism, run, snapshot, start at the first one, run to the end (behaviour 11). */
import type { Simulator } from '../../../workers/hosts/simulator/simulator.ts'
import { cancel, checkpoint, committed, readAll, restoreFrom, savepoint, SECOND, start, stateOf, untilRunning, wordJob } from './restore-runs.ts'

export type SnapshotKind = 'CANONICAL' | 'NATIVE' | 'unaligned checkpoint'
export const SNAPSHOT_KINDS: readonly SnapshotKind[] = ['CANONICAL', 'NATIVE', 'unaligned checkpoint']

export interface Outcome {
  readonly state: Readonly<Record<string, string>>
  readonly committed: readonly string[]
  readonly violation: unknown
}

/** A slow counter, so that there is data in flight. */
function job(parallelism: number, kind: SnapshotKind): ReturnType<typeof wordJob> {
  const config = kind === 'unaligned checkpoint' ? { 'execution.checkpointing.unaligned.enabled': true } : {}
  const document = wordJob({ parallelism, rows: 240, rate: 400, config })
  return kind === 'unaligned checkpoint' ? { ...document, operators: document.operators.map((one) => (one.uid === 'count' ? { ...one, cost: `${10 * parallelism} ms` } : one)) } : document
}

const outcome = (simulator: Simulator): Outcome => ({ state: stateOf(simulator), committed: committed(simulator), violation: simulator.watch.first })

export function straight(): Outcome {
  const simulator = start(job(2, 'CANONICAL'))
  untilRunning(simulator)
  readAll(simulator)
  return outcome(simulator)
}

export function thereAndBack(p: number, q: number, kind: SnapshotKind): Outcome & { readonly inFlight: number } {
  const simulator = start(job(p, kind), p * 100 + q)
  for (const next of [q, p]) {
    untilRunning(simulator)
    simulator.runTo(simulator.now + SECOND / 10)
    const path = kind === 'unaligned checkpoint' ? checkpoint(simulator) : savepoint(simulator, kind)
    cancel(simulator)
    simulator.submitNext({ document: job(next, kind), restore: restoreFrom(path) })
  }
  untilRunning(simulator)
  readAll(simulator)
  const inFlight = simulator.events.reduce((sum, { body }) => sum + (body.type === 'InFlightRestored' ? body.records : 0), 0)
  return { ...outcome(simulator), inFlight }
}
