/** What the page and the parser know about one Flink option. */
export interface OptionDescription {
  readonly key: string
  /** Deprecated keys that Flink still accepts. */
  readonly oldKeys: readonly string[]
  readonly type: OptionType
  /** As Flink prints it; null = none. */
  readonly default: string | null
  /** One sentence: what it does. */
  readonly effect: string
  /** One sentence: what changes in the picture when it is set. */
  readonly picture: string
  /** The engine obeys it now. Others are kept in the document and reported as not used. */
  readonly used: boolean
}

export type OptionType =
  | { readonly kind: 'duration' | 'boolean' | 'integer' | 'decimal' | 'memory' | 'text' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
