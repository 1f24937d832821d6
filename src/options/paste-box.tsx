/** Paste a configuration: what each of its settings is today, and a button that takes them over. Nothing of the text is dropped silently. */
import { useDeferredValue, useId, useMemo, useState } from 'react'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { Button, Segmented } from '../widgets/controls.tsx'
import { count } from '../widgets/figures.ts'
import { applyImported, taken } from './edit-config.ts'
import type { PasteForm } from './form-of.ts'
import { ImportList } from './import-list.tsx'
import { readPasted } from './read-pasted.ts'

const FORMS: readonly { readonly value: PasteForm | 'auto'; readonly title: string }[] = [
  { value: 'auto', title: 'Recognize' },
  { value: 'config.yaml', title: 'config.yaml' },
  { value: 'SET', title: 'SET' },
  { value: 'Java', title: 'Code' },
  { value: '-D', title: 'Command' },
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
  // A long text is read after it has been shown.
  const settled = useDeferredValue(text)
  const read = useMemo(() => (settled.trim() === '' ? null : readPasted(settled, form === 'auto' ? undefined : form)), [settled, form])
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
      <p className="t2">A config.yaml or flink-conf.yaml, also inside a FlinkDeployment or docker-compose; SET statements; calls in Java, Scala, Kotlin or Python; a command with -D. Of any version: old names are accepted.</p>
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
          <p aria-live="polite">{summary(FORMS.find((each) => each.value === read.value.form)?.title ?? '', options.length, unread.length)}</p>
          {options.some((option) => option.status === 'unknown' && option.value !== null) && (
            <label className="paste-keep">
              <input type="checkbox" checked={keepUnknown} onChange={(event) => setKeepUnknown(event.target.checked)} />
              Keep unknown ones in the document, where they do nothing
            </label>
          )}
          <p className="paste-apply">
            <Button kind="primary" disabled={applied.length === 0 || settled !== text} onClick={apply}>
              {`Apply ${count(applied.length)}`}
            </Button>
            <span role="status">{said !== '' ? said : applied.length === 0 ? 'Nothing to take over.' : 'Options that the text does not name stay.'}</span>
          </p>
          <ImportList options={options} unread={unread} />
        </>
      )}
    </section>
  )
}

function summary(form: string, settings: number, unread: number): string {
  if (settings + unread === 0) return `Read as ${form}: no setting found.`
  const rest = unread === 0 ? '' : `, ${count(unread)} ${unread === 1 ? 'part' : 'parts'} not read`
  return `Read as ${form}: ${count(settings)} ${settings === 1 ? 'setting' : 'settings'}${rest}.`
}
