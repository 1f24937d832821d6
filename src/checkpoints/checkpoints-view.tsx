/**
 * The Checkpoints view: Flink's four tabs with Flink's figures, as the JobManager answers them, under a strip of the last checkpoints; and what
 * Flink does not show, from the event log.
 */
import { useEffect, useState } from 'react'
import type { CheckpointId } from '../../workers/model/ids.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import type { ConfigAnswer, StatisticsAnswer } from './checkpoint-answers.ts'
import { ConfigurationTab } from './configuration-tab.tsx'
import { HistoryTab } from './history-tab.tsx'
import { LastRefusal } from './last-refusal.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { RecentStrip } from './recent-strip.tsx'
import { RunningCheckpoint } from './running-checkpoint.tsx'
import { SummaryTab } from './summary-tab.tsx'
import { TickContext, useRest, useTick } from './use-rest.ts'
import './checkpoints-view.css'

const TABS = ['Overview', 'History', 'Summary', 'Configuration'] as const
type Tab = (typeof TABS)[number]

export function CheckpointsView() {
  const [tick, refresh] = useTick()
  return (
    <TickContext value={tick}>
      <Panel refresh={refresh} />
    </TickContext>
  )
}

function Panel({ refresh }: { readonly refresh: () => void }) {
  const { pinned, set } = useView()
  const [tab, setTab] = useState<Tab>(pinned === null ? 'Overview' : 'History')
  const [open, setOpen] = useState<ReadonlySet<CheckpointId>>(new Set(pinned === null ? [] : [pinned]))
  const statistics = useRest<StatisticsAnswer>('/checkpoints')
  const known = statistics.isOwn ? statistics.body : null
  const toggle = (id: CheckpointId): void => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
    if (id === pinned && !next.has(id)) set({ pinned: null })
  }
  const pin = (id: CheckpointId): void => {
    set({ pinned: id === pinned ? null : id })
    if (id === pinned) return
    setTab('History')
    setOpen(new Set([id]))
    requestAnimationFrame(() => document.querySelector(`[data-checkpoint="${id}"]`)?.scrollIntoView({ block: 'nearest' }))
  }
  usePinKeys(pinned, pin)
  return (
    <section className="checkpoints-view" aria-label="Checkpoints">
      <StripRow pinned={pinned} onPin={pin} onFollow={() => set({ pinned: null })} />
      <Tabs tab={tab} onTab={setTab} counts={known?.counts ?? null} refresh={refresh} />
      <div className="ck-body" role="tabpanel" id="ck-panel" aria-labelledby={`ck-tab-${tab}`} tabIndex={0}>
        <Body tab={tab} statistics={known} problem={statistics.isOwn ? statistics.problem : null} open={open} onToggle={toggle} />
      </div>
    </section>
  )
}

/** `{` and `}`: the checkpoint before and after the pinned one; without one the newest. */
function usePinKeys(pinned: CheckpointId | null, pin: (id: CheckpointId) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const step = event.key === '{' ? -1 : event.key === '}' ? 1 : 0
      if (step === 0 || event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest('input, textarea, select, dialog') !== null) return
      const { history } = useRun.getState().run.checkpoints
      const index = history.findIndex((record) => record.id === pinned)
      const next = pinned === null || index < 0 ? history.at(-1) : history[index + step]
      if (next !== undefined && next.id !== pinned) pin(next.id)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}

interface BodyProps {
  readonly tab: Tab
  readonly statistics: StatisticsAnswer | null
  readonly problem: string | null
  readonly open: ReadonlySet<CheckpointId>
  readonly onToggle: (id: CheckpointId) => void
}

function Body({ tab, statistics, problem, open, onToggle }: BodyProps) {
  const config = useRest<ConfigAnswer>('/checkpoints/config')
  const leading = useRun((state) => state.status?.role !== 'watching')
  const tolerable = config.isOwn ? (config.body?.tolerable_failed_checkpoints ?? null) : null
  if (statistics === null) {
    return <p className="detail-note">{leading ? (problem ?? 'Asking the JobManager …') : 'The JobManager answers in the tab that runs the cluster. The strip above is from its event log.'}</p>
  }
  if (tab === 'Overview') return <OverviewTab statistics={statistics} tolerable={tolerable} />
  if (tab === 'Summary') return <SummaryTab summary={statistics.summary} completed={statistics.counts.completed} />
  if (tab === 'Configuration') return <ConfigurationTab config={config} />
  return (
    <>
      <LastRefusal tolerable={tolerable} />
      {statistics.history.length === 0 && open.size === 0 ? (
        <p className="detail-note">{statistics.counts.total === 0 ? 'No checkpoint has been triggered yet.' : 'None of them got as far as a row in the history.'}</p>
      ) : (
        <HistoryTab history={statistics.history} tolerable={tolerable} open={open} onToggle={onToggle} />
      )}
    </>
  )
}

interface StripRowProps {
  readonly pinned: CheckpointId | null
  readonly onPin: (id: CheckpointId) => void
  readonly onFollow: () => void
}

function StripRow({ pinned, onPin, onFollow }: StripRowProps) {
  const run = useRun((state) => state.run)
  const now = useRun((state) => state.now)
  const { history } = run.checkpoints
  const last = history.at(-1)?.id ?? 0
  return (
    <div className="strip-row">
      <div className="strip-label">
        <b>{history.length === 0 ? 'No checkpoint yet' : `Last ${history.length} of ${last}`}</b>
        {pinned === null ? <span>following the newest</span> : <span>pinned {pinned}</span>}
        {pinned !== null && (
          <button type="button" className="first-link" onClick={onFollow}>
            Follow newest
          </button>
        )}
      </div>
      <RecentStrip history={history} attempts={run.job.attempts} now={history.some((record) => record.status === 'IN_PROGRESS') ? now : 0} pinned={pinned} onPin={onPin} />
      <RunningCheckpoint view={run.checkpoints} progress={run.progress} graph={run.graph} job={run.job} now={now} />
    </div>
  )
}

interface TabsProps {
  readonly tab: Tab
  readonly onTab: (tab: Tab) => void
  readonly counts: StatisticsAnswer['counts'] | null
  readonly refresh: () => void
}

function Tabs({ tab, onTab, counts, refresh }: TabsProps) {
  const move = (event: React.KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    event.stopPropagation()
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] as Tab
    onTab(next)
    document.getElementById(`ck-tab-${next}`)?.focus()
  }
  return (
    <div className="ck-tabs">
      <div role="tablist" aria-label="Checkpoints" tabIndex={-1} onKeyDown={move}>
        {TABS.map((one) => (
          <button key={one} type="button" role="tab" id={`ck-tab-${one}`} aria-controls="ck-panel" aria-selected={one === tab} tabIndex={one === tab ? 0 : -1} onClick={() => onTab(one)}>
            {one}
          </button>
        ))}
      </div>
      <span className="grow" />
      {counts !== null && (
        <dl className="ck-counts">
          {(
            [
              ['Triggered', counts.total],
              ['In Progress', counts.in_progress],
              ['Completed', counts.completed],
              ['Failed', counts.failed],
              ['Restored', counts.restored],
            ] as const
          ).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <Button icon="restarting" onClick={refresh}>
        Refresh
      </Button>
    </div>
  )
}
