/** What a sentence of the narration is made of, and the names in it. */
import type { EngineTime } from '../model/time.ts'

export interface Sentence {
  readonly at: EngineTime
  readonly importance: 1 | 2 | 3
  /** Who acts, set in bold before the text; null where the text says it. */
  readonly subject: string | null
  readonly text: string
}

export type Told = Omit<Sentence, 'at'>

export const told = (importance: 1 | 2 | 3, text: string, subject: string | null = null): Told => ({ importance, subject, text })

/** "tm-2" → "TM-2". */
export const taskManagerName = (id: string): string => (/^(tm|taskmanager)[-_ ]?\d+$/i.test(id) ? `TM-${id.replace(/\D/g, '')}` : id)

/** `<job>-<uid>-<subtask>-<leader>.<attempt>-<n>` → "n", and from the second attempt on "attempt.n". */
export function shortTransaction(id: string): string {
  const whole = /\.(\d+)-(\d+)$/.exec(id)
  if (whole !== null) return Number(whole[1]) === 0 ? String(whole[2]) : `${Number(whole[1]) + 1}.${whole[2] ?? ''}`
  return /(\d+)$/.exec(id)?.[1] ?? id
}

/** Flink prints a strategy with all of its settings; its name is enough in a sentence. */
export function strategyName(strategy: string): string {
  if (strategy.startsWith('NoRestart')) return 'none'
  const name = /^(\w+?)RestartBackoffTimeStrategy\b/.exec(strategy)?.[1] ?? /^[\w-]+/.exec(strategy)?.[0] ?? strategy
  return name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase()
}
