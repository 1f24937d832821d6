/**
 * The options of a job, as Flink groups them: search, set, see what contradicts what, paste a configuration and copy it. Only what is set
 * stands in the document; everything else has its default.
 */
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { Problem } from '../../workers/model/job-graph.ts'
import { jsonPointer } from '../../workers/model/json-pointer.ts'
import type { Contradiction } from '../../workers/model/options/contradiction.ts'
import { contradictionProblems, contradictions } from '../../workers/model/options/contradictions.ts'
import { OPTION_GROUPS, OPTIONS } from '../../workers/model/options/option-table.ts'
import type { OptionDescription } from '../../workers/model/options/option-description.ts'
import type { RawValue } from '../../workers/model/options/values.ts'
import { Button, Segmented } from '../widgets/controls.tsx'
import { Icon } from '../widgets/icon.tsx'
import { CopyAs } from './copy-as.tsx'
import { configOf, setOption, writtenKey } from './edit-config.ts'
import { KeptOptions } from './kept-options.tsx'
import { fieldId, OptionField } from './option-field.tsx'
import { filterOptions, type OptionFilter } from './filter-options.ts'
import { PasteBox } from './paste-box.tsx'
import './options.css'

interface SheetProps {
  readonly job: JobDocument
  readonly problems: readonly Problem[]
  readonly onEdit: (next: JobDocument, tag?: string) => void
  readonly onClose: () => void
}

export default function OptionsSheet({ job, problems, onEdit, onClose }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const searchId = useId()
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<OptionFilter>('all')
  const config = useMemo(() => configOf(job), [job])
  const found = useMemo(() => contradictions(config), [config])
  const told = useMemo(() => new Set(contradictionProblems(config).map((problem) => problem.message)), [config])
  const latest = useRef({ job, onEdit })
  useEffect(() => {
    latest.current = { job, onEdit }
  }, [job, onEdit])
  const onSet = useCallback((option: OptionDescription, value: RawValue | null) => latest.current.onEdit(setOption(latest.current.job, option, value), `option ${option.key}`), [])
  useEffect(() => {
    dialog.current?.showModal()
    searchField.current?.focus()
  }, [])

  const shown = filterOptions(OPTIONS, { search, filter, isSet: (option) => writtenKey(config, option) !== null })
  const jumpTo = (key: string): void => {
    setSearch('')
    setFilter('all')
    // After the list has its rows again.
    requestAnimationFrame(() => {
      const field = document.getElementById(fieldId(key))
      field?.closest('details')?.setAttribute('open', '')
      field?.scrollIntoView({ block: 'center' })
      field?.focus()
    })
  }
  const field = (option: OptionDescription) => {
    const written = writtenKey(config, option)
    const path = jsonPointer('config', written ?? option.key)
    return (
      <OptionField
        key={option.key}
        option={option}
        value={written === null ? null : (config[written] ?? null)}
        written={written}
        problems={problems.filter((problem) => problem.path === path && !told.has(problem.message) && !problem.message.startsWith(`${option.key} is not used here`))}
        contradictions={found.filter((each) => each.keys[0] === option.key || (each.rule === 'no interval' && each.keys.includes(option.key)))}
        onSet={onSet}
      />
    )
  }
  return (
    <dialog
      ref={dialog}
      className="options-sheet"
      aria-labelledby={`${searchId}-title`}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // Keys of the view below are not meant while the sheet is open, except undo and redo.
      onKeyDown={(event) => {
        if (!((event.ctrlKey || event.metaKey) && 'zy'.includes(event.key.toLowerCase()))) event.stopPropagation()
      }}
    >
      <header>
        <h2 id={`${searchId}-title`}>
          Options <small>{job.name}</small>
        </h2>
        <Button kind="ghost" icon="close" shortcut="Esc" onClick={onClose}>
          Close
        </Button>
      </header>
      <div className="options-body">
        <div className="options-list">
          <div className="options-tools">
            <label htmlFor={searchId} className="sr">
              Search options
            </label>
            <input ref={searchField} id={searchId} type="search" value={search} placeholder="Search by key or by what it does" onChange={(event) => setSearch(event.target.value)} />
            <Segmented
              label="Which options"
              options={[
                { value: 'all', title: 'All' },
                { value: 'used', title: 'Used here' },
                { value: 'set', title: 'Set' },
              ]}
              value={filter}
              onChange={setFilter}
            />
            <span className="t3" role="status">
              {shown.length} of {OPTIONS.length}
            </span>
          </div>
          <Contradictions found={found} onJump={jumpTo} />
          {OPTION_GROUPS.map(({ group, title }) => {
            const own = shown.filter((option) => option.group === group)
            const changed = own.filter((option) => writtenKey(config, option) !== null).length
            if (own.length === 0) return null
            return (
              <details key={`${group} ${search !== '' || filter !== 'all'}`} open={search !== '' || filter !== 'all' || own.some((option) => option.used) || changed > 0}>
                <summary>
                  <h3>{title}</h3>
                  <small>
                    {own.length} {own.length === 1 ? 'option' : 'options'}
                    {changed > 0 && `, ${changed} set`}
                  </small>
                </summary>
                {own.map(field)}
              </details>
            )
          })}
          {shown.length === 0 && <p className="t2">No option fits. Clear the search to see all.</p>}
          <KeptOptions job={job} config={config} onEdit={onEdit} />
        </div>
        <aside className="options-side" aria-label="Configuration as text">
          <PasteBox job={job} onEdit={onEdit} />
          <CopyAs config={config} />
        </aside>
      </div>
    </dialog>
  )
}

/** What stands against what, at the top, each with the way to its field. */
function Contradictions({ found, onJump }: { readonly found: readonly Contradiction[]; readonly onJump: (key: string) => void }) {
  const real = found.filter((each) => each.kind !== 'accepted')
  if (real.length === 0) return null
  return (
    <ul className="contradictions" aria-label="Contradictions">
      {real.map((each) => (
        <li key={`${each.rule} ${each.keys[0] ?? ''}`}>
          <button type="button" className={each.kind === 'refused' ? 'mistake' : 'warning'} onClick={() => onJump(each.keys[0] ?? '')}>
            <Icon name={each.kind === 'refused' ? 'failed' : 'warning'} /> <span>{each.message}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
