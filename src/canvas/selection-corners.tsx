/** Corner brackets round what is selected. */
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import type { LaneBox, WorldLayout } from './world-types.ts'

export function SelectionCorners({ world }: { readonly world: WorldLayout }) {
  const selection = useView((state) => state.selection)
  const tasks = useRun((state) => state.run.job.tasks)
  const chosen = world.cards.flatMap((card) =>
    card.lanes.filter((lane) => {
      if (selection?.kind === 'subtask') return selection.vertex === card.vertex && selection.subtask === lane.subtask
      return selection?.kind === 'task-manager' && tasks[`${card.vertex}_${lane.subtask}`]?.taskManager === selection.id
    }),
  )
  return (
    <svg className="over corners" width={world.width} height={world.height} aria-hidden="true">
      {chosen.map((lane) => (
        <path key={`${lane.x}/${lane.y}`} d={cornersOf(lane)} fill="none" stroke="var(--ink)" strokeWidth="2" />
      ))}
    </svg>
  )
}

/** Eleven units along each side, four outside the lane. */
export function cornersOf({ x, y, width, height }: Pick<LaneBox, 'x' | 'y' | 'width' | 'height'>): string {
  const [l, t, r, b] = [x - 4, y - 2, x + width + 4, y + height + 4]
  return `M${l + 12} ${t}H${l}V${t + 12}M${r - 12} ${t}H${r}V${t + 12}M${l} ${b - 12}V${b}H${l + 12}M${r} ${b - 12}V${b}H${r - 12}`
}
