import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PasteForm } from '../../../src/options/form-of.ts'
import { readPasted } from '../../../src/options/read-pasted.ts'
import { toConfigYaml, toJava, toSetStatements, type Config } from '../../../workers/model/options/export-config.ts'
import type { OptionDescription } from '../../../workers/model/options/option-description.ts'
import { OPTIONS } from '../../../workers/model/options/option-table.ts'

const FORMS: readonly (readonly [form: PasteForm, write: (config: Config) => string])[] = [
  ['config.yaml', toConfigYaml],
  ['SET', toSetStatements],
  ['Java', toJava],
]

const quantity = (units: readonly string[]) => fc.tuple(fc.nat(100_000), fc.constantFrom(...units), fc.constantFrom('', ' ')).map(([amount, unit, space]) => `${amount}${space}${unit}`)

function valueOf(option: OptionDescription): fc.Arbitrary<string> {
  switch (option.type.kind) {
    case 'duration':
      return quantity(['ms', 's', 'min', 'h', 'd', ''])
    case 'memory':
      return quantity(['b', 'kb', 'mb', 'g', 'bytes'])
    case 'boolean':
      return fc.constantFrom('true', 'false')
    case 'integer':
      return fc.integer().map(String)
    case 'decimal':
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)
    case 'choice':
      return fc.constantFrom(...option.type.choices)
    case 'text':
      return fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constantFrom("it's", 'a: b', '#x', '- y', 'null', '~', '', ' x ', 'a\nb', '"q"', "''", ';', '-- c', '{a}', '[b]', '*c', '&d', '!e', '%f', '\\n', 'yes', '.inf', '1:30'))
  }
}

const config: fc.Arbitrary<Config> = fc
  .uniqueArray(fc.constantFrom(...OPTIONS), { maxLength: 30 })
  .chain((options) => fc.tuple(...options.map((option) => valueOf(option).map((value) => [option.key, value] as const))))
  .map((entries) => Object.fromEntries(entries))

describe.each(FORMS)('%s', (form, write) => {
  it('import after export is the identity on supported options', () => {
    fc.assert(
      fc.property(config, (before) => {
        const read = readPasted(write(before), form)
        if (!read.ok) throw new Error(read.error)
        expect(read.value.unread).toEqual([])
        expect(Object.fromEntries(read.value.options.map(({ key, value }) => [key, value]))).toEqual(before)
        // The values are drawn without regard to what makes sense together.
        expect(read.value.options.filter(({ status }) => !['unchanged', 'not used here', 'refused'].includes(status))).toEqual([])
      }),
    )
  })

  it('is recognized by its form', () => {
    fc.assert(
      fc.property(fc.constantFrom(...OPTIONS), (option) => {
        const read = readPasted(write({ [option.key]: option.default ?? 'x' }))
        expect(read.ok && read.value.form).toBe(form)
      }),
    )
  })

  it('reading never throws on any text', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'abSET env.set(){}[]\'";:,=-D\n&*#<>/\\ 0'.split('')), maxLength: 200 })), (text) => {
        readPasted(text, form)
      }))
  })
})
