/**
 * What differs between two snapshots: operators by uid, or by id where there is none, their states by name, and the entries that both views
 * show. Entries are compared as far as they were sampled: `isPartial` says whether that was everything.
 */
import type { EntryView, OperatorView, PlaceView, SnapshotView, StateView } from '../model/snapshot-view.ts'
import { valueText } from './value-text.ts'

export type Change = 'added' | 'removed' | 'changed' | 'same'

export interface EntryChange {
  readonly change: 'added' | 'removed' | 'changed'
  readonly key: string
  readonly before: string
  readonly after: string
}

export interface StateChange {
  readonly name: string
  readonly kind: StateView['kind']
  readonly change: Change
  readonly entriesBefore: number
  readonly entriesAfter: number
  /** `Long → String`; '' while it is the same. */
  readonly types: string
  readonly entries: readonly EntryChange[]
  readonly isPartial: boolean
}

export interface OperatorChange {
  readonly operatorId: string
  readonly uid: string
  readonly name: string
  readonly change: Change
  readonly parallelism: readonly [number, number]
  readonly maxParallelism: readonly [number, number]
  readonly size: readonly [number, number]
  readonly states: readonly StateChange[]
}

export interface SnapshotComparison {
  readonly operators: readonly OperatorChange[]
  readonly size: readonly [number, number]
  /** Files that both refer to: shared between incremental checkpoints. */
  readonly sharedFiles: readonly string[]
}

const ENTRY_CHANGES_MAX = 500

export function compareSnapshots(before: SnapshotView, after: SnapshotView): SnapshotComparison {
  const old = new Map(before.operators.map((operator) => [operator.operatorId, operator]))
  const operators = after.operators.map((operator) => compareOperators(old.get(operator.operatorId) ?? null, operator))
  const kept = new Set(after.operators.map((operator) => operator.operatorId))
  const removed = before.operators.filter((operator) => !kept.has(operator.operatorId)).map((operator) => compareOperators(operator, null))
  const filesBefore = new Set(pathsOf(before))
  return { operators: [...operators, ...removed], size: [before.size, after.size], sharedFiles: [...new Set(pathsOf(after))].filter((path) => filesBefore.has(path)) }
}

/** Paths of shared files: the same file, if two snapshots name it. Inline and relative ones are each snapshot's own. */
const pathsOf = (view: SnapshotView): string[] =>
  view.operators.flatMap((operator) => operator.subtasks.flatMap((subtask) => subtask.handles.flatMap((handle) => handle.files.filter((file) => file.isShared && isAbsolute(file.place)).map((file) => file.place.path))))
const isAbsolute = (place: PlaceView): boolean => place.where === 'absolute' || place.where === 'segment'

function compareOperators(before: OperatorView | null, after: OperatorView | null): OperatorChange {
  const one = after ?? before
  const states = mergeStates(before?.states ?? [], after?.states ?? [])
  const parallelism = [before?.parallelism ?? 0, after?.parallelism ?? 0] as const
  const maxParallelism = [before?.maxParallelism ?? 0, after?.maxParallelism ?? 0] as const
  const isSame = parallelism[0] === parallelism[1] && maxParallelism[0] === maxParallelism[1] && states.every((state) => state.change === 'same')
  const change: Change = before === null ? 'added' : after === null ? 'removed' : isSame ? 'same' : 'changed'
  return {
    operatorId: one?.operatorId ?? '',
    uid: one?.uid || (before?.uid ?? ''),
    name: one?.name || (before?.name ?? ''),
    change,
    parallelism,
    maxParallelism,
    size: [before?.size ?? 0, after?.size ?? 0],
    states,
  }
}

function mergeStates(before: readonly StateView[], after: readonly StateView[]): StateChange[] {
  const id = (state: StateView): string => `${state.kind}/${state.name}`
  const old = new Map(before.map((state) => [id(state), state]))
  const kept = new Set(after.map(id))
  return [...after.map((state) => compareStates(old.get(id(state)) ?? null, state)), ...before.filter((state) => !kept.has(id(state))).map((state) => compareStates(state, null))]
}

function compareStates(before: StateView | null, after: StateView | null): StateChange {
  const one = (after ?? before) as StateView
  const entries = compareEntries(before?.sample ?? [], after?.sample ?? [])
  const types = [typesOf(before), typesOf(after)]
  const typeChange = before !== null && after !== null && types[0] !== types[1] ? `${types[0]} → ${types[1]}` : ''
  const isPartial = [before, after].some((state) => state !== null && (!state.isComplete || state.sample.length < state.entries))
  const isSame = typeChange === '' && entries.length === 0 && before?.entries === after?.entries
  const change: Change = before === null ? 'added' : after === null ? 'removed' : isSame ? 'same' : 'changed'
  return { name: one.name, kind: one.kind, change, entriesBefore: before?.entries ?? 0, entriesAfter: after?.entries ?? 0, types: typeChange, entries: entries.slice(0, ENTRY_CHANGES_MAX), isPartial: isPartial || entries.length > ENTRY_CHANGES_MAX }
}

const typesOf = (state: StateView | null): string => (state === null ? '' : [state.type, state.keyType, state.namespaceType, state.valueType].filter((part) => part !== '').join(' '))

function compareEntries(before: readonly EntryView[], after: readonly EntryView[]): EntryChange[] {
  const old = byKey(before)
  const now = byKey(after)
  const changes: EntryChange[] = []
  for (const [key, value] of now) {
    const was = old.get(key)
    if (was === undefined) changes.push({ change: 'added', key, before: '', after: value })
    else if (was !== value) changes.push({ change: 'changed', key, before: was, after: value })
  }
  for (const [key, value] of old) if (!now.has(key)) changes.push({ change: 'removed', key, before: value, after: '' })
  return changes
}

/** Elements of lists have no key: their value is it. What comes again under one key (elements, timers) gets a number. */
function byKey(entries: readonly EntryView[]): Map<string, string> {
  const found = new Map<string, string>()
  const times = new Map<string, number>()
  for (const entry of entries) {
    const parts = [entry.key, entry.namespace, entry.mapKey ?? null].filter((part) => part !== null).map(valueText)
    const key = parts.length === 0 ? valueText(entry.value) : parts.join(' / ')
    const time = (times.get(key) ?? 0) + 1
    times.set(key, time)
    found.set(time === 1 ? key : `${key} (${time})`, valueText(entry.value))
  }
  return found
}
