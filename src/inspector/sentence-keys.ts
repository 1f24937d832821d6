/** Keys of sentences that stay the same whatever comes after them or is filtered out: their rows stay the same nodes. */
import type { Sentence } from '../../workers/projections/sentence.ts'

/** `sentences` newest first. Of equal ones the oldest is the first. */
export function sentenceKeys(sentences: readonly Sentence[]): ReadonlyMap<Sentence, string> {
  const seen = new Map<string, number>()
  return new Map(
    sentences.toReversed().map((sentence) => {
      const said = `${sentence.at} ${sentence.subject ?? ''} ${sentence.text}`
      const number = (seen.get(said) ?? 0) + 1
      seen.set(said, number)
      return [sentence, `${said} ${number}`]
    }),
  )
}
