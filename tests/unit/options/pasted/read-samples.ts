/** Samples of pasted texts: `>>> name`, the text, `===`, and what becomes of each of its settings, one a line. */
import type { Pasted } from '../../../../src/options/read-pasted.ts'

export interface Sample {
  readonly name: string
  readonly text: string
  /** As `outcomes` writes them. */
  readonly expected: readonly string[]
}

export function readSamples(source: string): readonly Sample[] {
  return source.split(/^>>> /m).slice(1).map((part) => {
    const [head = '', ...rest] = part.split('\n')
    const [text = '', expected = ''] = rest.join('\n').split(/^===\n/m)
    return { name: head.trim(), text: text.replace(/\n+$/, ''), expected: expected.trim().split('\n').filter((line) => line !== '') }
  })
}

/** One line for each entry of both lists, in the order of the text. */
export function outcomes({ options, unread }: Pasted): readonly string[] {
  const read = options.map(({ key, value, status, from }) => ({ line: from.line, text: `${status}: ${key}${value === null ? '' : ` = ${value}`}` }))
  const rest = unread.map(({ line, text }) => ({ line, text: `unread: ${text}` }))
  return [...read, ...rest].toSorted((left, right) => left.line - right.line).map(({ line, text }) => `${line} ${text}`)
}
