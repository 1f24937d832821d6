import { describe, expect, it } from 'vitest'
import type { JobDocument } from '../../../workers/model/job-document.ts'
import type { OptionDescription } from '../../../workers/model/options/option-description.ts'
import { findOption, OPTION_GROUPS, OPTIONS, optionsOf } from '../../../workers/model/options/option-table.ts'
import { parseSettings } from '../../../workers/model/options/parse-settings.ts'
import { REMOVED_OPTIONS } from '../../../workers/model/options/table/removed.ts'
import { checkValue, type RawValue } from '../../../workers/model/options/values.ts'

const job = (config: Readonly<Record<string, RawValue>>): JobDocument => ({ weir: 'job@1', name: 'j', config, operators: [{ uid: 'a', type: 'generator', parallelism: 4 }], edges: [] })

/** Values that are not the default, and what must be set besides for the option to count. */
function otherValues(option: OptionDescription): readonly RawValue[] {
  switch (option.type.kind) {
    case 'duration':
      return ['7 s']
    case 'memory':
      return ['5 kb']
    case 'boolean':
      return [option.default !== 'true']
    case 'integer':
      return [3]
    case 'decimal':
      return [0.7, 1.7]
    case 'choice':
      return option.type.choices.filter((choice) => choice !== option.default)
    case 'text':
      return ['/elsewhere', 'jobmanager']
  }
}

function besides(option: OptionDescription): Readonly<Record<string, RawValue>> {
  const strategy = ['fixed-delay', 'failure-rate', 'exponential-delay'].find((type) => option.key.includes(`restart-strategy.${type}.`))
  // A directory means filesystem storage; how to restore means something with a snapshot alone.
  const dir = option.key === 'execution.checkpointing.storage' ? { 'execution.checkpointing.dir': '/x' } : {}
  const path = option.key.startsWith('execution.state-recovery.') ? { 'execution.state-recovery.path': '/x' } : {}
  return { 'execution.checkpointing.interval': '5 s', ...dir, ...path, ...(strategy === undefined ? {} : { 'restart-strategy.type': strategy }) }
}

describe('the table of options', () => {
  it.each(OPTIONS.filter((option) => option.used).map((option) => [option.key, option] as const))('%s is obeyed: another value changes the settings', (key, option) => {
    const without = JSON.stringify(parseSettings(job(besides(option))))
    const outcomes = otherValues(option).map((value) => parseSettings(job({ ...besides(option), [key]: value })))
    expect(outcomes.some((outcome) => outcome.settings !== null && JSON.stringify({ ...outcome, problems: [] }) !== JSON.stringify({ ...(JSON.parse(without) as object), problems: [] }))).toBe(true)
  })

  it.each(OPTIONS.filter((option) => !option.used).map((option) => [option.key, option] as const))('%s is not used here, and that is said', (key, option) => {
    const value = option.default ?? otherValues(option)[0] ?? ''
    expect(parseSettings(job({ [key]: value })).problems).toContainEqual({ severity: 'warning', path: `/config/${key}`, message: `${key} is not used here. ${option.unused}`, cure: 'It is kept in the document and does nothing.' })
  })

  it.each(OPTIONS.map((option) => [option.key, option] as const))('%s has sentences, a default of its type and a group', (_key, option) => {
    for (const text of [option.effect, option.picture, option.history, option.unused]) if (text !== null) expect(text).toMatch(/^["A-Za-z/0-9].*\.$/)
    expect(option.used).toBe(option.unused === null)
    expect(OPTION_GROUPS.map(({ group }) => group)).toContain(option.group)
    if (option.default !== null) expect(checkValue(option, option.default).ok).toBe(true)
  })

  it('has each key once, and finds options by old keys too', () => {
    expect(new Set(OPTIONS.map(({ key }) => key)).size).toBe(OPTIONS.length)
    for (const option of OPTIONS) {
      expect(findOption(option.key)).toBe(option)
      for (const old of option.oldKeys) expect(optionsOf(old)).toContain(option)
    }
    for (const removed of REMOVED_OPTIONS) expect(findOption(removed.key)).toBeUndefined()
  })

  it('takes an old key where no option has it as its own', () => {
    const own = new Set(OPTIONS.map(({ key }) => key))
    for (const option of OPTIONS) for (const old of option.oldKeys) expect(own.has(old), old).toBe(false)
  })
})
