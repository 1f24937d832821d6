/** The selected operator's settings. Each field is a line of the document; a mistake stands at its field, with the cure. */
import { useId } from 'react'
import { applies } from '../../workers/model/catalogue/check-parameters.ts'
import { findOperatorType } from '../../workers/model/catalogue/catalogue.ts'
import type { AggregateSpec, Parameter } from '../../workers/model/catalogue/operator-type.ts'
import type { JobDocument, OperatorDocument } from '../../workers/model/job-document.ts'
import type { Problem } from '../../workers/model/job-graph.ts'
import { Button } from '../widgets/controls.tsx'
import { AggregatesField } from './aggregates-field.tsx'
import { changeOperator, renameUid, setParam } from './edit-job.ts'

interface FormProps {
  readonly job: JobDocument
  readonly operator: OperatorDocument
  readonly problems: readonly Problem[]
  /** Fields of the operator's input, as far as they are known. */
  readonly fields: readonly string[]
  readonly onEdit: (next: JobDocument, tag?: string) => void
  readonly onRenamed: (uid: string) => void
  readonly onJoin: (() => void) | null
}

export function OperatorForm({ job, operator, problems, fields, onEdit, onRenamed, onJoin }: FormProps) {
  const type = findOperatorType(operator.type)
  const at = `/operators/${job.operators.indexOf(operator)}`
  const own = problems.filter((problem) => problem.path === at || problem.path.startsWith(`${at}/`))
  const mistake = (name: string): Problem | undefined => own.find((problem) => problem.path === `${at}/${name}` || problem.path.startsWith(`${at}/${name}/`))
  const change = (part: Partial<Omit<OperatorDocument, 'uid'>>, tag: string): void => onEdit(changeOperator(job, operator.uid, part), `${tag} ${operator.uid}`)
  return (
    <form className="op-form" onSubmit={(event) => event.preventDefault()}>
      <h2>
        {operator.name ?? operator.uid} <small>{type?.summary ?? `unknown type ${operator.type}`}</small>
        {onJoin !== null && (
          <Button icon="link" shortcut="E" onClick={onJoin}>
            Connect
          </Button>
        )}
      </h2>
      <div className="op-form-grid">
        <Text label="Name" value={operator.name ?? ''} onChange={(name) => change({ name }, 'name')} />
        <Text
          label="uid"
          help="Its state is found again by this, after any change of the job."
          value={operator.uid}
          problem={mistake('uid')}
          onCommit={(uid) => {
            onEdit(renameUid(job, operator.uid, uid))
            onRenamed(uid)
          }}
        />
        <NumberField label="Parallelism" value={operator.parallelism ?? 1} min={1} max={128} problem={mistake('parallelism')} onChange={(parallelism) => change({ parallelism: parallelism ?? 1 }, 'parallelism')} />
        <Text label="Cost of a record" help="Engine time, such as 14 ms." value={operator.cost ?? ''} problem={mistake('cost')} onChange={(cost) => change(cost === '' ? { cost: '0 ms' } : { cost }, 'cost')} />
        {type?.parameters
          .filter((parameter) => applies(parameter, type, operator.params ?? {}))
          .map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={operator.params?.[parameter.name]}
              job={job}
              fields={fields}
              problem={mistake(`params/${parameter.name}`)}
              onChange={(value) => onEdit(setParam(job, operator.uid, parameter.name, value), `${parameter.name} ${operator.uid}`)}
            />
          ))}
      </div>
      {own.filter((problem) => problem.path === at || problem.path === `${at}/params`).map((problem) => (
        <p key={problem.message} className={problem.severity === 'error' ? 'mistake' : 'warning'}>
          {problem.message} {problem.cure}
        </p>
      ))}
    </form>
  )
}

interface ParameterProps {
  readonly parameter: Parameter
  readonly value: unknown
  readonly job: JobDocument
  readonly fields: readonly string[]
  readonly problem: Problem | undefined
  readonly onChange: (value: unknown) => void
}

