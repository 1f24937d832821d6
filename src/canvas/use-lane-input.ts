/**
 * A click on a lane selects it, or takes the fault that was armed. Arrows walk from lane to lane along the graph, Enter is a click; Tab
 * reaches the graph once (roving focus).
 */
import { useEffect } from 'react'
import type { RefObject } from 'react'
import type { VertexId } from '../../workers/model/ids.ts'
import type { Cluster } from '../cluster/cluster-types.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import type { WorldLayout } from './world-types.ts'

export function useLaneInput(container: RefObject<HTMLElement | null>, world: WorldLayout): void {
  const cluster = useCluster()
  useEffect(() => {
    const element = container.current
    if (element === null) return undefined
    const onKey = (event: KeyboardEvent): void => {
      const lane = (event.target as Element).closest<HTMLElement>('[data-lane]')
      if (lane === null) return
      if (event.key === 'Enter') {
        lane.click()
        event.preventDefault()
        return
      }
      const next = neighbour(world, lane.dataset['lane'] ?? '', event.key)
      if (next === null) return
      event.preventDefault()
      const target = element.querySelector<HTMLElement>(`[data-lane="${next}"]`)
      if (target === null) return
      lane.tabIndex = -1
      target.tabIndex = 0
      target.focus()
    }
    const onClick = (event: MouseEvent): void => {
      const lane = (event.target as Element).closest<HTMLElement>('[data-lane]')?.dataset['lane']
      if (lane !== undefined) choose(lane, cluster)
    }
    element.addEventListener('keydown', onKey)
    element.addEventListener('click', onClick)
    return () => {
      element.removeEventListener('keydown', onKey)
      element.removeEventListener('click', onClick)
    }
  }, [container, world, cluster])
}

function choose(lane: string, cluster: Cluster): void {
  const cut = lane.lastIndexOf('_')
  const { armed, set } = useView.getState()
  const task = useRun.getState().run.job.tasks[lane]
  if (armed === null || task === undefined) {
    set({ selection: { kind: 'subtask', vertex: lane.slice(0, cut) as VertexId, subtask: Number(lane.slice(cut + 1)) } })
    return
  }
  set({ armed: null })
  if (armed === 'kill-subtask') void cluster.killSubtask(task.attempt)
  else if (task.taskManager !== null) void cluster.killTaskManager(task.taskManager)
}

/** The lane that an arrow leads to: up and down in a column, left and right along a channel. Null: nowhere. */
export function neighbour(world: WorldLayout, lane: string, key: string): string | null {
  const all = world.cards.flatMap((card) => card.lanes.map((box) => ({ key: `${card.vertex}_${box.subtask}`, column: card.column, y: box.y })))
  const here = all.find((one) => one.key === lane)
  if (here === undefined) return null
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const column = all.filter((one) => one.column === here.column).sort((a, b) => a.y - b.y)
    return column[column.indexOf(here) + (key === 'ArrowDown' ? 1 : -1)]?.key ?? null
  }
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null
  const forward = key === 'ArrowRight'
  const keyOf = (end: { readonly vertex: string; readonly subtask: number }): string => `${end.vertex}_${end.subtask}`
  const reached = world.channels
    .filter((channel) => keyOf(forward ? channel.from : channel.to) === lane)
    .map((channel) => all.find((one) => one.key === keyOf(forward ? channel.to : channel.from)))
    .filter((one) => one !== undefined)
    .sort((a, b) => Math.abs(a.y - here.y) - Math.abs(b.y - here.y))
  return reached[0]?.key ?? null
}
