/** The page: the first minute, or the frame with its views. One stage for both, so that nothing jumps between them. */
import { lazy, Suspense, useCallback } from 'react'
import { isGloballyTerminal } from '../../workers/model/execution.ts'
import type { TraceSummary } from '../../workers/model/overlay-scene.ts'
import type { ClusterStatus } from '../cluster/cluster-types.ts'
import { Stage } from '../canvas/stage.tsx'
import { WorldPatterns } from '../canvas/world-patterns.tsx'
import { CheckpointDock } from '../checkpoints/checkpoint-dock.tsx'
import { CheckpointsView } from '../checkpoints/checkpoints-view.tsx'
import { HatchPatterns } from '../checkpoints/flag.tsx'
import { BuildView } from '../editor/build-view.tsx'
import { FirstBar, FirstButton, FirstWords } from '../first/first-minute.tsx'
import { NarrationLine } from '../inspector/narration-rail.tsx'
import { SidePanel } from '../inspector/side-panel.tsx'
import { DropTarget } from '../storage/drop-target.tsx'
import { RestoreSheet } from '../restore/restore-sheet.tsx'
import { useCluster } from '../stores/cluster-context.ts'
import { useJob } from '../stores/job-store.ts'
import { useRun } from '../stores/run-store.ts'
import { startEdited } from '../stores/start-job.ts'
import { useView } from '../stores/view-store.ts'
import { Banners } from './banners.tsx'
import { Bar } from './bar.tsx'
import { Bench } from './bench.tsx'
import { HelpSheet } from './help-sheet.tsx'
import { ListView } from './list-view.tsx'
import { OutputsView } from './outputs-view.tsx'
import { Rail } from './rail.tsx'
import { RefusedSheet } from './refused-sheet.tsx'
import { useKeyboard } from './use-keyboard.ts'
import './frame.css'

const StorageView = lazy(async () => ({ default: (await import('../storage/storage-view.tsx')).StorageView }))
const CompareView = lazy(async () => ({ default: (await import('../compare/compare-view.tsx')).CompareView }))

interface AppProps {
  readonly onSummary: (summary: TraceSummary) => void
}

export function App({ onSummary }: AppProps) {
  useKeyboard()
  const { view, firstMinute } = useView()
  const first = firstMinute && view === 'job'
  const building = view === 'build'
  const summary = useCallback((one: TraceSummary) => onSummary(one), [onSummary])
  return (
    <div className={`app${first ? ' first' : ''}${building ? ' building' : ''}${view === 'checkpoints' ? ' on-checkpoints' : ''}${view === 'storage' ? ' on-storage' : ''}${view === 'compare' ? ' on-compare' : ''}`}>
      <HatchPatterns />
      <WorldPatterns />
      {first ? <FirstBar /> : <Bar />}
      {!first && (
        <div className="bench-slot" inert={building}>
          <Bench />
        </div>
      )}
      {!first && <Rail />}
      <Banners />
      <main className="stage" inert={building}>
        <div className="under" inert={view !== 'job'}>
          <Stage onSummary={summary} />
        </div>
        {first && <FirstWords />}
        {first && <FirstButton />}
        {view === 'outputs' && <OutputsView />}
        {view === 'list' && <ListView />}
      </main>
      {!first && <Dock inert={building} />}
      {!first && <SidePanel inert={building} />}
      {view === 'checkpoints' && <CheckpointsView />}
      {view === 'storage' && (
        <Suspense fallback={null}>
          <StorageView />
        </Suspense>
      )}
      {view === 'compare' && (
        <Suspense fallback={null}>
          <CompareView />
        </Suspense>
      )}
      {building && <Build />}
      <HelpSheet />
      <RefusedSheet />
      <RestoreSheet />
      <DropTarget />
    </div>
  )
}

/** `inert`: something lies over it. */
function Dock({ inert }: { readonly inert: boolean }) {
  const view = useRun((state) => state.run.checkpoints)
  const graph = useRun((state) => state.run.graph)
  const job = useRun((state) => state.run.job)
  const now = useRun((state) => state.now)
  const verdicts = useRun((state) => state.verdicts)
  const { pinned, set } = useView()
  return (
    <div className="dock-slot" inert={inert}>
      <NarrationLine />
      <CheckpointDock view={view} graph={graph} job={job} now={now} verdicts={verdicts} pinned={pinned} onPin={(id) => set({ pinned: id })} />
    </div>
  )
}

function Build() {
  const { history, edit, undo, redo } = useJob()
  const cluster = useCluster()
  const { cameByLink, optionsOpen, set } = useView()
  const running = useRun((state) => state.status?.job ?? null)
  const leading = useRun((state) => state.status?.role === 'leading' && state.status.dead === null)
  if (history === null) return null
  return (
    <div className="build-slot">
      <BuildView
        job={history.present}
        canUndo={history.past.length > 0}
        canRedo={history.future.length > 0}
        note={noteOf(running, cameByLink)}
        startBlocked={leading ? null : 'another tab runs the job'}
        optionsOpen={optionsOpen}
        onOptions={(open) => set({ optionsOpen: open })}
        onEdit={edit}
        onUndo={undo}
        onRedo={redo}
        onStart={() => void startEdited(cluster)}
        onClose={() => set({ view: 'job', cameByLink: false })}
      />
    </div>
  )
}

/** What goes on while a job is being built, and what Start will do to it. */
function noteOf(running: ClusterStatus['job'], cameByLink: boolean): string {
  const runs = running !== null && !isGloballyTerminal(running.status)
  const goesOn = runs ? `“${running.name}” runs on until then.` : 'Nothing runs.'
  if (cameByLink) return `This job came by link: it runs when you press Start. ${goesOn}`
  return runs ? `“${running.name}” runs on as it was started; Start replaces it.` : goesOn
}
