/** What the page and the parser know about one Flink option. */
export interface OptionDescription {
  readonly key: string
  /** Deprecated keys that Flink still accepts. */
  readonly oldKeys: readonly string[]
  /** Keys of other options that are asked when the own key is absent, before the deprecated ones. Flink: ConfigOption.withFallbackKeys. */
  readonly fallbackKeys: readonly string[]
  readonly group: OptionGroup
  readonly type: OptionType
  /** As Flink prints it; null = none. */
  readonly default: string | null
  /** One sentence: what it does. */
  readonly effect: string
  /** One sentence: what changes in the picture when it is set. */
  readonly picture: string
  /** Since when, under which names before, what older texts say; null = nothing to say. */
  readonly history: string | null
  /** The engine obeys it. Others are kept in the document and reported as not used. */
  readonly used: boolean
  /** Why the engine does not obey it, as a sentence; null where it does. */
  readonly unused: string | null
}

/** The sections of the form, after Flink's own: checkpointing, recovery, restart, state backend, neighbours. */
export type OptionGroup = 'triggering' | 'barriers' | 'storage' | 'recovery' | 'restart' | 'state-backend' | 'rocksdb' | 'forst' | 'neighbours'

export type OptionType =
  | { readonly kind: 'duration' | 'boolean' | 'decimal' | 'memory' | 'text' }
  | { readonly kind: 'integer'; readonly long?: true }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
