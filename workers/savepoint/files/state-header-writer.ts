/** Writes headers of keyed files and operator state files with states of any type. Layout: state-headers.ts. */
import type { DataOutput } from '../../state/serializers/data-output.ts'
import { writeTypeEntry } from '../types/write-type.ts'
import type { TypeInfo } from '../types/type-info.ts'
import type { StateInfo, StateKind } from './state-headers.ts'

const KEYED_VERSION = 6
const KINDS: readonly StateKind[] = ['keyed', 'list', 'broadcast', 'timers', 'keyed v2']

export function writeStatesKeyedHeader(out: DataOutput, key: TypeInfo, states: readonly StateInfo[], isCompressed = false): void {
  out.writeInt(KEYED_VERSION)
  out.writeBoolean(isCompressed)
  writeTypeEntry(out, key)
  writeStates(out, states)
}

/** `version` 5 for Flink before 1.18, which knows no compression; else 6. List states come before broadcast states, as the reader gives them. */
export function writeStatesOperatorHeader(out: DataOutput, states: readonly StateInfo[], version: 5 | 6, isCompressed = false): void {
  if (isCompressed && version === 5) throw new RangeError('an operator state file of version 5 is never compressed')
  out.writeInt(version)
  if (version === 6) out.writeBoolean(isCompressed)
  writeStates(out, states.filter((state) => state.kind === 'list'))
  writeStates(out, states.filter((state) => state.kind === 'broadcast'))
}

function writeStates(out: DataOutput, states: readonly StateInfo[]): void {
  out.writeShort(states.length)
  for (const state of states) writeState(out, state)
}

function writeState(out: DataOutput, state: StateInfo): void {
  out.writeUTF(state.name)
  out.writeInt(KINDS.indexOf(state.kind))
  out.writeInt(state.kind === 'timers' ? 0 : 1)
  if (state.kind !== 'timers') {
    out.writeUTF(state.kind === 'list' || state.kind === 'broadcast' ? 'OPERATOR_STATE_DISTRIBUTION_MODE' : 'KEYED_STATE_TYPE')
    out.writeUTF(state.type)
  }
  const roles = ([['VALUE_SERIALIZER', state.value], ['NAMESPACE_SERIALIZER', state.namespace], ['KEY_SERIALIZER', state.key]] as const).flatMap(([role, type]) => (type === null ? [] : [{ role, type }]))
  out.writeInt(roles.length)
  for (const { role, type } of roles) {
    out.writeUTF(role)
    writeTypeEntry(out, type)
  }
}
