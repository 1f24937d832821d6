/** Keys of the page. Off while something is typed, in a sheet, and in build mode, which has its own. */
import { useEffect } from 'react'
import { useCluster } from '../stores/cluster-context.ts'
import type { Cluster } from '../cluster/cluster-types.ts'
import { takeSavepoint } from '../restore/savepoint-actions.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'
import type { ViewName } from '../stores/view-store.ts'
import { killSelected } from './kill-selected.ts'
import { nextDetent } from './pace-control.tsx'

const VIEW_KEYS: Readonly<Record<string, ViewName>> = { '1': 'job', '2': 'checkpoints', '3': 'compare', '4': 'storage', '5': 'outputs', '6': 'list' }

export function useKeyboard(): void {
  const cluster = useCluster()
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      if (useView.getState().view === 'build' || document.querySelector('dialog[open]') !== null) return
      if (act(event, cluster)) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [cluster])
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement
  if (target.closest('input, textarea, select, [contenteditable]') !== null) return true
  // Space presses a button that has the focus; a lane is walked, not pressed, by it.
  return (event.key === ' ' || event.key === 'Enter') && target.closest('button, a, [role="slider"]') !== null
}

/** True: the key was taken. */
function act(event: KeyboardEvent, cluster: Cluster): boolean {
  const state = useView.getState()
  const leading = cluster.status.role === 'leading'
  switch (event.key) {
    case ' ':
      if (!event.shiftKey) state.set({ frozen: !state.frozen })
      else if (leading) void (cluster.status.pace.paused ? cluster.resume() : cluster.pause())
      return true
    case '?':
      state.set({ helpOpen: true })
      return true
    case 'Escape':
      state.set(state.sideOpen ? { sideOpen: false } : { armed: null, selection: null })
      return true
    case 'm':
    case 'M':
      state.set({ marking: !state.marking })
      return true
    case 'b':
    case 'B':
      state.set({ view: 'build', firstMinute: false })
      return true
    default:
      return VIEW_KEYS[event.key] === undefined ? leading && drive(event.key, cluster) : show(VIEW_KEYS[event.key] as ViewName)
  }
}

function show(view: ViewName): boolean {
  useView.getState().set({ view, firstMinute: false })
  return true
}

function drive(key: string, cluster: Cluster): boolean {
  switch (key) {
    case 'c':
    case 'C':
      void cluster.triggerCheckpoint()
      return true
    case 's':
    case 'S':
      if (useRun.getState().run.job.status === 'RUNNING') void takeSavepoint(cluster)
      return true
    case 'k':
    case 'K':
      return killSelected(cluster)
    case '+':
    case '=':
      void cluster.setPace(nextDetent(cluster.status.pace.actual, 1))
      return true
    case '-':
    case '−':
      void cluster.setPace(nextDetent(cluster.status.pace.actual, -1))
      return true
    default:
      return false
  }
}
