/** Of the first minute: brackets round the subtasks of one worker, and lines from them down to its button. */
import { useStore } from '@xyflow/react'
import { useRun } from '../stores/run-store.ts'
import { cornersOf } from './selection-corners.tsx'
import { firstVictim } from './first-victim.ts'
import type { WorldLayout } from './world-types.ts'

/** From the foot of the stage to the top of the button, in pixels. */
const BUTTON_TOP = 76

export function FirstKill({ world }: { readonly world: WorldLayout }) {
  const job = useRun((state) => state.run.job)
  const victim = firstVictim(job)
  // The button stands at the foot of the stage: the line goes down to it, whatever the zoom.
  const foot = useStore((state) => (state.height - BUTTON_TOP - state.transform[1]) / state.transform[2])
  const lanes = world.cards.flatMap((card) => card.lanes.filter((lane) => victim !== null && job.tasks[`${card.vertex}_${lane.subtask}`]?.taskManager === victim))
  if (lanes.length === 0) return null
  const ends = lanes.map((lane) => lane.x + lane.width / 2)
  const [left, right] = [Math.min(...ends), Math.max(...ends)]
  const turn = world.bottom + Math.min(48, Math.max(16, (foot - world.bottom) / 2))
  return (
    <svg className="over corners" width={world.width} height={world.height} style={{ overflow: 'visible' }} aria-hidden="true">
      {lanes.map((lane) => (
        <path key={`${lane.x}/${lane.y}`} d={cornersOf(lane)} fill="none" stroke="var(--ink)" strokeWidth="2" />
      ))}
      <path d={`M${left} ${world.bottom + 4}V${turn}H${right}V${world.bottom + 4}M${left + 22} ${turn}V${Math.max(turn, foot)}`} fill="none" stroke="var(--ink)" strokeWidth="1.4" />
    </svg>
  )
}
