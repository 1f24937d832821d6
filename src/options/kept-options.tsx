/** Keys of the document that no option is known for: kept, listed, and removable. */
import { useId, useState } from 'react'
import type { JobDocument } from '../../workers/model/job-document.ts'
import { findOption } from '../../workers/model/options/option-table.ts'
import { REMOVED_OPTIONS } from '../../workers/model/options/table/removed.ts'
import type { RawValue } from '../../workers/model/options/values.ts'
import { Button } from '../widgets/controls.tsx'
import { setKept } from './edit-config.ts'

interface KeptProps {
  readonly job: JobDocument
  readonly config: Readonly<Record<string, RawValue>>
  readonly onEdit: (next: JobDocument, tag?: string) => void
}

const ROWS = 100

export function KeptOptions({ job, config, onEdit }: KeptProps) {
  const id = useId()
  const [limit, setLimit] = useState(ROWS)
  const kept = Object.entries(config).filter(([key]) => findOption(key) === undefined)
  if (kept.length === 0) return null
  return (
    <details open>
      <summary>
        <h3>Kept, not known here</h3>
        <small>{kept.length}; they do nothing and are copied as they are</small>
      </summary>
      {kept.slice(0, limit).map(([key, value]) => (
        <div key={key} className="option">
          <div className="option-head">
            <label htmlFor={`${id} ${key}`} className="mono">
              {key}
            </label>
          </div>
          <div className="option-value">
            <input id={`${id} ${key}`} type="text" spellCheck={false} value={String(value)} onChange={(event) => onEdit(setKept(job, key, event.target.value), `option ${key}`)} />
            <Button kind="ghost" onClick={() => onEdit(setKept(job, key, null))}>
              Remove
            </Button>
          </div>
          <div className="option-notes">
            <p className="t2">{REMOVED_OPTIONS.find((option) => option.key === key)?.note ?? 'Not an option that is known here.'}</p>
          </div>
        </div>
      ))}
      {kept.length > limit && (
        <Button kind="ghost" onClick={() => setLimit(kept.length)}>
          {`Show ${kept.length - limit} more`}
        </Button>
      )}
    </details>
  )
}
