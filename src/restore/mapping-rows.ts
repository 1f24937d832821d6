/** Old operators beside new ones: which row each stands in, and what joins them. Pure. */
import type { OperatorVerdict, RestoreVerdict, StateVerdict } from '../../workers/model/restore-verdict.ts'

export type JoinKind = 'kept' | 'changed' | 'refused'

export interface Join {
  /** Rows, from 0. */
  readonly from: number
  readonly to: number
  readonly kind: JoinKind
}

export interface Mapping {
  readonly old: readonly OperatorVerdict[]
  readonly new: readonly OperatorVerdict[]
  readonly joins: readonly Join[]
}

/** `order`: uids of the job in its document's order, so that the right side reads as the job does. */
export function mappingOf(verdict: RestoreVerdict, order: readonly string[]): Mapping {
  const place = (one: OperatorVerdict): number => {
    const at = order.indexOf(one.new?.uid ?? '')
    return at < 0 ? order.length : at
  }
  const sorted = verdict.operators.toSorted((a, b) => place(a) - place(b))
  const old = sorted.filter((one) => one.old !== null)
  const right = sorted.filter((one) => one.new !== null)
  const joins = right.flatMap((one, to) => (one.old === null ? [] : [{ from: old.indexOf(one), to, kind: joinKind(one) }]))
  return { old, new: right, joins }
}

function joinKind(one: OperatorVerdict): JoinKind {
  if (one.outcome === 'refused') return 'refused'
  return one.states.some(isChanged) ? 'changed' : 'kept'
}

export const isChanged = (state: StateVerdict): boolean => state.outcome !== 'as is' && state.outcome !== 'new'

/** What stands at the right of a new operator: the reason where it is refused, else what is different about it, else that it is restored. */
export function outcomeWords(one: OperatorVerdict): string {
  if (one.outcome === 'refused') return one.reason
  const changed = one.states.find(isChanged)
  if (changed !== undefined) return stateWords(changed)
  if (one.outcome === 'empty') return one.reason === '' ? 'not in the snapshot, starts empty' : one.reason
  return one.reason === '' ? 'restored' : one.reason
}

export function stateWords({ name, outcome, oldType, newType, reason }: StateVerdict): string {
  const what = oldType !== newType && oldType !== '' && newType !== '' ? `${name}: ${oldType} → ${newType}` : name
  switch (outcome) {
    case 'migrated':
      return `${what}, migrated`
    case 'incompatible':
      return `${what}: ${reason === '' ? 'incompatible' : reason}`
    case 'carried':
      return `${name} is read by nobody any more; it is carried along`
    case 'lost':
      return `${name} is lost${reason === '' ? '' : `: ${reason}`}`
    case 'unknown':
      return `${name}: ${reason === '' ? 'its type is not known here, the tasks will tell' : reason}`
    case 'new':
      return `${name} starts empty`
    case 'as is':
      return `${what}, as it is`
  }
}

/** `2 states, 12 entries` … of the old side. */
export function stateCount(states: readonly StateVerdict[]): string {
  const old = states.filter((state) => state.outcome !== 'new').length
  return old === 1 ? '1 state' : `${old} states`
}
