/** The states of one operator, side by side: what the snapshot has, what the operator asks for, and what becomes of each (behaviour 9.5, 12.4). */
import type { OperatorDescription } from '../model/job-graph.ts'
import type { StateVerdict } from '../model/restore-verdict.ts'
import type { OperatorStateHandle, OperatorStateMode } from '../model/state-handles.ts'
import type { KeyedFileHeader } from '../state/heap/keyed-file-header.ts'
import { readOperatorStateHeader } from '../state/operator-state.ts'
import { DataInput } from '../state/serializers/data-input.ts'
import { FormatError } from '../state/serializers/format-error.ts'
import { compatibility } from '../state/serializers/serializer-compatibility.ts'
import { BYTES_SERIALIZER, describeSerializer, schemaSerializer } from '../state/serializers/serializer-snapshot.ts'
import type { SerializerType } from '../state/serializers/serializer-snapshot.ts'
import type { OperatorProbe } from './restore-probe.ts'

/** What an operator would do with its state, as far as it came. */
export interface OperatorFindings {
  /** What its task fails with; null: it does not. */
  readonly refusal: string | null
  readonly states: readonly StateVerdict[]
}

interface Stored {
  readonly kind: StateVerdict['kind']
  /** Null: it could not be read. */
  readonly type: SerializerType | null
}

/** What the snapshot has for one subtask. */
export class StoredStates {
  readonly byName = new Map<string, Stored>()
  /** Of the keys of keyed state. */
  key: SerializerType | null = null

  addKeyed(header: KeyedFileHeader): void {
    this.key = header.key
    for (const { name, value } of header.states) this.byName.set(name, { kind: 'keyed', type: value })
  }

  addLists(handle: OperatorStateHandle, bytes: Uint8Array): void {
    const types = typesOf(bytes)
    for (const { name, mode } of handle.states) this.byName.set(name, { kind: kindOf(mode), type: types.get(name) ?? null })
  }
}

function typesOf(bytes: Uint8Array): ReadonlyMap<string, SerializerType> {
  try {
    return new Map(readOperatorStateHeader(new DataInput(bytes)).map(({ name, value }) => [name, value]))
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return new Map()
  }
}

const kindOf = (mode: OperatorStateMode): StateVerdict['kind'] => (mode === 'UNION' ? 'union' : mode === 'BROADCAST' ? 'broadcast' : 'list')

/** What the operator asked for when it was opened. */
export interface OwnStates {
  readonly isKeyed: boolean
  readonly key: SerializerType | null
  readonly byName: ReadonlyMap<string, { readonly kind: StateVerdict['kind']; readonly type: SerializerType }>
}

export function ownStates(description: OperatorDescription, probe: OperatorProbe): OwnStates {
  const byName = new Map<string, { readonly kind: StateVerdict['kind']; readonly type: SerializerType }>()
  for (const [name, schema] of probe.askedKeyed) byName.set(name, { kind: 'keyed', type: schemaSerializer(schema) })
  for (const [name, mode] of probe.askedLists) byName.set(name, { kind: kindOf(mode), type: BYTES_SERIALIZER })
  for (const [name, schema] of probe.askedBroadcasts) byName.set(name, { kind: 'broadcast', type: schemaSerializer(schema) })
  const isKeyed = description.keyFields.some((fields) => fields !== null)
  return { isKeyed, key: isKeyed && probe.keyed !== null ? probe.keySerializer : null, byName }
}

/** `refusal`: what the task fails with; null: it does not. */
export function stateVerdicts(stored: StoredStates, own: OwnStates, refusal: string | null): readonly StateVerdict[] {
  const verdicts: StateVerdict[] = []
  for (const [name, old] of stored.byName) verdicts.push({ name, kind: old.kind, ...judge(name, old, stored.key, own, refusal) })
  for (const [name, { kind, type }] of own.byName) {
    if (!stored.byName.has(name)) verdicts.push({ name, kind, outcome: 'new', oldType: '', newType: describeSerializer(type), reason: 'starts empty' })
  }
  return verdicts
}

type Judgement = Pick<StateVerdict, 'outcome' | 'oldType' | 'newType' | 'reason'>

function judge(name: string, old: Stored, oldKey: SerializerType | null, own: OwnStates, refusal: string | null): Judgement {
  const wanted = own.byName.get(name)
  const types = { oldType: old.type === null ? '' : describeSerializer(old.type), newType: wanted === undefined ? '' : describeSerializer(wanted.type) }
  if (old.type === null) return { ...types, outcome: 'unknown', reason: refusal ?? 'its type could not be read' }
  if (old.kind === 'keyed' && !own.isKeyed) return { ...types, outcome: 'lost', reason: 'the operator is not keyed any more: its keyed state is not restored' }
  if (old.kind === 'keyed' && oldKey !== null && own.key !== null && compatibility(oldKey, own.key) !== 'as is') {
    return { ...types, outcome: 'incompatible', reason: `the keys were ${describeSerializer(oldKey)} and are ${describeSerializer(own.key)}` }
  }
  if (wanted === undefined) return { ...types, outcome: 'carried', reason: 'nobody reads it; it goes into every later snapshot' }
  if (wanted.kind !== old.kind) return { ...types, outcome: 'incompatible', reason: `it was ${old.kind} state and is ${wanted.kind} state` }
  const verdict = compatibility(old.type, wanted.type)
  if (verdict === 'incompatible') return { ...types, outcome: 'incompatible', reason: `${types.oldType} cannot be read as ${types.newType}` }
  return verdict === 'migrate' ? { ...types, outcome: 'migrated', reason: 'read in the old form, written in the new one' } : { ...types, outcome: 'as is', reason: '' }
}
