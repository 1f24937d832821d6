/** Gathers the states of one operator over all its subtasks: what is known of their types, how many entries, some of them. */
import type { EntryView, StateView } from '../model/snapshot-view.ts'
import { describeType } from './types/describe-type.ts'
import type { StateInfo } from './files/state-headers.ts'
import type { TypeInfo } from './types/type-info.ts'

type Kind = StateView['kind']

interface Gathered {
  readonly name: string
  readonly kind: Kind
  type: string
  keyType: string
  namespaceType: string
  valueType: string
  entries: number
  opaque: number
  sample: EntryView[]
  /** Every so many entries one is kept: doubles when there are too many, so that the sample is spread over all subtasks. */
  stride: number
  isComplete: boolean
}

/** What readers hand over. A collector that only searches looks at entries and keeps those that match. */
export interface EntryCollector {
  declare(info: StateInfo, key: TypeInfo | null, kind?: Kind): void
  entry(name: string, kind: Kind, entry: EntryView, isOpaque: boolean): void
  incomplete(name: string, kind: Kind): void
  /** A part that may hold entries of any state, also of one that is not known yet, could not be read. */
  unread(): void
}

export class StateCollector implements EntryCollector {
  private readonly states = new Map<string, Gathered>()
  private readonly sampleSize: number
  private isAllRead = true

  constructor(sampleSize: number) {
    this.sampleSize = sampleSize
  }

  declare(info: StateInfo, key: TypeInfo | null, kind: Kind = kindOf(info)): void {
    const state = this.state(info.name, kind)
    state.type = kind === 'keyed' ? info.type : ''
    state.keyType = words(kind === 'broadcast' ? info.key : key) || state.keyType
    state.namespaceType = words(info.namespace) || state.namespaceType
    state.valueType = words(info.value) || state.valueType
  }

  entry(name: string, kind: Kind, entry: EntryView, isOpaque: boolean): void {
    const state = this.state(name, kind)
    if (state.entries % state.stride === 0) state.sample.push(entry)
    if (state.sample.length > this.sampleSize) {
      state.sample = state.sample.filter((_, index) => index % 2 === 0)
      state.stride *= 2
    }
    state.entries++
    if (isOpaque) state.opaque++
  }

  incomplete(name: string, kind: Kind): void {
    this.state(name, kind).isComplete = false
  }

  unread(): void {
    this.isAllRead = false
  }

  views(): StateView[] {
    return [...this.states.values()].map(({ name, kind, type, keyType, namespaceType, valueType, entries, opaque, sample, isComplete }) => ({
      name, kind, type, keyType, namespaceType, valueType, entries, opaque, sample: [...sample], isComplete: isComplete && this.isAllRead,
    }))
  }

  private state(name: string, kind: Kind): Gathered {
    const id = `${kind}/${name}`
    let state = this.states.get(id)
    if (state === undefined) {
      state = { name, kind, type: '', keyType: '', namespaceType: '', valueType: '', entries: 0, opaque: 0, sample: [], stride: 1, isComplete: true }
      this.states.set(id, state)
    }
    return state
  }
}

/** Types of damaged files may be of any length. */
const WORDS_MAX = 2000
const words = (type: TypeInfo | null): string => (type === null ? '' : describeType(type).slice(0, WORDS_MAX))

export function kindOf(info: StateInfo): Kind {
  switch (info.kind) {
    case 'keyed':
    case 'keyed v2':
      return 'keyed'
    case 'timers':
      return 'timers'
    case 'broadcast':
      return 'broadcast'
    case 'list':
      return info.type === 'UNION' ? 'union' : 'list'
  }
}
