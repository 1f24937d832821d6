/** Texts made at random in every form: each key and call is in one of the lists, and of each option the setting counts that Flink takes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyImported } from '../../../src/options/edit-config.ts'
import type { PasteForm } from '../../../src/options/form-of.ts'
import { readPasted, type Pasted } from '../../../src/options/read-pasted.ts'
import { exportedEntries, toConfigYaml, toJava, toSetStatements, type Config } from '../../../workers/model/options/export-config.ts'
import { ENTRIES_MAX, PASTE_MAX } from '../../../workers/model/options/import/imported-option.ts'
import { READINGS } from '../../../workers/model/options/import/java-calls.ts'
import { findOption, OPTIONS } from '../../../workers/model/options/option-table.ts'
import { REMOVED_OPTIONS } from '../../../workers/model/options/table/removed.ts'

function read(text: string, form: PasteForm): Pasted {
  const result = readPasted(text, form)
  if (!result.ok) throw new Error(result.error)
  return result.value
}

const linesOf = ({ options, unread }: Pasted): ReadonlySet<number> => new Set([...options.map(({ from }) => from.line), ...unread.map(({ line }) => line)])

const KEYS = [...OPTIONS.flatMap(({ key, oldKeys }) => [key, ...oldKeys]), ...REMOVED_OPTIONS.map(({ key }) => key), 'my.own.key', 'parallelism.default', 'x']
/** Often the same few, so that they meet. */
const MEETING = ['execution.checkpointing.dir', 'state.checkpoints.dir', 'state.backend.fs.checkpointdir', 'state.backend', 'state.backend.type', 'state.backend.local-recovery', 'execution.state-recovery.from-local', 'execution.checkpointing.local-backup.enabled']
const key = fc.oneof(fc.constantFrom(...KEYS), fc.constantFrom(...MEETING))
const value = fc.oneof(fc.constantFrom('true', 'false', '10 s', '5', 'rocksdb', 'hdfs:///a', 'x y', '1.50', 'EXACTLY_ONCE', 'a;b'), fc.stringMatching(/^[a-z0-9/]{1,8}$/))
const entries = fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 30 })
type Entries = readonly (readonly [string, string])[]

const WRITERS: readonly (readonly [PasteForm, (entries: Entries) => string])[] = [
  ['config.yaml', (all) => all.map(([name, text]) => `${name}: ${JSON.stringify(text)}`).join('\n')],
  ['SET', (all) => all.map(([name, text]) => `SET '${name}' = '${text}';`).join('\n')],
  ['-D', (all) => all.map(([name, text], index) => `${index % 2 === 0 ? '-D' : '-yD '}'${name}=${text}'`).join(' \\\n')],
  ['Java', (all) => all.map(([name, text]) => `conf.setString(${JSON.stringify(name)}, ${JSON.stringify(text)});`).join('\n')],
  ['Java', (all) => all.map(([name, text]) => `conf.set_string('${name}', '${text}')`).join('\n')],
]

describe.each(WRITERS)('%s', (form, write) => {
  it('lists every key on its line', () => {
    fc.assert(fc.property(entries, (all) => {
        expect([...linesOf(read(write(all), form))].toSorted((a, b) => a - b)).toEqual(all.map((_each, index) => index + 1))
      }))
  })

  it('lets the first of an option\'s names count, and of one name the last', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const counting = read(write(all), form).options.filter(({ status, value: said }) => said !== null && status !== 'overridden')
        expect(new Set(counting.map((each) => each.key)).size).toBe(counting.length)
        for (const { key: name, from } of counting) {
          const option = findOption(name)
          const names = option === undefined ? [name] : [option.key, ...option.fallbackKeys, ...option.oldKeys]
          const first = names.find((each) => all.some(([written]) => written === each))
          // A storage may come from the name of an old backend.
          if (first === undefined || name === 'execution.checkpointing.storage') continue
          expect(from.line - 1).toBe(all.findLastIndex(([written]) => written === first))
        }
      }),
    )
  })
})

const unknownCall = fc.stringMatching(/^[A-Z][a-zA-Z]{2,10}$/).map((name) => `set${name}`)
const call = fc.oneof(fc.constantFrom(...Object.keys(READINGS)), unknownCall)
const receiver = fc.constantFrom('env', 'cc', 'env.getCheckpointConfig()', 'foo.bar()', 'new X()', 'x', 'KafkaSource.builder()')
const argument = fc.constantFrom('1000', 'true', 'null', '"a"', 'x', 'Duration.ofSeconds(5)', 'new FsStateBackend(a, 1, 2, true)', 'x -> { return y; }', 'a ? b : c', '5 *', 'y[0]', 'Foo.BAR', 'DIR + "/a"', 'new A[]{1}')
const callLine = fc.tuple(receiver, call, fc.array(argument, { maxLength: 4 }), fc.constantFrom(';', '')).map(([on, name, args, end]) => `${on}.${name}(${args.join(', ')})${end}`)
const wrapped = fc.tuple(callLine, fc.constantFrom('', 'if (a) ', 'return ', 'run(() -> { ', '{ ', 'x = ', 'val y = ')).map(([line, before]) => before + line + (before.startsWith('run') ? ' })' : ''))

