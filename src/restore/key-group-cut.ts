/** Which key groups move to another subtask when the ranges are cut anew. Pure. */
import type { KeyGroupRange } from '../../workers/model/state-handles.ts'
import type { OperatorVerdict } from '../../workers/model/restore-verdict.ts'

/** Groups that one old subtask had and a new one of another number gets: they are read from its file by somebody else. */
export interface MovedGroups {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
}

export function movedGroups(old: readonly KeyGroupRange[], cut: readonly KeyGroupRange[]): readonly MovedGroups[] {
  return old.flatMap((was, from) =>
    cut.flatMap((is, to) => {
      const start = Math.max(was.start, is.start)
      const end = Math.min(was.end, is.end)
      return from === to || end < start ? [] : [{ start, end, from, to }]
    }),
  )
}

export interface CutOperators {
  /** Uids of the operators that are cut alike. */
  readonly uids: readonly string[]
  readonly operatorIds: readonly string[]
  readonly maxParallelism: number
  readonly old: readonly KeyGroupRange[]
  readonly cut: readonly KeyGroupRange[]
}

/** Operators with keyed state, those cut alike together. */
export function cutOperators(operators: readonly OperatorVerdict[]): readonly CutOperators[] {
  const groups = new Map<string, CutOperators>()
  for (const { operatorId, keyGroups, old, new: now, outcome } of operators) {
    if (keyGroups === null || old === null || now === null || outcome !== 'restored') continue
    const key = JSON.stringify(keyGroups)
    const before = groups.get(key)
    groups.set(key, {
      uids: [...(before?.uids ?? []), now.uid],
      operatorIds: [...(before?.operatorIds ?? []), operatorId],
      maxParallelism: now.maxParallelism,
      old: keyGroups.old,
      cut: keyGroups.new,
    })
  }
  return [...groups.values()]
}
