/** Entries of state in one form, whoever holds them: the texts are those of Text.java. */
import type { EntryView, SnapshotView, StateView, ValueView } from '../../workers/model/snapshot-view.ts'

export interface Entry {
  readonly uid: string
  readonly subtask: number
  readonly state: string
  /** −1 for operator state. */
  readonly keyGroup: number
  readonly key: string
  readonly namespace: string
  readonly mapKey: string
  readonly value: string
}

export const keyedLine = (entry: Entry): string => `${entry.uid} ${entry.state} group ${entry.keyGroup} key ${entry.key} in ${entry.namespace}${entry.mapKey === 'null' ? '' : ` at ${entry.mapKey}`}: ${entry.value}`
/** `subtask` null: of whichever. */
export const operatorLine = (entry: Entry, subtask: number | null): string =>
  `${entry.uid} ${entry.state}${subtask === null ? '' : ` of ${subtask}`}${entry.mapKey === 'null' ? '' : ` at ${entry.mapKey}`}: ${entry.value}`
export const isOfOperator = (entry: Entry): boolean => entry.keyGroup < 0

/** Everything in a snapshot. A map is one entry for each of its keys, whichever way it is stored. */
export function entriesOf(view: SnapshotView): Entry[] {
  return view.operators.flatMap((operator) => operator.states.flatMap((state) => state.sample.flatMap((entry) => split(operator.uid, state, entry))))
}

function split(uid: string, state: StateView, entry: EntryView): Entry[] {
  const one = {
    uid,
    subtask: entry.subtask,
    state: state.name,
    keyGroup: entry.keyGroup ?? -1,
    key: text(entry.key),
    namespace: text(entry.namespace),
    mapKey: text(entry.mapKey ?? null),
    value: text(entry.value),
  }
  const { value } = entry
  if (state.type !== 'MAP' || entry.mapKey !== undefined || value === null || typeof value !== 'object' || value.kind !== 'map') return [one]
  return value.entries.map(([key, of]) => ({ ...one, mapKey: text(key), value: text(of) }))
}

export function text(value: ValueView): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object') return String(value)
  switch (value.kind) {
    case 'text':
      return value.text
    case 'list':
      return `[${value.items.map(text).join(', ')}]`
    case 'map':
      return `{${value.entries.map(([key, one]) => `${text(key)}: ${text(one)}`).toSorted().join(', ')}}`
    case 'record':
      return record(value)
    case 'bytes':
      return `0x${value.hex}`
    case 'opaque':
      return `opaque ${value.type} of ${value.size} bytes`
  }
}

function record(value: Extract<ValueView, { kind: 'record' }>): string {
  // The time of the last access is the clock's, and no value of the job.
  if (value.type === 'TTL') return text(value.fields.at(-1)?.value ?? null)
  const fields = `(${value.fields.map((field) => text(field.value)).join(', ')})`
  return value.type === 'Row' ? `+I${fields}` : fields
}

const quoted = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
