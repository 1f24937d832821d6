/** The side: what is selected, why it waits, and below it the narration. */
import { isRecovering } from '../../workers/projections/recovery-view.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import { Button } from '../widgets/controls.tsx'
import { EndCard } from './end-card.tsx'
import { NarrationRail } from './narration-rail.tsx'
import { RecoveryInspector } from './recovery-inspector.tsx'
import { JobInspector } from './job-inspector.tsx'
import { SubtaskInspector } from './subtask-inspector.tsx'
import { TaskManagerInspector } from './task-manager-inspector.tsx'
import './inspector.css'

/** Beside the stage; where there is no room, a drawer over it. `inert`: something lies over it. */
export function SidePanel({ inert }: { readonly inert: boolean }) {
  const { sideOpen, set } = useView()
  return (
    <aside className={`side${sideOpen ? ' open' : ''}`} aria-label="Inspector and narration" inert={inert}>
      <div className="drawer-head">
        <Button kind="ghost" icon="close" label="Close details" onClick={() => set({ sideOpen: false })} />
      </div>
      <EndCard />
      <Inspector />
      <NarrationRail />
    </aside>
  )
}

function Inspector() {
  const selection = useView((state) => state.selection)
  const recovering = useRun((state) => isRecovering(state.run.recovery))
  if (selection?.kind === 'subtask') return <SubtaskInspector vertex={selection.vertex} subtask={selection.subtask} />
  if (selection?.kind === 'task-manager') return <TaskManagerInspector id={selection.id} />
  if (selection?.kind === 'job-manager') return <JobInspector />
  return recovering ? <RecoveryInspector /> : <JobInspector />
}
