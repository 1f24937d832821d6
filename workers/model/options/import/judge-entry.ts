/** A pasted key and value → what it is today. */
import { findOption, optionsOf } from '../option-table.ts'
import type { OptionDescription } from '../option-description.ts'
import { REMOVED_OPTIONS } from '../table/removed.ts'
import { checkValue } from '../values.ts'
import type { ImportedOption, RawEntry } from './imported-option.ts'

/** Usually one; an old key that was split gives one for each option. */
export function judgeEntry(entry: RawEntry): readonly ImportedOption[] {
  const from = { text: entry.text, line: entry.line }
  const removed = REMOVED_OPTIONS.find((candidate) => candidate.key === entry.key)
  if (removed !== undefined) return [{ key: entry.key, value: null, from, status: 'removed', note: removed.note }]
  const own = findOption(entry.key)
  if (own === undefined) return [{ key: entry.key, value: entry.value, from, status: 'unknown', note: 'Not an option that is known here; it is kept and does nothing.' }]
  const legacy = legacyBackend(own, entry)
  if (legacy !== null) return legacy.map((option) => ({ ...option, from }))
  const options = own.key === entry.key ? [own] : optionsOf(entry.key)
  return options.map((option) => {
    const renamed = option.key !== entry.key
    const status = renamed ? 'renamed' : option.used ? 'unchanged' : 'not used here'
    return { key: option.key, value: entry.value, from, status, note: noteOf(option, entry, renamed) }
  })
}

/** Flink up to 1.20: StateBackendLoader knew two of the old backends by these names, each of them a backend and a storage today. */
const LEGACY_BACKENDS: Readonly<Record<string, string>> = { jobmanager: 'MemoryStateBackend', filesystem: 'FsStateBackend' }

function legacyBackend(option: OptionDescription, { value }: RawEntry): readonly Omit<ImportedOption, 'from'>[] | null {
  if (option.key !== 'state.backend.type' || value === null) return null
  const storage = String(value).toLowerCase()
  const name = Object.hasOwn(LEGACY_BACKENDS, storage) ? LEGACY_BACKENDS[storage] : undefined
  if (name === undefined) return null
  const note = `${storage} meant ${name}, which is hashmap with storage ${storage} today; a snapshot made under the old name restores with nothing lost.`
  return [
    { key: option.key, value: 'hashmap', status: 'renamed', note },
    { key: 'execution.checkpointing.storage', value: storage, status: 'renamed', note },
  ]
}

function noteOf(option: OptionDescription, entry: RawEntry, renamed: boolean): string {
  if (entry.value === null) return 'The text says no value for it.'
  const checked = checkValue(option, entry.value)
  if (!checked.ok) return `Its value cannot be read: ${checked.error}.`
  const parts = [renamed ? `${entry.key} is an old name of it` : null, option.unused === null ? null : `not used here: ${lowerFirst(option.unused.replace(/\.$/, ''))}`].filter((part) => part !== null)
  return parts.length === 0 ? option.effect : `${upperFirst(parts.join('; '))}.`
}

const upperFirst = (text: string): string => (text.startsWith('not used') ? `N${text.slice(1)}` : text)
const lowerFirst = (text: string): string => (/^(TaskManager|RocksDB|ForSt|LEGACY)/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1))
