/** Texts as people paste them, of Flink 1.8 to 2.1: what becomes of every key and call in them, and that each is listed exactly once. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readPasted, type Pasted } from '../../../src/options/read-pasted.ts'
import { outcomes, readSamples, type Sample } from './pasted/read-samples.ts'

const FILES = ['java', 'scala-kotlin-python', 'sql-and-commands', 'yaml', 'manifests'] as const
const SAMPLES = FILES.flatMap((file) => readSamples(readFileSync(new URL(`pasted/${file}.txt`, import.meta.url), 'utf8')).map((sample) => [`${file}: ${sample.name}`, sample] as const))

function read({ text }: Sample): Pasted {
  const result = readPasted(text)
  if (!result.ok) throw new Error(result.error)
  return result.value
}

/** Lines on which something is set, whatever the form: an assignment of a key, a call that sets, an argument -D. */
const SETS = /^\s*(?:-\s+)?["']?[\w.-]+["']?\s*[:=]\s*\S|^\s*(?:SET|RESET)\b|-y?D\s*\S|(?<!\b(?:void|def|fun)\s+)\b(?:set|enable|disable)_?[A-Za-z]\w*\s*\(|\b(?:set|put|fromMap)\s*\(/i
/** Comments, declarations, heads of maps and blocks, and what an unread part above stands for. */
const SETS_NOTHING = [
  /^\s*(?:#|\/\/|--)/,
  /^\s*(?:final |private |static |val |var )/,
  /^\s*[\w<>, ]+ = (?:new )?[A-Z]\w*(?:<>)?(?:\.\w+)?\([^()]*\)(?:;| \\)?$/,
  /^\s*\w+ = (?:'|")|^\s*\w+ = env\./,
  /:\s*(?:&\w+|\|\+?)$/,
  /^\s+(?:- name: x|path: y|local:|rootLogger)/,
]

describe('a pasted text', () => {
  it('stands in more than a hundred samples', () => {
    expect(SAMPLES.length).toBeGreaterThan(100)
    expect(new Set(SAMPLES.map(([name]) => name)).size).toBe(SAMPLES.length)
  })

  it.each(SAMPLES)('%s', (_name, sample) => {
    expect(outcomes(read(sample))).toEqual(sample.expected)
  })

  it.each(SAMPLES)('%s: no line that sets something is passed over, and nothing is listed twice', (_name, sample) => {
    const { options, unread } = read(sample)
    const listed = new Set([...options.map(({ from }) => from.line), ...unread.map(({ line }) => line)])
    sample.text.split('\n').forEach((line, index) => {
      if (SETS.test(line) && !SETS_NOTHING.some((pattern) => pattern.test(line))) expect(listed, `line ${index + 1}: ${line}`).toContain(index + 1)
    })
    const written = [...options.map(({ key, from }) => `${from.line} ${from.text} ${key}`), ...unread.map(({ line, text, reason }) => `${line} ${text} ${reason}`)]
    expect(new Set(written).size).toBe(written.length)
  })

  it.each(SAMPLES)('%s: each setting has one sentence at least, and one value of each option counts', (_name, sample) => {
    const { options, unread } = read(sample)
    for (const { key, note } of options) expect(note, key).toMatch(/^\S.*\.$/)
    for (const { reason } of unread) expect(reason).toMatch(/^\S.*\.$/)
    const counting = options.filter(({ status, value }) => value !== null && status !== 'overridden').map(({ key }) => key)
    expect(new Set(counting).size).toBe(counting.length)
  })
})
