/** Paste a configuration: what each of its settings is today, and a button that takes them over. Nothing of the text is dropped silently. */
import { useId, useMemo, useState } from 'react'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { ImportedOption, ImportStatus } from '../../workers/model/options/import/imported-option.ts'
import { Button, Segmented } from '../widgets/controls.tsx'
import { count } from '../widgets/figures.ts'
import { applyImported, taken } from './edit-config.ts'
import type { PasteForm } from './form-of.ts'
import { readPasted } from './read-pasted.ts'

const FORMS: readonly { readonly value: PasteForm | 'auto'; readonly title: string }[] = [
  { value: 'auto', title: 'Recognize' },
  { value: 'config.yaml', title: 'config.yaml' },
  { value: 'SET', title: 'SET' },
  { value: 'Java', title: 'Java' },
  { value: '-D', title: '-D' },
]

interface PasteProps {
  readonly job: JobDocument
  readonly onEdit: (next: JobDocument, tag?: string) => void
}

export function PasteBox({ job, onEdit }: PasteProps) {
  const id = useId()
  const [text, setText] = useState('')
  const [form, setForm] = useState<PasteForm | 'auto'>('auto')
  const [keepUnknown, setKeepUnknown] = useState(true)
  const [said, setSaid] = useState('')
  const read = useMemo(() => (text.trim() === '' ? null : readPasted(text, form === 'auto' ? undefined : form)), [text, form])
  const options = read?.ok === true ? read.value.options : []
  const unread = read?.ok === true ? read.value.unread : []
  const applied = taken(options, keepUnknown)
  const apply = (): void => {
    onEdit(applyImported(job, options, keepUnknown))
    setSaid(`${count(applied.length)} ${applied.length === 1 ? 'setting' : 'settings'} taken over. Undo takes it back.`)
  }
  return (
    <section className="paste">
      <h3>
        <label htmlFor={id}>Paste configuration</label>
      </h3>
      <p className="t2">A config.yaml or flink-conf.yaml, SET statements, Java calls of any version since 1.13, or -D arguments. Old names are accepted.</p>
      <Segmented label="Form of the text" options={FORMS} value={form} onChange={setForm} />
      <textarea
        id={id}
        className="mono"
        rows={9}
        spellCheck={false}
        value={text}
        placeholder={'execution.checkpointing.interval: 10 s'}
        onChange={(event) => {
          setText(event.target.value)
          setSaid('')
        }}
      />
      {read?.ok === false && <p className="mistake">{read.error}</p>}
      {read?.ok === true && (
        <>
          <p aria-live="polite">{summary(read.value.form, options, unread.length)}</p>
          <ImportTable options={options} />
          {unread.length > 0 && (
            <ul className="unread">
              {unread.map((part) => (
                <li key={`${part.line} ${part.text}`}>
                  <span className="t3">line {part.line}</span> <code>{part.text}</code> {part.reason}
                </li>
              ))}
            </ul>
          )}
          {options.some((option) => option.status === 'unknown' && option.value !== null) && (
            <label className="paste-keep">
              <input type="checkbox" checked={keepUnknown} onChange={(event) => setKeepUnknown(event.target.checked)} />
              Keep unknown ones in the document, where they do nothing
            </label>
          )}
          <p className="paste-apply">
            <Button kind="primary" disabled={applied.length === 0} onClick={apply}>
              {`Apply ${count(applied.length)}`}
            </Button>
            <span role="status">{said !== '' ? said : applied.length === 0 ? 'Nothing to take over.' : 'Options that the text does not name stay.'}</span>
          </p>
        </>
      )}
    </section>
  )
}

const STATUSES: readonly ImportStatus[] = ['unchanged', 'renamed', 'removed', 'not used here', 'unknown']

function summary(form: PasteForm, options: readonly ImportedOption[], unread: number): string {
  const parts = STATUSES.map((status) => [options.filter((option) => option.status === status).length, status] as const).filter(([number]) => number > 0)
  const rest = unread === 0 ? [] : [`${count(unread)} not read`]
  return `Read as ${form}: ${[...parts.map(([number, status]) => `${count(number)} ${status}`), ...rest].join(', ') || 'no setting found'}.`
}

function ImportTable({ options }: { readonly options: readonly ImportedOption[] }) {
  if (options.length === 0) return null
  const last = new Map(options.map((option, index) => [option.key, index]))
  return (
    <table className="table import-table" aria-label="What the text sets">
      <thead>
        <tr>
          <th>Status</th>
          <th>Option and value</th>
          <th className="figure">Line</th>
        </tr>
      </thead>
      <tbody>
        {options.map((option, index) => (
          <tr key={`${option.from.line} ${option.key} ${index}`} className={`import-${option.status.replaceAll(' ', '-')}`}>
            <td>{option.status}</td>
            <td>
              <code>
                {option.key}
                {option.value !== null && `: ${option.value}`}
              </code>
              {last.get(option.key) !== index && <small className="warning">Set again below: that one counts.</small>}
              {!option.from.text.includes(option.key) && <small>from {option.from.text}</small>}
              <small>{option.note}</small>
            </td>
            <td className="figure">{option.from.line}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
