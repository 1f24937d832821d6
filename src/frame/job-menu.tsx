/** The jobs there are: the built-in ones, a file, and the one at hand as a file. Opened by the job's name in the bar. */
import { useId, useRef } from 'react'
import { BUILTIN_JOBS, BUILTIN_SUMMARIES } from '../../workers/model/builtin-jobs/builtin-jobs.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useJob } from '../stores/job-store.ts'
import { downloadJob, openJobFile } from '../stores/open-job.ts'
import { useRun } from '../stores/run-store.ts'
import { startInstead } from '../stores/start-job.ts'
import { Icon } from '../widgets/icon.tsx'
import { useMenu } from '../widgets/use-menu.ts'
import { walkMenu } from '../widgets/walk-menu.ts'

interface MenuProps {
  readonly title: string
  readonly className: string
}

export function JobMenu({ title, className }: MenuProps) {
  const { open, setOpen, box, close, onBlur } = useMenu()
  const id = useId()
  return (
    <span className="job-menu" ref={box} onBlur={onBlur}>
      <button type="button" className={className} aria-haspopup="menu" aria-expanded={open} aria-controls={open ? id : undefined} onClick={() => setOpen(!open)}>
        <span>{title}</span>
        <Icon name="chevron" size={12} />
      </button>
      {open && <Entries id={id} onClose={close} />}
    </span>
  )
}

function Entries({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const cluster = useCluster()
  const present = useJob((state) => state.history?.present ?? null)
  const job = useRun((state) => state.status?.job ?? null)
  const leading = useRun((state) => state.status?.role === 'leading' && state.status.dead === null)
  const file = useRef<HTMLInputElement>(null)
  const runs = job !== null && !['CANCELED', 'FAILED', 'FINISHED'].includes(job.status)
  return (
    <div className="menu" role="menu" tabIndex={-1} id={id} aria-label="Jobs" onKeyDown={(event) => walkMenu(event, onClose)}>
      <p className="t3">{leading ? (runs ? `Starting one cancels “${job.name}”, which runs now.` : 'Nothing runs: choose one to start it.') : 'Another tab runs the job; close it to start one here.'}</p>
      {Object.entries(BUILTIN_JOBS).map(([name, document]) => (
        <button
          key={name}
          type="button"
          role="menuitem"
          disabled={!leading}
          onClick={() => {
            onClose()
            void startInstead(cluster, document)
          }}
        >
          <b>
            {document.name}
            {runs && job.name === document.name && <small> runs now; starts anew</small>}
          </b>
          <span>{BUILTIN_SUMMARIES[name]}</span>
        </button>
      ))}
      <hr />
      <button type="button" role="menuitem" onClick={() => file.current?.click()}>
        <b>Open a job file…</b>
        <span>Shown in build mode; you start it.</span>
      </button>
      <button
        type="button"
        role="menuitem"
        disabled={present === null}
        onClick={() => {
          if (present !== null) downloadJob(present)
          onClose()
        }}
      >
        <b>Download this job</b>
        <span>{present?.name ?? ''} as a file (weir/job@1).</span>
      </button>
      <input
        ref={file}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label="Job file"
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          event.target.value = ''
          onClose()
          if (chosen !== undefined) void openJobFile(chosen)
        }}
      />
    </div>
  )
}