function ParameterField({ parameter, value, job, fields, problem, onChange }: ParameterProps) {
  const common = { label: parameter.title, help: parameter.help, problem }
  switch (parameter.kind) {
    case 'topic':
      return <Choice {...common} value={asText(value)} choices={(job.topics ?? []).map((topic) => ({ value: topic.name, title: topic.name }))} onChange={onChange} />
    case 'field':
      return <Choice {...common} value={asText(value)} choices={fields.map((field) => ({ value: field, title: field }))} onChange={(field) => onChange(field === '' ? undefined : field)} />
    case 'fields':
      return <Fields {...common} value={Array.isArray(value) ? (value as string[]) : []} fields={fields} onChange={onChange} />
    case 'choice':
      return <Choice {...common} value={asText(value ?? parameter.default)} choices={parameter.choices} onChange={onChange} />
    case 'boolean':
      return <Checkbox {...common} value={(value as boolean | undefined) ?? parameter.default} onChange={onChange} />
    case 'integer':
    case 'number':
      return (
        <NumberField {...common} value={(value as number | undefined) ?? parameter.default ?? null} min={parameter.min} max={parameter.max} onChange={(number) => onChange(number ?? (parameter.nullable === true ? null : undefined))} />
      )
    case 'rate':
      return <NumberField {...common} value={(value as number | null | undefined) ?? null} min={0} max={1e9} placeholder="as fast as possible" onChange={(rate) => onChange(rate)} />
    case 'aggregates':
      return <AggregatesField {...common} value={Array.isArray(value) ? (value as AggregateSpec[]) : []} fields={fields} onChange={onChange} />
    case 'scalar':
      return <Text {...common} value={asText(value)} onChange={(text) => onChange(toScalar(text))} />
    case 'text':
    case 'duration':
      return <Text {...common} value={asText(value ?? parameter.default)} onChange={(text) => onChange(text === '' ? undefined : text)} />
  }
}

/** A parameter of another kind than its field expects shows as empty; the compiler names the mistake. */
const asText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '')

/** What is typed as a constant: a number, true or false, else text. */
function toScalar(text: string): string | number | boolean | undefined {
  if (text === '') return undefined
  if (text === 'true' || text === 'false') return text === 'true'
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

interface FieldProps {
  readonly label: string
  readonly help?: string | undefined
  readonly problem?: Problem | undefined
}

function Field({ label, help, problem, children, id }: FieldProps & { readonly children: React.ReactNode; readonly id: string }) {
  return (
    <div className={`field${problem === undefined ? '' : problem.severity === 'error' ? ' wrong' : ' warned'}`}>
      <label htmlFor={id}>{label}</label>
      {children}
      {problem === undefined ? help !== undefined && <small>{help}</small> : <small className="mistake">{`${problem.message} ${problem.cure}`}</small>}
    </div>
  )
}

interface TextProps extends FieldProps {
  readonly value: string
  readonly onChange?: (value: string) => void
  /** Called when the field is left or Enter is pressed, for values that are an identity while they are typed. */
  readonly onCommit?: (value: string) => void
}

export function Text({ value, onChange, onCommit, ...field }: TextProps) {
  const id = useId()
  return (
    <Field {...field} id={id}>
      {onCommit === undefined ? (
        <input id={id} type="text" value={value} onChange={(event) => onChange?.(event.target.value)} />
      ) : (
        <input
          id={id}
          key={value}
          type="text"
          defaultValue={value}
          onBlur={(event) => event.target.value !== value && onCommit(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      )}
    </Field>
  )
}

interface NumberProps extends FieldProps {
  readonly value: number | null
  readonly min: number
  readonly max: number
  readonly placeholder?: string
  readonly onChange: (value: number | null) => void
}

function NumberField({ value, min, max, placeholder, onChange, ...field }: NumberProps) {
  const id = useId()
  return (
    <Field {...field} id={id}>
      <input id={id} type="number" min={min} max={max} value={value ?? ''} placeholder={placeholder} onChange={(event) => onChange(event.target.value === '' ? null : event.target.valueAsNumber)} />
    </Field>
  )
}

interface ChoiceProps extends FieldProps {
  readonly value: string
  readonly choices: readonly { readonly value: string; readonly title: string }[]
  readonly onChange: (value: string) => void
}

export function Choice({ value, choices, onChange, ...field }: ChoiceProps) {
  const id = useId()
  const known = choices.some((choice) => choice.value === value)
  return (
    <Field {...field} id={id}>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {!known && <option value={value}>{value === '' ? 'choose' : `${value} (unknown)`}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.title}
          </option>
        ))}
      </select>
    </Field>
  )
}

function Checkbox({ value, onChange, ...field }: FieldProps & { readonly value: boolean; readonly onChange: (value: boolean) => void }) {
  const id = useId()
  return (
    <Field {...field} id={id}>
      <input id={id} type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} />
    </Field>
  )
}

interface FieldsProps extends FieldProps {
  readonly value: readonly string[]
  readonly fields: readonly string[]
  readonly onChange: (value: readonly string[] | undefined) => void
}

/** Some of the input's fields, in the order of the input. */
export function Fields({ value, fields, onChange, ...field }: FieldsProps) {
  const id = useId()
  const all = [...fields, ...value.filter((name) => !fields.includes(name))]
  return (
    <Field {...field} id={id}>
      <div id={id} role="group" aria-label={field.label} className="field-set">
        {all.length === 0 && <span className="t3">connect an input first</span>}
        {all.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={value.includes(name)}
              onChange={(event) => {
                const next = all.filter((other) => (other === name ? event.target.checked : value.includes(other)))
                onChange(next.length === 0 ? undefined : next)
              }}
            />
            {name}
          </label>
        ))}
      </div>
    </Field>
  )
}
