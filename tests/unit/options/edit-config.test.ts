import { describe, expect, it } from 'vitest'
import { applyImported, configOf, setKept, setOption, taken, typedValue, writtenKey } from '../../../src/options/edit-config.ts'
import { filterOptions } from '../../../src/options/filter-options.ts'
import { readPasted } from '../../../src/options/read-pasted.ts'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { OptionDescription } from '../../../workers/model/options/option-description.ts'
import { findOption, OPTIONS } from '../../../workers/model/options/option-table.ts'

const C = 'execution.checkpointing.'

function option(key: string): OptionDescription {
  const found = findOption(key)
  if (found === undefined) throw new Error(key)
  return found
}

const job = (config: JobDocument['config']): JobDocument => ({ weir: 'job@1', name: 'j', config: config ?? {}, operators: [], edges: [] })
const INTERVAL = option(`${C}interval`)
const RETAINED = option(`${C}num-retained`)

describe('an option of the document', () => {
  it('is set, changed in its place, and taken out', () => {
    const set = setOption(job({ a: 1, [INTERVAL.key]: '1 s', b: 2 }), INTERVAL, '2 s')
    expect(Object.entries(set.config ?? {})).toEqual([['a', 1], [INTERVAL.key, '2 s'], ['b', 2]])
    expect(setOption(set, INTERVAL, null).config).toEqual({ a: 1, b: 2 })
    expect(setOption(job({}), RETAINED, 3).config).toEqual({ [RETAINED.key]: 3 })
  })

  it('leaves its old names when it is set', () => {
    const old = job({ 'state.checkpoints.num-retained': 5 })
    expect(writtenKey(configOf(old), RETAINED)).toBe('state.checkpoints.num-retained')
    expect(setOption(old, RETAINED, 6).config).toEqual({ [RETAINED.key]: 6 })
    expect(setOption(old, RETAINED, null).config).toEqual({})
    expect(setOption(job({ 'state.checkpoints.num-retained': 5, [RETAINED.key]: 4 }), RETAINED, null).config).toEqual({})
  })

  it('leaves the value of an option that shares its old name', () => {
    expect(setOption(job({ 'state.backend.local-recovery': true }), option(`${C}local-backup.enabled`), false).config).toEqual({ [`${C}local-backup.enabled`]: false, 'execution.state-recovery.from-local': true })
  })

  it('of a document that is half typed is read as far as it can be', () => {
    expect(configOf({ ...job({}), config: { a: 1, b: { c: 2 }, d: null } as unknown as JobDocument['config'] & object })).toEqual({ a: 1 })
    expect(configOf({ ...job({}), config: [1] as unknown as JobDocument['config'] & object })).toEqual({})
  })

  it('has the type of its kind', () => {
    expect(['true', 'yes', ' '].map((text) => typedValue(option(`${C}unaligned.enabled`), text))).toEqual([true, 'yes', null])
    expect(['12', '-1', '007', 'x'].map((text) => typedValue(RETAINED, text))).toEqual([12, -1, '007', 'x'])
    expect(typedValue(INTERVAL, '10')).toBe('10')
  })

  it('without a known key is kept, changed or removed', () => {
    expect(setKept(job({ x: 1, y: 2 }), 'x', '3').config).toEqual({ x: '3', y: 2 })
    expect(setKept(job({ x: 1, y: 2 }), 'x', null).config).toEqual({ y: 2 })
  })
})

describe('a pasted text that is applied', () => {
  const text = `state.checkpoints.num-retained: 3\n${C}interval: 10 s\n${C}interval: 20 s\nmy.key: 1\nstate.backend.async: true\n`
  const pasted = readPasted(text)
  const options = pasted.ok ? pasted.value.options : []

  it('sets current names, the last of two values, and leaves the rest alone', () => {
    expect(applyImported(job({ 'state.checkpoints.num-retained': 9, [`${C}mode`]: 'AT_LEAST_ONCE' }), options, true).config).toEqual({
      [`${C}num-retained`]: '3',
      [`${C}mode`]: 'AT_LEAST_ONCE',
      [`${C}interval`]: '20 s',
      'my.key': '1',
    })
  })

  it('leaves unknown ones out only when asked to', () => {
    expect(applyImported(job({}), options, false).config).toEqual({ [`${C}num-retained`]: '3', [`${C}interval`]: '20 s' })
    expect(taken(options, true).map(({ key }) => key)).toEqual([`${C}num-retained`, `${C}interval`, 'my.key'])
  })
})

describe('the search', () => {
  const keys = (search: string, filter: 'all' | 'used' | 'set' = 'all'): readonly string[] => filterOptions(OPTIONS, { search, filter, isSet: ({ key }) => key === INTERVAL.key }).map(({ key }) => key)

  it('finds by key, by old key and by what is said', () => {
    expect(keys('min-pause')).toContain(`${C}min-pause`)
    expect(keys('state.checkpoints.num-retained')).toEqual([`${C}num-retained`])
    expect(keys('overtake buffered')).toEqual([`${C}unaligned.enabled`])
    expect(keys('no such thing')).toEqual([])
  })

  it('narrows to what is used here or set', () => {
    expect(keys('', 'set')).toEqual([INTERVAL.key])
    expect(keys('', 'used')).not.toContain('state.backend.type')
    expect(keys('')).toHaveLength(OPTIONS.length)
  })
})
