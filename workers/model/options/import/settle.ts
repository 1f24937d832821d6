/**
 * Which of several settings of one option counts. Flink asks for an option's own key first, then for its fallback keys, then for its
 * deprecated keys in their order, wherever they stand in the file; of one key the last value counts. Flink: Configuration.getRawValueFromOption.
 */
import { findOption } from '../option-table.ts'
import type { ImportedOption, Reset } from './imported-option.ts'

/** A setting before it is known whether it counts. */
export interface Candidate {
  readonly option: ImportedOption
  /** The name that was written. */
  readonly name: string
  /** How early that name is asked for: 0 for the option's own. */
  readonly rank: number
  /** Number of the entry, or of the call, that it comes from. */
  readonly entry: number
  /** It takes part although the text does not say its value. */
  readonly counts: boolean
  /** It stands only if the same entry sets this option. */
  readonly with?: string
}

export function settle(candidates: readonly Candidate[], resets: readonly Reset[]): readonly ImportedOption[] {
  const undone = new Map(candidates.map((each) => [each, undoing(each, resets)]))
  const standing = candidates.filter((each) => each.counts && undone.get(each) === undefined)
  const own = strongest(standing.filter((each) => each.with === undefined))
  const kept = standing.filter((each) => each.with === undefined || own.get(each.with)?.entry === each.entry)
  const winners = strongest(kept)
  return candidates.map((each) => {
    const { option } = each
    if (!each.counts) return option
    const reset = undone.get(each)
    if (reset !== undefined) return overridden(option, `RESET in line ${reset.line} takes it back.`)
    if (each.with !== undefined && !kept.includes(each)) return overridden(option, `It goes with ${each.with}, which another setting of this text decides.`)
    const winner = winnerOver(each, winners)
    return winner === null ? option : overridden(option, reason(each, winner))
  })
}

function undoing(candidate: Candidate, resets: readonly Reset[]): Reset | undefined {
  return resets.find(({ key, after }) => candidate.entry < after && (key === null || key === candidate.name || findOption(key)?.key === candidate.option.key))
}

function strongest(candidates: readonly Candidate[]): ReadonlyMap<string, Candidate> {
  const winners = new Map<string, Candidate>()
  for (const each of candidates) {
    const before = winners.get(each.option.key)
    if (before === undefined || each.rank <= before.rank) winners.set(each.option.key, each)
  }
  return winners
}

/** Null: it counts. A fallback key that is set goes before every deprecated key. */
function winnerOver(candidate: Candidate, winners: ReadonlyMap<string, Candidate>): Candidate | null {
  const winner = winners.get(candidate.option.key)
  if (winner !== undefined && winner !== candidate) return winner
  if (candidate.rank <= 0) return null
  const fallbacks = findOption(candidate.option.key)?.fallbackKeys ?? []
  return fallbacks.map((key) => winners.get(key)).find((fallback) => fallback !== undefined && fallback.rank === 0) ?? null
}

const overridden = (option: ImportedOption, note: string): ImportedOption => ({ ...option, status: 'overridden', note })

function reason(loser: Candidate, winner: Candidate): string {
  const where = `line ${winner.option.from.line}`
  if (winner.rank < 0 && winner.rank < loser.rank) return `The state backend in ${where} brings its storage with it, which counts whatever else is said.`
  if (winner.rank === loser.rank) return `Set again in ${where}: the last one counts.`
  if (winner.option.key !== loser.option.key) return `${winner.option.key} is set too (${where}) and is asked before the old name ${loser.name}.`
  if (winner.rank > 0) return `${winner.name} is set too (${where}) and is asked before ${loser.name}.`
  return `${winner.option.key} is set too (${where}): the current name counts, the old name ${loser.name} does not.`
}
