/** What a snapshot is, from what was read of it. Pure. */
import type { SnapshotSummary } from '../../workers/model/snapshot-desk.ts'
import type { EntryView, HandleView, OperatorView, PlaceView, SnapshotView, ValueView } from '../../workers/model/snapshot-view.ts'
import { valueText } from './value-text.ts'

export type SnapshotKind = SnapshotSummary['kind']

export interface PlaceCounts {
  readonly inline: number
  readonly relative: number
  readonly absolute: number
}

export const placesOf = (handle: HandleView): readonly PlaceView[] => [...(handle.place === null ? [] : [handle.place]), ...handle.files.map((file) => file.place)]

const handlesOf = (view: SnapshotView): readonly HandleView[] => view.operators.flatMap((operator) => operator.subtasks.flatMap((subtask) => subtask.handles))

/** Segments are named by absolute paths. */
export function placeCounts(view: SnapshotView): PlaceCounts {
  const places = handlesOf(view).flatMap(placesOf)
  const among = (...where: readonly PlaceView['where'][]): number => places.filter((place) => where.includes(place.where)).length
  return { inline: among('inline'), relative: among('relative'), absolute: among('absolute', 'segment') }
}

/** By its properties where it has them (from version 4), else by its handles as far as these tell; the desk tells it of stored ones by the same rule. */
export function kindOf(view: SnapshotView): SnapshotKind {
  const property = (wanted: string): string => view.properties.find(([name]) => name === wanted)?.[1].toUpperCase() ?? ''
  const type = property('type')
  const handles = handlesOf(view)
  if (type.includes('SAVEPOINT')) return property('format') === 'NATIVE' ? 'native savepoint' : 'canonical savepoint'
  if (handles.some((handle) => handle.role === 'input channels' || handle.role === 'output channels')) return 'unaligned checkpoint'
  if (type !== '') return 'checkpoint'
  return handles.some((handle) => handle.kind === 'canonical savepoint') ? 'canonical savepoint' : 'unknown'
}

export const isSavepointKind = (kind: SnapshotKind): boolean => kind === 'canonical savepoint' || kind === 'native savepoint'

export interface SubtaskRange {
  readonly subtask: number
  readonly start: number
  readonly end: number
}

/** Key groups by subtask as the handles have them; [] for an operator without keyed state. */
export function keyGroupsOf(operator: OperatorView): readonly SubtaskRange[] {
  return operator.subtasks.flatMap((subtask) => {
    const ranges = subtask.handles.flatMap((handle) => (handle.keyGroups === null ? [] : [handle.keyGroups]))
    const start = Math.min(...ranges.map((range) => range.start))
    const end = Math.max(...ranges.map((range) => range.end))
    return ranges.length === 0 || end < start ? [] : [{ subtask: subtask.index, start, end }]
  })
}

/** Keys of the sample with their group, each once: marks on the bar of key groups. */
export function sampleKeys(operator: OperatorView, max: number): readonly { readonly key: string; readonly group: number }[] {
  const found = new Map<string, number>()
  for (const entry of operator.states.flatMap((state) => state.sample)) {
    if (entry.keyGroup !== null && found.size < max) found.set(valueText(entry.key), entry.keyGroup)
  }
  return [...found].map(([key, group]) => ({ key, group }))
}

export const entriesOf = (operator: OperatorView): number => operator.states.reduce((sum, state) => sum + state.entries, 0)

export type EntryColumn = 'subtask' | 'group' | 'key' | 'namespace' | 'map key' | 'value'

/** Only those that some entry has: operator state has no key, a value state no map key. */
export function entryColumns(entries: readonly EntryView[]): readonly EntryColumn[] {
  const has = (test: (entry: EntryView) => boolean): boolean => entries.some(test)
  return [
    'subtask',
    ...(has((entry) => entry.keyGroup !== null) ? (['group', 'key'] as const) : []),
    ...(has((entry) => entry.namespace !== null) ? (['namespace'] as const) : []),
    ...(has((entry) => entry.mapKey !== undefined) ? (['map key'] as const) : []),
    'value',
  ]
}

export const cellOf = (entry: EntryView, column: EntryColumn): ValueView => {
  switch (column) {
    case 'subtask':
      return entry.subtask
    case 'group':
      return entry.keyGroup
    case 'key':
      return entry.key
    case 'namespace':
      return entry.namespace
    case 'map key':
      return entry.mapKey ?? null
    case 'value':
      return entry.value
  }
}

/** Name that a reader knows it by: uid, else name, else the first of its id. */
export const operatorTitle = (operator: { readonly uid: string; readonly name: string; readonly operatorId: string }): string => operator.uid || operator.name || `${operator.operatorId.slice(0, 8)}…`
