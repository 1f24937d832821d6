/** Tries every order of what may happen to two channels, and holds each snapshot against the records before its barriers. */
import { cloneGraph } from '../../../workers/base/clone.ts'
import type { BarrierHandlerOwner } from '../../../workers/checkpointing/barrier-handler.ts'
import { TwoChannels } from './two-channels.ts'
import type { Choice, Mode, TakenSnapshot } from './two-channels.ts'

export interface Exploration {
  /** Different situations seen. */
  situations: number
  /** Different ends: nothing may happen any more. */
  ends: number
  /** Snapshots with in-flight data, snapshots without, checkpoints given up. */
  readonly seen: { inFlight: number; plain: number; aborted: number }
  /** The first wrong thing, and the choices that led there. */
  wrong: string | null
}

export interface ExploreOptions {
  readonly wrap?: (owner: TwoChannels) => BarrierHandlerOwner
  /** Checkpoints that must be there in the end, whatever the order. */
  readonly mustComplete?: readonly number[]
}

export function explore(lanes: readonly [string, string], mode: Mode, { wrap, mustComplete = [] }: ExploreOptions = {}): Exploration {
  const first = new TwoChannels(lanes, mode)
  first.connect(wrap === undefined ? first : wrap(first))
  const result: Exploration = { situations: 0, ends: 0, seen: { inFlight: 0, plain: 0, aborted: 0 }, wrong: null }
  const known = new Set<string>()
  const open: { readonly at: TwoChannels; readonly path: readonly Choice[] }[] = [{ at: first, path: [] }]
  while (open.length > 0 && result.wrong === null) {
    const { at, path } = open.pop() as (typeof open)[number]
    const choices = at.choices()
    if (choices.length === 0) end(at, lanes, mode, mustComplete, path, result)
    for (const choice of choices) {
      const next = cloneGraph(at)
      next.act(choice)
      const key = situation(next)
      if (known.has(key)) continue
      known.add(key)
      open.push({ at: next, path: [...path, choice] })
    }
  }
  result.situations = known.size
  return result
}

function end(at: TwoChannels, lanes: readonly string[], mode: Mode, mustComplete: readonly number[], path: readonly Choice[], result: Exploration): void {
  result.ends++
  result.seen.aborted += at.aborted.size
  const problems: string[] = []
  lanes.forEach((lane, i) => {
    const all = recordsBefore(lane, Infinity)
    if (at.processed[i]?.join() !== all.join()) problems.push(`channel ${i}: ${at.processed[i]?.join() ?? ''} were processed, it should be ${all.join()}`)
    if (at.stopped[i] === true) problems.push(`channel ${i} is stopped for good`)
  })
  for (const id of mustComplete) if (isIncomplete(at.snapshots.get(id))) problems.push(`checkpoint ${id} is not complete`)
  for (const [id, snapshot] of at.snapshots) {
    if (snapshot.inFlight === null) continue
    if (snapshot.inFlight.some((records) => records.length > 0)) result.seen.inFlight++
    else result.seen.plain++
    lanes.forEach((lane, i) => {
      const wanted = recordsBefore(lane, id).join()
      const held = [...(snapshot.state[i] ?? []), ...(snapshot.inFlight?.[i] ?? [])].join()
      const isRight = mode === 'at-least-once' ? held.startsWith(wanted) : held === wanted
      if (!isRight) problems.push(`checkpoint ${id}, channel ${i}: it holds ${held}, before its barrier stand ${wanted}`)
    })
  }
  if (problems.length > 0) result.wrong = `${problems.join('; ')} — after ${path.join(', ')}`
}

const isIncomplete = (snapshot: TakenSnapshot | undefined): boolean => snapshot === undefined || snapshot.inFlight === null

/** Of a lane like `a 1 b`: the records that stand before this barrier; all of them, where it has none. */
function recordsBefore(lane: string, checkpointId: number): readonly string[] {
  const symbols = lane.split(' ')
  const at = symbols.indexOf(String(checkpointId))
  return symbols.slice(0, at < 0 ? symbols.length : at).filter((symbol) => /^[a-z]$/.test(symbol))
}

const SKIPPED = new Set(['effects', 'layout', 'schema', 'builders', 'words', 'payload', 'float64', 'int32', 'uint32', 'uint8', 'owner', 'lengths'])

/** Two copies that are alike in everything that matters for what follows. */
function situation(at: TwoChannels): string {
  return JSON.stringify(at, (key, value: unknown) => {
    if (SKIPPED.has(key)) return undefined
    if (value instanceof Set) return [...(value as Set<unknown>)].sort()
    if (value instanceof Map) return [...(value as Map<unknown, unknown>)]
    return value
  })
}
