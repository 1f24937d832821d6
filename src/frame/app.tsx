/** The page: the first minute, or the frame with its views. One stage for both, so that nothing jumps between them. */
import { useCallback } from 'react'
import type { TraceSummary } from '../../workers/model/overlay-scene.ts'
import { Stage } from '../canvas/stage.tsx'
import { WorldPatterns } from '../canvas/world-patterns.tsx'
import { CheckpointDock } from '../checkpoints/checkpoint-dock.tsx'
import { CheckpointsView } from '../checkpoints/checkpoints-view.tsx'
import { HatchPatterns } from '../checkpoints/flag.tsx'
import { BuildView } from '../editor/build-view.tsx'
import { FirstBar, FirstButton, FirstWords } from '../first/first-minute.tsx'
import { SidePanel } from '../inspector/side-panel.tsx'
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
import { useKeyboard } from './use-keyboard.ts'
import './frame.css'

interface AppProps {
  readonly onSummary: (summary: TraceSummary) => void
}

export function App({ onSummary }: AppProps) {
  useKeyboard()
  const { view, firstMinute } = useView()
  const first = firstMinute && view === 'job'
  const summary = useCallback((one: TraceSummary) => onSummary(one), [onSummary])
  return (
    <div className={`app${first ? ' first' : ''}${view === 'build' ? ' building' : ''}${view === 'checkpoints' ? ' on-checkpoints' : ''}`}>
      <HatchPatterns />
      <WorldPatterns />
      {first ? <FirstBar /> : <Bar />}
      {!first && <Bench />}
      {!first && <Rail />}
      <Banners />
      <main className="stage">
        <Stage onSummary={summary} />
        {first && <FirstWords />}
        {first && <FirstButton />}
        {view === 'outputs' && <OutputsView />}
        {view === 'list' && <ListView />}
      </main>
      {!first && <Dock />}
      {!first && <SidePanel />}
      {view === 'checkpoints' && <CheckpointsView />}
      {view === 'build' && <Build />}
      <HelpSheet />
    </div>
  )
}

function Dock() {
  const view = useRun((state) => state.run.checkpoints)
  const graph = useRun((state) => state.run.graph)
  const now = useRun((state) => state.now)
  const verdicts = useRun((state) => state.verdicts)
  const { pinned, set } = useView()
  return (
    <div className="dock-slot">
      <CheckpointDock view={view} graph={graph} now={now} verdicts={verdicts} pinned={pinned} onPin={(id) => set({ pinned: id })} />
    </div>
  )
}

function Build() {
  const { history, edit, undo, redo } = useJob()
  const cluster = useCluster()
  const set = useView((state) => state.set)
  const running = useRun((state) => state.run.job.status === 'RUNNING')
  if (history === null) return null
  return (
    <div className="build-slot">
      <BuildView
        job={history.present}
        canUndo={history.past.length > 0}
        canRedo={history.future.length > 0}
        note={running ? 'The run goes on with the job as it was started.' : 'Nothing runs.'}
        onEdit={edit}
        onUndo={undo}
        onRedo={redo}
        onStart={() => void startEdited(cluster)}
        onClose={() => set({ view: 'job' })}
      />
    </div>
  )
}
