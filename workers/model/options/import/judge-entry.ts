/** Pasted keys and values → what they are today, and which of them count. */
import { findOption, optionsOf } from '../option-table.ts'
import type { OptionDescription } from '../option-description.ts'
import { REMOVED_OPTIONS } from '../table/removed.ts'
import { ENTRIES_MAX, type ImportedOption, type ImportResult, type RawEntry, type ReadEntries } from './imported-option.ts'
import { withRefusals } from './refused-values.ts'
import { settle, type Candidate } from './settle.ts'

/** Everything that a reader found, each entry in the list of options and everything else in the list of unread parts. */
export function judgeEntries({ entries, unread, resets = [] }: ReadEntries): ImportResult {
  const read = entries.slice(0, ENTRIES_MAX)
  return { options: withRefusals(settle(read.flatMap(judgeEntry), resets)), unread: [...unread, ...beyond(entries)] }
}

/** What is too much, as one part. */
function beyond(entries: readonly RawEntry[]): ImportResult['unread'] {
  const first = entries[ENTRIES_MAX]
  if (first === undefined) return []
  const last = entries.at(-1)?.line ?? first.line
  return [{ line: first.line, text: first.text, reason: `From here to line ${last} there are ${entries.length - ENTRIES_MAX} settings more; ${ENTRIES_MAX} are read at once. Paste the rest by itself.` }]
}

/** Usually one; an old key that was split gives one for each option. */
export function judgeEntry(entry: RawEntry, index: number): readonly Candidate[] {
  const from = { text: entry.text, line: entry.line }
  const outcome = (option: Omit<ImportedOption, 'from'>, rank: number, more: Partial<Candidate> = {}): Candidate => ({
    option: { ...option, from, note: [option.note, entry.remark].filter((part) => part !== undefined).join(' ') },
    name: entry.key,
    rank,
    entry: entry.group ?? index,
    counts: option.value !== null || entry.call !== undefined,
    ...more,
  })
  const { key, value, call } = entry
  if (call?.fate === 'unknown') return [outcome({ key, value: null, status: 'unknown', note: call.note ?? 'Not a call that is known here; it is listed and does nothing.' }, 0, { counts: false })]
  const removed = REMOVED_OPTIONS.find((candidate) => candidate.key === key)
  if (removed !== undefined) return [outcome({ key, value: null, status: 'removed', note: removed.note }, 0, { counts: false })]
  const own = findOption(key)
  if (own === undefined) {
    if (call?.fate === 'removed') return [outcome({ key, value: null, status: 'removed', note: call.note ?? 'Removed.' }, 0, { counts: false })]
    return [outcome({ key, value, status: 'unknown', note: value === null ? 'Not an option that is known here, and the text says no value for it.' : 'Not an option that is known here; it is kept and does nothing.' }, 0)]
  }
  const legacy = legacyBackend(own, entry)
  if (legacy !== null) return legacy.map((option, at) => outcome(option, at === 0 ? rankOf(own, key) : IMPLIED, at === 0 ? {} : { with: own.key }))
  const options = own.key === key ? [own] : optionsOf(key)
  return options.map((option) => {
    const renamed = option.key !== key
    const status = value === null ? 'no value' : (call?.fate ?? (renamed ? 'renamed' : option.used ? 'unchanged' : 'not used here'))
    return outcome({ key: option.key, value, status, note: noteOf(option, entry, renamed) }, call?.legacy === true ? LEGACY : rankOf(option, key), call?.legacy === true ? { with: 'state.backend.type' } : {})
  })
}

/** A storage that the name of an old backend implies: after the option's own key, before its old ones. */
const IMPLIED = 0.5
const LEGACY = -1

function rankOf(option: OptionDescription, name: string): number {
  return name === option.key ? 0 : option.fallbackKeys.length + option.oldKeys.indexOf(name) + 1
}

/** Flink up to 1.20: StateBackendLoader knew two of the old backends by these names, each of them a backend and a storage today. */
const LEGACY_BACKENDS: Readonly<Record<string, string>> = { jobmanager: 'MemoryStateBackend', filesystem: 'FsStateBackend' }

function legacyBackend(option: OptionDescription, { value }: RawEntry): readonly Omit<ImportedOption, 'from'>[] | null {
  if (option.key !== 'state.backend.type' || value === null) return null
  const storage = value.toLowerCase()
  const name = Object.hasOwn(LEGACY_BACKENDS, storage) ? LEGACY_BACKENDS[storage] : undefined
  if (name === undefined) return null
  const note = `${storage} meant ${name}, which is hashmap with storage ${storage} today; a snapshot made under the old name restores with nothing lost.`
  return [
    { key: option.key, value: 'hashmap', status: 'renamed', note },
    { key: 'execution.checkpointing.storage', value: storage, status: 'renamed', note },
  ]
}

function noteOf(option: OptionDescription, { key, value, call }: RawEntry, renamed: boolean): string {
  const parts = [call?.note ?? null, value === null ? 'The text does not say its value.' : valueNote(option, key, renamed)]
  const said = parts.filter((part) => part !== null)
  return said.length === 0 ? option.effect : said.join(' ')
}

/** Null: nothing to say. */
function valueNote(option: OptionDescription, key: string, renamed: boolean): string | null {
  const parts = [renamed ? `${key} is an old name of it` : null, option.unused === null ? null : `not used here: ${lowerFirst(option.unused.replace(/\.$/, ''))}`].filter((part) => part !== null)
  return parts.length === 0 ? null : `${upperFirst(parts.join('; '))}.`
}

const upperFirst = (text: string): string => (text.startsWith('not used') ? `N${text.slice(1)}` : text)
const lowerFirst = (text: string): string => (/^(TaskManager|RocksDB|ForSt|LEGACY)/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1))
