/** Reads options of a job document by key, old keys included, and collects what is wrong with them. */
import type { Result } from '../../base/result.ts'
import type { Problem } from '../job-graph.ts'
import { jsonPointer } from '../json-pointer.ts'
import { findOption, OPTIONS } from './option-table.ts'
import type { OptionDescription, OptionType } from './option-description.ts'
import { REMOVED_OPTIONS } from './table/removed.ts'
import { checkValue, parseBoolean, parseChoice, parseDecimal, parseInteger, parseLong, parseMemory, parseOptionDuration, type RawValue } from './values.ts'

export class ConfigReader {
  readonly problems: Problem[] = []
  private readonly config: Readonly<Record<string, RawValue>>

  constructor(config: Readonly<Record<string, RawValue>>) {
    this.config = config
    for (const key of Object.keys(config)) this.checkKey(key)
  }

  /** The parsed value, or null if it is not set (or unreadable: then a problem says so). */
  duration(key: string, limits?: Limits): number | null {
    return this.read(key, parseOptionDuration, limits)
  }

  memory(key: string, limits?: Limits): number | null {
    return this.read(key, parseMemory, limits)
  }

  integer(key: string, limits?: Limits): number | null {
    return this.read(key, parseInteger, limits)
  }

  long(key: string, limits?: Limits): number | null {
    return this.read(key, parseLong, limits)
  }

  decimal(key: string, limits?: Limits): number | null {
    return this.read(key, parseDecimal, limits)
  }

  boolean(key: string): boolean | null {
    return this.read(key, parseBoolean)
  }

  choice<T extends string>(key: string, choices: readonly T[]): T | null {
    return this.read(key, (raw) => parseChoice(raw, choices))
  }

  text(key: string): string | null {
    const found = this.find(key)
    return found === null ? null : String(found.raw)
  }

  /** The key that is written in the document: the option's own, a fallback key or an old one, in the order in which Flink asks for them. */
  find(key: string): { readonly key: string; readonly raw: RawValue } | null {
    const option = findOption(key)
    for (const name of [key, ...(option?.fallbackKeys ?? []), ...(option?.oldKeys ?? [])]) {
      const raw = Object.hasOwn(this.config, name) ? this.config[name] : undefined
      if (raw !== undefined) return { key: name, raw }
    }
    return null
  }

  /** All keys of the document, as they are written there. */
  keys(): readonly string[] {
    return Object.keys(this.config)
  }

  error(key: string, message: string, cure: string): void {
    this.problems.push({ severity: 'error', path: jsonPointer('config', this.find(key)?.key ?? key), message, cure })
  }

  warn(key: string, message: string, cure: string): void {
    this.problems.push({ severity: 'warning', path: jsonPointer('config', this.find(key)?.key ?? key), message, cure })
  }

  private read<T>(key: string, parse: (raw: RawValue) => Result<T, string>, limits?: Limits): T | null {
    const found = this.find(key)
    if (found === null) return null
    const parsed = parse(found.raw)
    if (!parsed.ok) {
      this.error(key, `Could not read the value of ${found.key}: ${parsed.error}.`, cureFor(findOption(key)))
      return null
    }
    const value = parsed.value
    if (limits !== undefined && typeof value === 'number') {
      if (value < (limits.min ?? -Infinity) || value > (limits.max ?? Infinity)) {
        this.error(key, `${found.key} is ${found.raw}, which is outside ${limits.text}.`, `Give a value within ${limits.text}.`)
        return null
      }
    }
    return value
  }

  /** Unknown and unused options stay in the document; nothing is dropped without a word. */
  private checkKey(key: string): void {
    const option = findOption(key)
    const path = jsonPointer('config', key)
    const removed = REMOVED_OPTIONS.find((candidate) => candidate.key === key)
    if (removed !== undefined) {
      this.problems.push({ severity: 'warning', path, message: `${key} does nothing. ${removed.note}`, cure: 'Remove it.' })
    } else if (option === undefined) {
      const similar = nearest(key)
      this.problems.push({
        severity: 'warning',
        path,
        message: `${key} is not used here.`,
        cure: similar === null ? 'It is kept in the document and does nothing.' : `Did you mean ${similar}? It is kept in the document and does nothing.`,
      })
    } else if (option.unused !== null) {
      this.problems.push({ severity: 'warning', path, message: `${option.key} is not used here. ${option.unused}`, cure: 'It is kept in the document and does nothing.' })
      this.checkUnused(key, option)
    } else if (key !== option.key && Object.hasOwn(this.config, option.key)) {
      this.problems.push({ severity: 'warning', path, message: `${key} is an old name of ${option.key}, which is set too.`, cure: `Remove ${key}: ${option.key} wins.` })
    }
  }

  /** What Flink could not read is a mistake even where it does nothing. */
  private checkUnused(key: string, option: OptionDescription): void {
    const parsed = checkValue(option, this.config[key] ?? '')
    if (!parsed.ok) this.error(key, `Could not read the value of ${key}: ${parsed.error}.`, cureFor(option))
  }
}

export interface Limits {
  readonly min?: number
  readonly max?: number
  /** In words, after "outside" and "within". */
  readonly text: string
}

const EXAMPLES: Readonly<Record<OptionType['kind'], string>> = {
  duration: 'Write a whole number and a unit, as in "10 s", "500 ms" or "5 min".',
  memory: 'Write a whole number and a unit, as in "32 kb" or "5 mb".',
  boolean: 'Write true or false.',
  integer: 'Write a whole number.',
  decimal: 'Write a number, as in 1.5.',
  text: 'Write a text.',
  choice: 'Choose one of the values.',
}

function cureFor(option: OptionDescription | undefined): string {
  if (option === undefined) return 'Correct the value.'
  return option.type.kind === 'choice' ? `Choose one of: ${option.type.choices.join(', ')}.` : EXAMPLES[option.type.kind]
}

/** The option with the same last part, if exactly one has it. */
function nearest(key: string): string | null {
  const last = key.slice(key.lastIndexOf('.') + 1)
  const found = OPTIONS.filter((option) => option.key.endsWith(`.${last}`))
  return found.length === 1 ? (found[0]?.key ?? null) : null
}
