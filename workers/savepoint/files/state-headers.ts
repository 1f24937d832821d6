/**
 * Headers of keyed files and operator state files, of every type of state. Flink: KeyedBackendSerializationProxy,
 * OperatorBackendSerializationProxy, StateMetaInfoSnapshotReadersWriters.
 *
 *   keyed     i4 version 6 | bool compressed | serializer entry of the key | i2 count × state
 *   operator  i4 version 5 or 6 | [6: bool compressed] | i2 count × list state | i2 count × broadcast state
 *   state     UTF name | i4 kind | i4 count × {UTF option, UTF value} | i4 count × {UTF role, serializer entry}
 *
 * A serializer snapshot of an unknown class has no length. Behind one the next plausible role or state is searched for, so that one
 * custom serializer does not hide all other states.
 */
import type { DataInput } from '../../state/serializers/data-input.ts'
import { FormatError } from '../../state/serializers/format-error.ts'
import { readTypeEntry } from '../types/read-type.ts'
import { isSnapshotKnown, opaque } from '../types/type-info.ts'
import type { TypeInfo } from '../types/type-info.ts'

export type StateKind = 'keyed' | 'list' | 'broadcast' | 'timers' | 'keyed v2'

export interface StateInfo {
  readonly name: string
  readonly kind: StateKind
  /** `VALUE`, `LIST`, `MAP` … of keyed state, `SPLIT_DISTRIBUTE`, `UNION`, `BROADCAST` of operator state, '' of timers. */
  readonly type: string
  readonly key: TypeInfo | null
  readonly namespace: TypeInfo | null
  readonly value: TypeInfo | null
}

export interface StateHeader {
  readonly version: number
  readonly isCompressed: boolean
  /** Of keyed files. */
  readonly key: TypeInfo | null
  /** The position is the state's id in a keyed file. */
  readonly states: readonly StateInfo[]
  /** Where the header ends; null when that is not known. */
  readonly end: number | null
  /** What could not be read. */
  readonly problems: readonly string[]
}

const KINDS: readonly StateKind[] = ['keyed', 'list', 'broadcast', 'timers', 'keyed v2']
const STATE_TYPE = 'KEYED_STATE_TYPE'
const DISTRIBUTION_MODE = 'OPERATOR_STATE_DISTRIBUTION_MODE'
const OPTIONS: readonly string[] = [STATE_TYPE, DISTRIBUTION_MODE]
const ROLES: readonly string[] = ['KEY_SERIALIZER', 'NAMESPACE_SERIALIZER', 'VALUE_SERIALIZER']
const NAME_LENGTH_MAX = 4096
const STATE_LENGTH_MIN = 2 + 4 + 4 + 4
/** Places that only looked like a state, before the search ends: bytes may be made of nothing but such places. */
const FALSE_FINDS_MAX = 20

/** Throws `FormatError` for a version that no Flink of today reads, and when the bytes end (give more of the file then). */
export function readKeyedHeader(input: DataInput): StateHeader {
  const version = input.readInt('the version of a keyed file')
  if (version !== 6) throw new FormatError(`a keyed file of version ${version}; those of version 6 (since Flink 1.8) can be read`)
  const isCompressed = input.readBoolean('whether the key groups are compressed')
  const reader = new HeaderReader(input)
  const key = reader.readEntry('the key')
  if (key !== null && !isSnapshotKnown(key)) {
    const next = reader.findState(input.position + 2)
    if (next === null) return { version, isCompressed, key, states: [], end: null, problems: reader.problems }
    input.seek(next - 2, 'the number of states')
  }
  const states = reader.readStates(input.readShort('the number of states') & 0xffff)
  return { version, isCompressed, key, states, end: reader.isLost ? null : input.position, problems: reader.problems }
}

/** As above. */
export function readOperatorHeader(input: DataInput): StateHeader {
  const version = input.readInt('the version of an operator state file')
  if (version !== 5 && version !== 6) throw new FormatError(`an operator state file of version ${version}; those of version 5 and 6 (since Flink 1.7) can be read`)
  const isCompressed = version === 6 && input.readBoolean('whether the elements are compressed')
  const reader = new HeaderReader(input)
  const lists = reader.readStates(input.readShort('the number of list states') & 0xffff)
  let broadcasts: StateInfo[] = []
  if (!reader.isLost) {
    broadcasts = reader.readStates(input.readShort('the number of broadcast states') & 0xffff)
  } else {
    const next = reader.findState(input.position + 2)
    if (next !== null) {
      input.seek(next - 2, 'the number of broadcast states')
      broadcasts = reader.readStates(input.readShort('the number of broadcast states') & 0xffff)
    }
  }
  return { version, isCompressed, key: null, states: [...lists, ...broadcasts], end: reader.isLost ? null : input.position, problems: reader.problems }
}

