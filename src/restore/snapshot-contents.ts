/** What is in a snapshot, in a few words for each operator. Pure. */
import type { OperatorView, SnapshotView } from '../../workers/model/snapshot-view.ts'
import { entriesOf } from '../storage/snapshot-facts.ts'
import { valueText } from '../storage/value-text.ts'
import { count } from '../widgets/figures.ts'

const OFFSETS_MAX = 4

/** By operator id: `offsets of 2 splits`, `12 entries, 2 states`; operators without anything are left out. */
export function contentsOf(snapshot: SnapshotView | null): ReadonlyMap<string, string> {
  return new Map(snapshot?.operators.flatMap((operator) => (words(operator) === '' ? [] : [[operator.operatorId, words(operator)] as const])) ?? [])
}

function words(operator: OperatorView): string {
  if (operator.isFullyFinished) return 'fully finished'
  if (operator.offsets.length > 0) return `offsets of ${operator.offsets.length === 1 ? '1 split' : `${operator.offsets.length} splits`}`
  const entries = entriesOf(operator)
  if (operator.states.length === 0) return ''
  return `${count(entries)} ${entries === 1 ? 'entry' : 'entries'}, ${operator.states.length === 1 ? '1 state' : `${operator.states.length} states`}`
}

/** `2 551 and 2 530`. */
export function offsetsOf(snapshot: SnapshotView): string {
  const all = snapshot.operators.flatMap((operator) => operator.offsets).map((offset) => (typeof offset.position === 'number' ? count(offset.position) : valueText(offset.position)))
  if (all.length === 0) return ''
  const shown = all.slice(0, OFFSETS_MAX)
  return all.length > OFFSETS_MAX ? `${shown.join(', ')} and ${all.length - OFFSETS_MAX} more` : shown.length === 1 ? (shown[0] as string) : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}
