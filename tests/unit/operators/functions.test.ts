import { describe, expect, it } from 'vitest'
import { bare, type Schema, type Value } from '../../../workers/model/schema.ts'
import { compileBuiltin } from '../../../workers/operators/functions/compile-builtin.ts'
import { OperatorHarness } from './operator-harness.ts'

const ROW: Schema = {
  kind: 'row',
  fields: [
    { name: 'name', type: 'String' },
    { name: 'n', type: 'Int' },
    { name: 'big', type: 'Long' },
    { name: 'x', type: 'Double' },
    { name: 'on', type: 'Boolean' },
  ],
}
const VALUE: Value = ['Ab c', 5, 7, 1.5, true]
const TEXT = bare('String')

function run(type: string, params: Readonly<Record<string, unknown>>, input: Schema, ...values: Value[]): readonly Value[] {
  const harness = new OperatorHarness({ type, params, inputs: [input] }).open()
  for (const value of values) harness.feed(value)
  if (harness.failure !== null) throw new Error(harness.failure.message)
  return harness.emitted
}

describe('map', () => {
  it.each<[Record<string, unknown>, Schema, Value, Value]>([
    [{}, ROW, VALUE, VALUE],
    [{ function: 'identity' }, TEXT, 'x', 'x'],
    [{ function: 'upper-case' }, TEXT, 'straße', 'STRASSE'],
    [{ function: 'upper-case' }, ROW, VALUE, ['AB C', 5, 7, 1.5, true]],
    [{ function: 'lower-case', field: 'name' }, ROW, VALUE, ['ab c', 5, 7, 1.5, true]],
    [{ function: 'project', fields: ['big', 'name'] }, ROW, VALUE, [7, 'Ab c']],
    [{ function: 'add-constant', amount: 2 }, ROW, VALUE, ['Ab c', 7, 7, 1.5, true]],
    [{ function: 'add-constant', field: 'big', amount: -2 }, ROW, VALUE, ['Ab c', 5, 5, 1.5, true]],
    [{ function: 'add-constant', field: 'x', amount: 0.25 }, ROW, VALUE, ['Ab c', 5, 7, 1.75, true]],
    [{ function: 'add-constant', amount: 1 }, bare('Long'), 41, 42],
    [{ function: 'length' }, TEXT, '😀a', ['😀a', 3]],
    [{ function: 'length' }, ROW, VALUE, ['Ab c', 5, 7, 1.5, true, 4]],
  ])('%j makes one record of each', (params, input, value, expected) => {
    expect(run('map', params, input, value)).toEqual([expected])
  })

  it('does not change the record that came in', () => {
    const value = ['Ab c', 5, 7, 1.5, true] as const
    run('map', { function: 'upper-case' }, ROW, value)
    expect(value[0]).toBe('Ab c')
  })

  it('that leaves 32 bits fails the task, and is retried', () => {
    const harness = new OperatorHarness({ type: 'map', params: { function: 'add-constant', field: 'n', amount: 1 }, inputs: [ROW] }).open()
    harness.feed(['a', 2147483647, 0, 0, true])
    expect(harness.failure).toMatchObject({ nonRecoverable: false })
    expect(harness.failure?.message).toContain('Operator: 2147483648 is not an Int')
    expect(harness.emitted).toEqual([])
  })

  it('whose Long leaves 2^53 fails the job without a retry', () => {
    const harness = new OperatorHarness({ type: 'map', params: { function: 'add-constant', field: 'big', amount: 1 }, inputs: [ROW] }).open()
    harness.feed(['a', 0, Number.MAX_SAFE_INTEGER, 0, true])
    expect(harness.failure).toMatchObject({ nonRecoverable: true })
    expect(harness.failure?.message).toContain('beyond')
  })
})

describe('filter', () => {
  it.each<[string, string, Value, boolean]>([
    ['n', '==', 5, true],
    ['n', '!=', 5, false],
    ['n', '<', 6, true],
    ['n', '<=', 5, true],
    ['n', '>', 5, false],
    ['n', '>=', 5, true],
    ['x', '>', 1.25, true],
    ['on', '==', true, true],
    ['on', '!=', true, false],
    ['name', '<', 'B', true],
    ['name', 'contains', 'b c', true],
    ['name', 'contains', 'B', false],
    ['name', 'starts-with', 'Ab', true],
    ['name', 'starts-with', 'b', false],
  ])('%s %s %j lets the record pass: %j', (field, op, value, passes) => {
    expect(run('filter', { field, op, value }, ROW, VALUE)).toEqual(passes ? [VALUE] : [])
  })
})

describe('flat map', () => {
  it('splits a bare text into words', () => {
    expect(run('flat-map', {}, TEXT, '  to be\tor\nnot  ')).toEqual(['to', 'be', 'or', 'not'])
    expect(run('flat-map', {}, TEXT, '   ')).toEqual([])
  })

  it('splits a field of a row, and keeps the others', () => {
    expect(run('flat-map', { function: 'split-words', field: 'name' }, ROW, VALUE)).toEqual([
      ['Ab', 5, 7, 1.5, true],
      ['c', 5, 7, 1.5, true],
    ])
  })

  it('repeats', () => {
    expect(run('flat-map', { function: 'repeat', times: 3 }, TEXT, 'x')).toEqual(['x', 'x', 'x'])
    expect(run('flat-map', { function: 'repeat', times: 0 }, TEXT, 'x')).toEqual([])
  })
})

describe('union', () => {
  it('passes everything on', () => {
    expect(run('union', {}, TEXT, 'a', 'b')).toEqual(['a', 'b'])
  })
})

describe('the door to functions', () => {
  it('refuses a function that is not built in, names of Object’s included', () => {
    expect(compileBuiltin({ builtin: 'reverse', params: {} }, TEXT)).toMatchObject({ ok: false })
    expect(compileBuiltin({ builtin: 'constructor', params: {} }, TEXT)).toMatchObject({ ok: false })
  })

  it('declares the output that the catalogue infers', () => {
    for (const [type, params] of [['map', { function: 'length' }], ['map', { function: 'project', fields: ['x'] }], ['flat-map', { function: 'split-words' }]] as const) {
      const compiled = compileBuiltin({ builtin: params.function, params }, ROW)
      expect(compiled.ok && compiled.value.output).toEqual(new OperatorHarness({ type, params, inputs: [ROW] }).description.output)
    }
  })

  it('passes watermarks on', () => {
    const harness = new OperatorHarness({ type: 'map', params: {}, inputs: [ROW] }).open()
    ;(harness.operator as { processWatermark(watermark: number): void }).processWatermark(7)
    expect(harness.watermarks).toEqual([7])
  })
})