class HeaderReader {
  readonly problems: string[] = []
  /** The last serializer read is of an unknown class: its end is not known. */
  isLost = false
  private readonly input: DataInput

  constructor(input: DataInput) {
    this.input = input
  }

  readEntry(what: string): TypeInfo | null {
    const type = readTypeEntry(this.input)
    this.isLost = !isSnapshotKnown(type)
    if (this.isLost && type.kind === 'opaque') this.problems.push(`the serializer ${type.className} of ${what} is not known here`)
    return type
  }

  readStates(count: number): StateInfo[] {
    const states: StateInfo[] = []
    if (count * STATE_LENGTH_MIN > this.input.remaining) throw this.input.errorAt(this.input.position, `${count} states`, `the data ends after ${this.input.bytes.length} bytes`)
    let wasLost = false
    let falseFinds = 0
    while (states.length < count) {
      wasLost ||= this.isLost
      const at = this.isLost ? this.findState(this.input.position) : this.input.position
      if (at === null || falseFinds > FALSE_FINDS_MAX) {
        this.problems.push(`${count - states.length} more states cannot be found behind it`)
        return states
      }
      this.input.seek(at, 'a state')
      try {
        states.push(this.readState())
      } catch (error) {
        // What only looked like a state is none: the search goes on.
        if (!wasLost || !(error instanceof FormatError)) throw error
        falseFinds++
        this.isLost = true
        this.input.seek(at + 1, 'a state')
      }
    }
    return states
  }

  private readState(): StateInfo {
    const { input } = this
    const at = input.position
    const name = input.readUTF('the name of a state')
    const kind = KINDS[input.readInt('the kind of a state')]
    if (kind === undefined) throw input.errorAt(at, `the kind of state "${name}" (0–4)`, 'found another number')
    let type = ''
    for (let n = input.readCount('the number of options', 4); n > 0; n--) {
      const option = input.readUTF('an option')
      const value = input.readUTF(`the value of ${option}`)
      if (OPTIONS.includes(option)) type = value
    }
    const serializers = this.readSerializers(name)
    const role = (which: string): TypeInfo | null => serializers.get(which) ?? null
    return { name, kind, type, key: role('KEY_SERIALIZER'), namespace: role('NAMESPACE_SERIALIZER'), value: role('VALUE_SERIALIZER') }
  }

  private readSerializers(state: string): Map<string, TypeInfo> {
    const { input } = this
    const found = new Map<string, TypeInfo>()
    this.isLost = false
    for (let n = input.readCount('the number of serializers', 6); n > 0; n--) {
      if (this.isLost) {
        const next = this.findRole(input.position)
        if (next === null) return found
        input.seek(next, 'a serializer')
      }
      const role = input.readUTF('the role of a serializer')
      const type = this.readEntry(`state "${state}"`)
      found.set(role, type ?? opaque('', true))
    }
    return found
  }

  /** The next place that reads like the role of a serializer, before the next state. */
  private findRole(from: number): number | null {
    const { bytes } = this.input
    const stop = this.findState(from) ?? bytes.length
    for (let at = from; at < stop; at++) {
      const role = this.peekName(at, ROLES)
      if (role !== null && intAt(bytes, at + 2 + role.length) === 2) return at
    }
    return null
  }

  /** The next place that reads like a state: a name, a kind, a known option, a known role. */
  findState(from: number): number | null {
    const { bytes } = this.input
    for (let at = from; at + STATE_LENGTH_MIN <= bytes.length; at++) if (this.looksLikeState(at)) return at
    return null
  }

  private looksLikeState(at: number): boolean {
    const { bytes } = this.input
    const length = ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
    const kindAt = at + 2 + length
    const kind = intAt(bytes, kindAt)
    if (length === 0 || length > NAME_LENGTH_MAX || kind < 0 || kind > 4) return false
    const options = intAt(bytes, kindAt + 4)
    if (kind === 3 && options === 0) return intAt(bytes, kindAt + 8) === 1 && this.peekName(kindAt + 12, ROLES) !== null
    return options >= 1 && options <= 4 && this.peekName(kindAt + 8, OPTIONS) !== null
  }

  private peekName(at: number, names: readonly string[]): string | null {
    const { bytes } = this.input
    const length = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
    return names.find((name) => name.length === length && standsAt(bytes, at + 2, name)) ?? null
  }
}

function standsAt(bytes: Uint8Array, at: number, ascii: string): boolean {
  for (let i = 0; i < ascii.length; i++) if (bytes[at + i] !== ascii.charCodeAt(i)) return false
  return true
}

/** −1 behind the end. */
const intAt = (bytes: Uint8Array, at: number): number =>
  at + 4 > bytes.length ? -1 : ((bytes[at] as number) << 24) | ((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)
