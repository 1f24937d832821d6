/** The list of results of a keyed aggregate: function, field, name. */
import { Plus, X } from 'lucide-react'
import { AGGREGATE_FUNCTIONS } from '../../workers/model/catalogue/operator-type.ts'
import type { AggregateFunction, AggregateSpec } from '../../workers/model/catalogue/operator-type.ts'
import type { Problem } from '../../workers/model/job-graph.ts'

interface AggregatesProps {
  readonly label: string
  readonly problem?: Problem | undefined
  readonly value: readonly AggregateSpec[]
  readonly fields: readonly string[]
  readonly onChange: (value: readonly AggregateSpec[]) => void
}

export function AggregatesField({ label, problem, value, fields, onChange }: AggregatesProps) {
  const replace = (index: number, spec: AggregateSpec): void => onChange(value.map((old, i) => (i === index ? spec : old)))
  return (
    <fieldset className={`aggregates${problem === undefined ? '' : ' wrong'}`}>
      <legend>{label}</legend>
      {value.map((spec, index) => (
        <div key={index} className="aggregate">
          <select aria-label={`Function of result ${index + 1}`} value={spec.fn} onChange={(event) => replace(index, withFunction(spec, event.target.value as AggregateFunction, fields))}>
            {AGGREGATE_FUNCTIONS.map((fn) => (
              <option key={fn}>{fn}</option>
            ))}
          </select>
          {spec.fn === 'count' ? (
            <span className="t3">of records</span>
          ) : (
            <select aria-label={`Field of result ${index + 1}`} value={spec.field ?? ''} onChange={(event) => replace(index, { ...spec, field: event.target.value })}>
              {[...new Set([...(spec.field === undefined ? [''] : [spec.field]), ...fields])].map((field) => (
                <option key={field} value={field}>
                  {field === '' ? 'choose a field' : field}
                </option>
              ))}
            </select>
          )}
          <span className="t3">as</span>
          <input type="text" aria-label={`Name of result ${index + 1}`} value={spec.as} onChange={(event) => replace(index, { ...spec, as: event.target.value })} />
          <button type="button" className="btn small ghost icon-only" aria-label={`Remove result ${index + 1}`} onClick={() => onChange(value.filter((_, i) => i !== index))}>
            <X size={13} />
          </button>
        </div>
      ))}
      <button type="button" className="btn small ghost" onClick={() => onChange([...value, { fn: 'count', as: freeName(value) }])}>
        <Plus size={13} /> Add a result
      </button>
      {problem !== undefined && <small className="mistake">{`${problem.message} ${problem.cure}`}</small>}
    </fieldset>
  )
}

function withFunction(spec: AggregateSpec, fn: AggregateFunction, fields: readonly string[]): AggregateSpec {
  if (fn === 'count') return { fn, as: spec.as }
  const field = spec.field ?? fields[0]
  return field === undefined ? { fn, as: spec.as } : { fn, field, as: spec.as }
}

function freeName(value: readonly AggregateSpec[]): string {
  let number = value.length + 1
  while (value.some((spec) => spec.as === `n${number}`)) number++
  return `n${number}`
}
