/** Which values of a pasted text the compiler refuses, in the compiler's words: those out of range, and those that cannot be read. */
import type { JobDocument } from '../../job-document.ts'
import { jsonPointer } from '../../json-pointer.ts'
import { findOption } from '../option-table.ts'
import { parseSettings } from '../parse-settings.ts'
import type { ImportedOption } from './imported-option.ts'

/** What the document may say that the text does not: a value is not refused for the lack of it. */
const ELSEWHERE = { 'execution.checkpointing.dir': 'file:///checkpoints', 'execution.checkpointing.interval': '10 s' }

/** They are taken over all the same, as they stand in the text: the form shows the same mistake. */
export function withRefusals(options: readonly ImportedOption[]): readonly ImportedOption[] {
  const set = Object.fromEntries(options.flatMap((option) => (isSet(option) ? [[option.key, option.value ?? '']] : [])))
  const document: JobDocument = { weir: 'job@1', name: '', config: { ...ELSEWHERE, ...set }, operators: [], edges: [] }
  const refusals = new Map(parseSettings(document).problems.flatMap(({ severity, path, message, cure }) => (severity === 'error' ? [[path, `${message} ${cure}`]] : [])))
  return options.map((option) => {
    const words = isSet(option) ? refusals.get(jsonPointer('config', option.key)) : undefined
    return words === undefined ? option : { ...option, status: 'refused', note: words }
  })
}

const isSet = ({ key, value, status }: ImportedOption): boolean => value !== null && status !== 'overridden' && findOption(key) !== undefined