describe('calls', () => {
  it('are listed, whatever they are called on and whatever stands in them', () => {
    fc.assert(
      fc.property(fc.array(wrapped, { minLength: 1, maxLength: 12 }), (all) => {
        const listed = linesOf(read(all.join('\n'), 'Java'))
        all.forEach((line, index) => expect(listed, line).toContain(index + 1))
      }),
    )
  })

  it('are read in time and without an exception from any tokens', () => {
    const token = fc.constantFrom('env', '.', 'set', '(', ')', '{', '}', '[', ']', ',', '=', '"a"', '5', ' ', '\n', '->', 'new', 'enableCheckpointing', '<', '>', ':', '+', 'apply', 'x')
    fc.assert(fc.property(fc.array(token, { maxLength: 300 }).map((tokens) => tokens.join('')), (text) => void read(text, 'Java')))
    for (const part of ['(', '{', 'a(', 'a(b,', 'x = ', 'f(x y', '((a)', '[', '"']) read(part.repeat(Math.floor(50_000 / part.length)), 'Java')
  })
})

describe('YAML', () => {
  const odd = fc.constantFrom('? [a, b]', '<<: *a', 'a: &a 1', 'b: *a', '- x', '---', '\tx: 1', 'x: [1, {y: 2}]', '~: 5', 'no key', '"q": 1', 'k:', 'state: {backend: {type: rocksdb}}', 'x.y: a: b', '{{ x }}', 'flinkConfiguration:', '  state.backend: rocksdb', 'services: {}')
  it('of odd parts lists each line', () => {
    fc.assert(
      fc.property(fc.array(odd, { minLength: 1, maxLength: 8 }), (all) => {
        const pasted = read(all.join('\n'), 'config.yaml')
        // A head of a map is listed with what is in it, and a line between documents with what follows.
        const silent = /^(---|flinkConfiguration:|\? \[a, b\]|k:|- x|services: \{\})$/
        const listed = linesOf(pasted)
        // What is indented below a key that is a list is part of that key.
        const ofKey = (index: number): boolean => (all[index] ?? '').startsWith(' ') && /^(\?| )/.test(all[index - 1] ?? '')
        all.forEach((line, index) => (silent.test(line) || ofKey(index) ? undefined : expect(listed, all.join('\n')).toContain(index + 1)))
      }),
    )
  })

  it('of many keys is read up to the limit, which is said', () => {
    const many = read(Array.from({ length: ENTRIES_MAX + 5 }, (_each, index) => `k${index}: 1`).join('\n'), 'config.yaml')
    expect(many.options).toHaveLength(ENTRIES_MAX)
    expect(many.unread).toEqual([{ line: ENTRIES_MAX + 1, text: `k${ENTRIES_MAX}: 1`, reason: `From here to line ${ENTRIES_MAX + 5} there are 5 settings more; ${ENTRIES_MAX} are read at once. Paste the rest by itself.` }])
  })

  it('that is nested deeply is read or said to be too deep', () => {
    const nested = (depth: number): string => Array.from({ length: depth }, (_each, level) => `${' '.repeat(level)}a:`).join('\n') + ' 1'
    expect(read(nested(60), 'config.yaml').options.map(({ value: said }) => said)).toEqual(['1'])
    expect(read(nested(200), 'config.yaml').unread.map(({ reason }) => reason)).toEqual(['It lies deeper than 100 levels, or in itself, and is not read: write its key flat, as in "a.b.c: value".'])
    for (const text of ['{a: '.repeat(20_000), `${'{a: '.repeat(8000)}1${'}'.repeat(8000)}`, '['.repeat(50_000)]) expect(linesOf(read(text, 'config.yaml')).size).toBeGreaterThan(0)
  })
})

describe('import after export', () => {
  const job = (config: Config) => ({ weir: 'job@1', name: 'j', config, operators: [], edges: [] }) as const
  const document: fc.Arbitrary<Config> = fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS.filter((name) => !REMOVED_OPTIONS.some((removed) => removed.key === name))), value), { selector: ([name]) => name }).map((all) => Object.fromEntries(all))

  it.each([['config.yaml', toConfigYaml], ['SET', toSetStatements], ['Java', toJava]] as const)('%s is the identity, old names being written as the current ones', (form, write) => {
    fc.assert(
      fc.property(document, (before) => {
        // The name of an old backend is taken apart when it is read.
        fc.pre(!Object.values(before).some((text) => text === 'filesystem' || text === 'jobmanager'))
        expect(applyImported(job({}), read(write(before), form).options, true).config).toEqual(Object.fromEntries(exportedEntries(before)))
      }),
    )
  })

  it('no option that is in force is lost by an export', () => {
    fc.assert(
      fc.property(document, (before) => {
        const exported = new Map(exportedEntries(before))
        for (const name of Object.keys(before)) expect(findOption(name) === undefined ? exported.has(name) : OPTIONS.some((option) => [option.key, ...option.oldKeys].includes(name) && exported.has(option.key)) || name === 'state.backend.local-recovery').toBe(true)
        expect(exported.size).toBe(exportedEntries(before).length)
      }),
    )
  })
})

describe('a text of one mark, as long as a text may be', () => {
  it.each(['\n', ' ', '\t\n', 'a ', 'a.', '"', "'", '-D', '/', '- ', '(', ': ', '= ', '\\\n'])('%j is read in every form without a step back at each of its places', (part) => {
    const text = part.repeat(Math.floor(PASTE_MAX / part.length))
    for (const form of [undefined, 'config.yaml', 'SET', 'Java', '-D'] as const) expect((form === undefined ? readPasted(text) : readPasted(text, form)).ok).toBe(true)
  })
})
