/** The options of the document as text for a cluster. The text is there to be seen, not only to be copied. */
import { useId, useState } from 'react'
import { toConfigYaml, toJava, toSetStatements, type Config } from '../../workers/model/options/export-config.ts'
import { Button, Segmented } from '../widgets/controls.tsx'

const FORMS = [
  { value: 'config.yaml', title: 'config.yaml', write: toConfigYaml },
  { value: 'SET', title: 'SET', write: toSetStatements },
  { value: 'Java', title: 'Java', write: toJava },
] as const

export function CopyAs({ config }: { readonly config: Config }) {
  const id = useId()
  const [form, setForm] = useState<(typeof FORMS)[number]['value']>('config.yaml')
  const [said, setSaid] = useState('')
  const text = FORMS.find((candidate) => candidate.value === form)?.write(config) ?? ''
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid('Copied.'),
      () => setSaid('The browser does not let the page copy. Select the text.'),
    )
  }
  return (
    <section className="copy-as">
      <h3>
        <label htmlFor={id}>Copy as</label>
      </h3>
      <Segmented
        label="Form of the copy"
        options={FORMS}
        value={form}
        onChange={(next) => {
          setForm(next)
          setSaid('')
        }}
      />
      <textarea id={id} className="mono" rows={Math.min(12, Math.max(3, text.split('\n').length))} readOnly value={text} placeholder="No option is set." />
      <p className="paste-apply">
        <Button disabled={text === ''} onClick={copy}>
          Copy
        </Button>
        <span role="status">{said}</span>
      </p>
    </section>
  )
}
