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

export const shortTransaction = (id: string): string => {
  const tail = /(\d+)$/.exec(id)
  return tail === null ? id : `${Number(tail[1])}`
}
