/** Edits of the options in a job document: pure functions from document to document, like those of the canvas. */
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { ImportedOption } from '../../workers/model/options/import/imported-option.ts'
import type { OptionDescription } from '../../workers/model/options/option-description.ts'
import { findOption, optionsOf } from '../../workers/model/options/option-table.ts'
import type { RawValue } from '../../workers/model/options/values.ts'

type Config = Readonly<Record<string, RawValue>>

/** The options of a document that may be half typed: what is no text, number or truth value is left out. */
export function configOf(job: JobDocument): Config {
  const config: unknown = job.config
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return {}
  return Object.fromEntries(Object.entries(config as Record<string, unknown>).filter((entry): entry is [string, RawValue] => ['string', 'number', 'boolean'].includes(typeof entry[1])))
}

/** The name under which an option is set: its own, or an old one that no fallback key hides; null = not set. */
export function writtenKey(config: Config, option: OptionDescription): string | null {
  const hidden = option.fallbackKeys.some((key) => Object.hasOwn(config, key))
  return [option.key, ...(hidden ? [] : option.oldKeys)].find((key) => Object.hasOwn(config, key)) ?? null
}

/** Sets an option under its current name; null takes it out. Its old names go, so that one value is in force. */
export function setOption(job: JobDocument, option: OptionDescription, value: RawValue | null): JobDocument {
  const config = configOf(job)
  const before = writtenKey(config, option)
  const gone = option.oldKeys.filter((key) => Object.hasOwn(config, key))
  // An old name that two options share still says the other one's value.
  const shared = gone.flatMap((key) => optionsOf(key).filter((other) => other !== option && writtenKey(config, other) === key).map((other) => [other.key, config[key] ?? ''] as const))
  const entries = Object.entries(config).flatMap(([key, raw]): (readonly [string, RawValue])[] => {
    if (key === before) return value === null ? [] : [[option.key, value]]
    return gone.includes(key) || key === option.key ? [] : [[key, raw]]
  })
  if (before === null && value !== null) entries.push([option.key, value])
  return withConfig(job, Object.fromEntries([...entries, ...shared]))
}

/** Sets or takes out a key that no option is known for. */
export function setKept(job: JobDocument, key: string, value: string | null): JobDocument {
  const config = configOf(job)
  return withConfig(job, Object.fromEntries(Object.entries(config).flatMap(([name, raw]) => (name !== key ? [[name, raw]] : value === null ? [] : [[name, value]]))))
}

/** Takes over what a pasted text sets; what it does not name stays as it is. Of a setting named twice the last counts. */
export function applyImported(job: JobDocument, imported: readonly ImportedOption[], keepUnknown: boolean): JobDocument {
  const settings = taken(imported, keepUnknown)
  const unknown = Object.fromEntries(settings.filter(({ key }) => findOption(key) === undefined).map(({ key, value }) => [key, value]))
  return settings.reduce((next, { key, value }) => {
    const option = findOption(key)
    return option === undefined ? next : setOption(next, option, value)
  }, withConfig(job, { ...configOf(job), ...unknown }))
}

/** The settings that `applyImported` takes over: what counts and has a value. */
export const taken = (imported: readonly ImportedOption[], keepUnknown: boolean): readonly (ImportedOption & { readonly value: string })[] =>
  imported.filter((option): option is ImportedOption & { readonly value: string } => option.value !== null && option.status !== 'overridden' && (keepUnknown || option.status !== 'unknown'))

/** What a form's field says → the value to store: true and false, and numbers where the option is one. */
export function typedValue(option: OptionDescription, text: string): RawValue | null {
  const plain = text.trim()
  if (plain === '') return null
  if (option.type.kind === 'boolean' && (plain === 'true' || plain === 'false')) return plain === 'true'
  if (option.type.kind === 'integer' && /^-?(0|[1-9]\d*)$/.test(plain) && Number.isSafeInteger(Number(plain))) return Number(plain)
  return text
}

function withConfig(job: JobDocument, config: Config): JobDocument {
  return { ...job, config }
}
