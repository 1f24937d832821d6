import { expect, it } from 'vitest'
import { heldLabel } from '../../../src/canvas/held-label.ts'
import { sentenceKeys } from '../../../src/inspector/sentence-keys.ts'
import type { Sentence } from '../../../workers/projections/sentence.ts'

it('what a channel holds is told at the far end of its tube, on the side without the flag of a barrier', () => {
  const output = { x1: 200, x2: 292, y: 100 }
  const [up, down] = [heldLabel({ output, bore: 20, flagUp: true }), heldLabel({ output, bore: 20, flagUp: false })]
  expect(up.y).toBeGreaterThan(output.y + 10)
  expect(down.y).toBeLessThan(output.y - 10)
  for (const { x } of [up, down]) expect(x > (output.x1 + output.x2) / 2 && x < output.x2).toBe(true)
})

it('a sentence keeps its key when newer ones come, when others are filtered out, and beside its equals', () => {
  const say = (at: number, text: string): Sentence => ({ at, subject: null, text, importance: 1 })
  const [a, b, again] = [say(1, 'one'), say(2, 'two'), say(1, 'one')]
  const before = sentenceKeys([again, a])
  const after = sentenceKeys([say(3, 'three'), b, again, a])
  for (const sentence of [a, again]) expect(after.get(sentence)).toBe(before.get(sentence))
  expect(sentenceKeys([a]).get(a)).toBe(before.get(a))
  expect(new Set(after.values()).size).toBe(4)
})
