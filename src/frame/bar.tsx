/** The bar: mark, job, status, engine time, views. */
import type { JobStatus } from '../../workers/model/execution.ts'
import { encodeJobLink } from '../editor/job-link.ts'
import { useState } from 'react'
import { useJob } from '../stores/job-store.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import type { ViewName } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { clock } from '../widgets/figures.ts'
import { Icon } from '../widgets/icon.tsx'
import type { IconName } from '../widgets/icon.tsx'
import { JobMenu } from './job-menu.tsx'
import { Brand } from './mark.tsx'
import { ThemeButton } from './theme-button.tsx'

const VIEWS: readonly { readonly name: ViewName; readonly title: string; readonly icon: IconName }[] = [
  { name: 'job', title: 'Job', icon: 'job' },
  { name: 'checkpoints', title: 'Checkpoints', icon: 'checkpoints' },
  { name: 'compare', title: 'Compare', icon: 'compare' },
  { name: 'storage', title: 'Storage', icon: 'storage' },
  { name: 'outputs', title: 'Outputs', icon: 'outputs' },
  { name: 'list', title: 'As a list', icon: 'list' },
]

const STATUS_ICON: Readonly<Record<JobStatus, IconName>> = {
  INITIALIZING: 'created',
  CREATED: 'created',
  RUNNING: 'processing',
  FAILING: 'failed',
  FAILED: 'failed',
  CANCELLING: 'canceled',
  CANCELED: 'canceled',
  FINISHED: 'finished',
  RESTARTING: 'restarting',
  SUSPENDED: 'suspended',
  RECONCILING: 'restoring',
}

export function Bar() {
  const view = useView((state) => state.view)
  const set = useView((state) => state.set)
  const name = useRun((state) => state.run.job.name ?? state.status?.job?.name ?? null)
  const now = useRun((state) => state.now)
  const frozen = useView((state) => state.frozen)
  const sideOpen = useView((state) => state.sideOpen)
  const live = useRun((state) => state.status?.role === 'leading')
  return (
    <header className="bar">
      <Brand />
      <JobMenu title={name ?? 'No job'} className="job-title" />
      <StatusChip />
      <span className="clock num" aria-label="engine time">
        {clock(now)}
      </span>
      <nav className="views" aria-label="Views">
        {VIEWS.map((one) => (
          <button key={one.name} type="button" {...(view === one.name ? { 'aria-current': 'page' as const } : {})} onClick={() => set({ view: one.name })}>
            <Icon name={one.icon} />
            <span>{one.title}</span>
          </button>
        ))}
      </nav>
      <span className="grow" />
      <span className={`truth${frozen ? ' frozen' : ''}`} role="status">
        <i aria-hidden="true" />
        {frozen ? 'View frozen · the engine goes on' : live ? 'Real engine · live' : 'Watching another tab'}
      </span>
      <Button icon="narration" pressed={sideOpen} className="drawer-button" onClick={() => set({ sideOpen: !sideOpen })}>
        Details
      </Button>
      <CopyLink />
      <ThemeButton />
      <Button kind="ghost" icon="help" label="Help" shortcut="?" className="no-kbd" onClick={() => set({ helpOpen: true })} />
    </header>
  )
}

export function StatusChip() {
  const status = useRun((state) => state.run.job.status ?? state.status?.job?.status ?? null)
  const dead = useRun((state) => state.status?.dead != null)
  if (status === null) return <span className="status">{dead ? 'stopped' : 'starting'}</span>
  const bad = status === 'FAILED' || status === 'FAILING' || status === 'RESTARTING'
  return (
    <span className={`status${bad ? ' failure' : ''}`} role="status">
      <Icon name={STATUS_ICON[status]} />
      {status}
    </span>
  )
}

function CopyLink() {
  const history = useJob((state) => state.history)
  const [said, setSaid] = useState<string | null>(null)
  const copy = (): void => {
    if (history === null) return
    const link = encodeJobLink(history.present)
    if (!link.ok) return setSaid(link.error)
    window.history.replaceState(null, '', link.value)
    navigator.clipboard.writeText(location.href).then(
      () => setSaid('Copied'),
      () => setSaid('It is in the address bar'),
    )
    setTimeout(() => setSaid(null), 2500)
  }
  return (
    <Button icon="link" disabled={history === null} onClick={copy}>
      {said ?? 'Copy link'}
    </Button>
  )
}
