/** One option: its key, what it does, what changes in the picture, its value, and what stands against it. */
import { memo, useId } from 'react'
import type { Problem } from '../../workers/model/job-graph.ts'
import type { Contradiction, ContradictionKind } from '../../workers/model/options/contradiction.ts'
import type { OptionDescription } from '../../workers/model/options/option-description.ts'
import type { RawValue } from '../../workers/model/options/values.ts'
import { Icon } from '../widgets/icon.tsx'
import { typedValue } from './edit-config.ts'

export interface OptionFieldProps {
  readonly option: OptionDescription
  /** As the document has it; null = not set. */
  readonly value: RawValue | null
  /** The name under which the document has it. */
  readonly written: string | null
  readonly problems: readonly Problem[]
  readonly contradictions: readonly Contradiction[]
  /** Must be the same function at every drawing: a field is drawn anew only when something of it has changed. */
  readonly onSet: (option: OptionDescription, value: RawValue | null) => void
}

export const fieldId = (key: string): string => `option-${key}`

export const OptionField = memo(PlainOptionField, sameField)

function PlainOptionField({ option, value, written, problems, contradictions, onSet }: OptionFieldProps) {
  const onChange = (next: RawValue | null): void => onSet(option, next)
  const notes = useId()
  const wrong = problems.some((problem) => problem.severity === 'error') || contradictions.some((found) => found.kind === 'refused')
  const changed = value !== null && String(value) !== option.default
  return (
    <div className={`option${wrong ? ' wrong' : ''}`}>
      <div className="option-head">
        <label htmlFor={fieldId(option.key)} className="mono">
          {option.key}
        </label>
        {value !== null && <span className={changed ? 'option-mark changed' : 'option-mark'}>{changed ? 'changed' : 'set to the default'}</span>}
        {option.unused !== null && <span className="option-mark">not used here</span>}
      </div>
      <div className="option-value">
        <OptionInput option={option} value={value} wrong={wrong} describedBy={notes} onChange={onChange} />
        <span className="option-default">
          default <span className="num">{option.default ?? 'none'}</span>
        </span>
        {value !== null && (
          <button type="button" className="btn small ghost" aria-label={`Back to the default of ${option.key}`} onClick={() => onChange(null)}>
            Reset
          </button>
        )}
      </div>
      <div className="option-notes" id={notes}>
        <p>{option.effect}</p>
        <p className="t2">
          <span className="t3">In the picture:</span> {option.picture}
        </p>
        {option.unused !== null && (
          <p className="t2">
            <span className="t3">Not used here:</span> {option.unused} It is kept in the document.
          </p>
        )}
        {option.history !== null && (
          <p className="t2">
            <span className="t3">Versions:</span> {option.history}
          </p>
        )}
        {written !== null && written !== option.key && (
          <p className="t2">
            The document has it under its old name <span className="mono">{written}</span>; a change here writes the current one.
          </p>
        )}
        {problems.map((problem) => (
          <p key={problem.message} className={problem.severity === 'error' ? 'mistake' : 'warning'}>
            {problem.message} {problem.cure}
          </p>
        ))}
        {contradictions.map((found) => (
          <ContradictionNote key={found.rule} found={found} />
        ))}
      </div>
    </div>
  )
}

/** Problems and contradictions are made anew with every edit; what counts is what they say. */
function sameField(before: OptionFieldProps, after: OptionFieldProps): boolean {
  return before.option === after.option && before.value === after.value && before.written === after.written && before.onSet === after.onSet && said(before) === said(after)
}

const said = ({ problems, contradictions }: OptionFieldProps): string =>
  problems.length + contradictions.length === 0 ? '' : JSON.stringify([problems, contradictions])

const WORD: Readonly<Record<ContradictionKind, string>> = {
  refused: 'Flink refuses this',
  warned: 'Flink logs a warning',
  changed: 'Flink changes this silently',
  'no effect': 'No effect',
  accepted: 'No contradiction',
}

export function ContradictionNote({ found }: { readonly found: Contradiction }) {
  const tone = found.kind === 'refused' ? 'mistake' : found.kind === 'accepted' ? 't2' : 'warning'
  return (
    <p className={`contradiction ${tone}`}>
      <Icon name={found.kind === 'refused' ? 'failed' : found.kind === 'accepted' ? 'committed' : 'warning'} />
      <span>
        <b>{found.rule === 'no interval' ? 'Without an interval' : WORD[found.kind]}.</b> {found.message} {found.consequence} {found.cure}
      </span>
    </p>
  )
}

interface InputProps {
  readonly option: OptionDescription
  readonly value: RawValue | null
  readonly wrong: boolean
  readonly describedBy: string
  readonly onChange: (value: RawValue | null) => void
}

function OptionInput({ option, value, wrong, describedBy, onChange }: InputProps) {
  const common = { id: fieldId(option.key), 'aria-describedby': describedBy, 'aria-invalid': wrong, value: value === null ? '' : String(value) }
  const choices = option.type.kind === 'choice' ? option.type.choices : option.type.kind === 'boolean' ? ['true', 'false'] : null
  if (choices === null) {
    const placeholder = option.default ?? EXAMPLE[option.type.kind]
    return <input {...common} type="text" spellCheck={false} autoComplete="off" placeholder={placeholder} onChange={(event) => onChange(typedValue(option, event.target.value))} />
  }
  // A value that is none of the choices is shown as it is: the mistake stands beside it.
  const known = value === null || choices.includes(String(value))
  return (
    <select {...common} onChange={(event) => onChange(typedValue(option, event.target.value))}>
      <option value="">not set</option>
      {!known && <option value={String(value)}>{String(value)}</option>}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  )
}

const EXAMPLE = { duration: 'such as 10 s', memory: 'such as 32 kb', integer: 'a whole number', decimal: 'a number', text: '', boolean: '', choice: '' } as const
