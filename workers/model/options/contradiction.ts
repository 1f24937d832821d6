/** What is said of options that bear upon each other. */
import type { ConfigReader } from './config-reader.ts'

/**
 * - refused: Flink fails the submission.
 * - warned: Flink goes on, and writes a warning into its log.
 * - changed: Flink goes on with another value and says nothing.
 * - no effect: Flink goes on and does not use the option.
 * - accepted: no contradiction, though people think so.
 */
export type ContradictionKind = 'refused' | 'warned' | 'changed' | 'no effect' | 'accepted'

export interface Contradiction {
  /** Name of the rule; tests are named after it. */
  readonly rule: string
  readonly kind: ContradictionKind
  /** Options concerned, by their current keys; it is shown at the first. */
  readonly keys: readonly string[]
  /** What Flink does, a sentence. */
  readonly message: string
  /** What that means for the run, a sentence. */
  readonly consequence: string
  /** What to change; for what is accepted: why nothing needs to be changed. */
  readonly cure: string
}

export type ContradictionRule = (config: ConfigReader) => readonly Contradiction[]
