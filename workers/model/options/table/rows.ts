/** The shorthand in which the tables of options are written. */
import type { OptionDescription, OptionGroup, OptionType } from '../option-description.ts'

export const DURATION: OptionType = { kind: 'duration' }
export const BOOLEAN: OptionType = { kind: 'boolean' }
export const INTEGER: OptionType = { kind: 'integer' }
export const LONG: OptionType = { kind: 'integer', long: true }
export const DECIMAL: OptionType = { kind: 'decimal' }
export const MEMORY: OptionType = { kind: 'memory' }
export const TEXT: OptionType = { kind: 'text' }
export const choice = (...choices: string[]): OptionType => ({ kind: 'choice', choices })

export interface Row {
  readonly key: string
  readonly type: OptionType
  readonly default: string | null
  readonly effect: string
  readonly picture: string
  readonly old?: readonly string[]
  readonly fallback?: readonly string[]
  readonly history?: string
  /** Why the engine does not obey it; absent where it does. */
  readonly unused?: string
}

/** Puts the prefix before every key that does not begin with a slash; a slash marks a key that stands by itself. */
export function describeRows(group: OptionGroup, prefix: string, rows: readonly Row[]): readonly OptionDescription[] {
  return rows.map((row) => ({
    key: row.key.startsWith('/') ? row.key.slice(1) : `${prefix}${row.key}`,
    oldKeys: row.old ?? [],
    fallbackKeys: row.fallback ?? [],
    group,
    type: row.type,
    default: row.default,
    effect: row.effect,
    picture: row.picture,
    history: row.history ?? null,
    used: row.unused === undefined,
    unused: row.unused ?? null,
  }))
}
