/**
 * Keeps the tree that is shown as it is in storage: asked for again when the log tells of a checkpoint or of the job's end, when something was
 * changed by hand, and now and then for what nobody tells (another tab, the browser itself). Stands still while the view is frozen.
 */
import { useEffect } from 'react'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { useStorage } from '../stores/storage-store.ts'
import { useView } from '../stores/view-store.ts'
import { reasonOf } from './desk-types.ts'

/** After an event: files are written before it, and cleaned up after it. */
const AFTER_EVENT_MILLIS = [150, 1500] as const
/** Events come in bursts. */
const FLOOR_MILLIS = 400
const SELDOM_MILLIS = 10_000

export function useStorageTree(): void {
  const cluster = useCluster()
  const asked = useStorage((state) => state.asked)
  useEffect(() => {
    let ended = false
    let busy = false
    let isDue = false
    let last = 0
    const ask = async (): Promise<void> => {
      isDue = true
      if (busy || ended) return
      busy = true
      while (isDue && !ended) {
        isDue = false
        const wait = last + FLOOR_MILLIS - performance.now()
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
        last = performance.now()
        const told = await cluster.desk.tree().then(
          (tree) => ({ tree, toldAt: Date.now(), problem: null }),
          (error: unknown) => ({ problem: reasonOf(error) }),
        )
        if (!ended) useStorage.getState().set(told)
      }
      busy = false
    }
    const isStill = (): boolean => useView.getState().frozen || document.hidden
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const soon = (): void => {
      if (isStill()) return
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      for (const millis of AFTER_EVENT_MILLIS) timers.add(setTimeout(() => void ask(), millis))
    }
    const stopLog = cluster.onLog(({ events }) => {
      if (events.some(({ body }) => CHANGES_FILES.has(body.type))) soon()
    })
    const stopStatus = useRun.subscribe((state, before) => {
      if (state.run.job.status !== before.run.job.status || state.status?.leader !== before.status?.leader) soon()
    })
    const seldom = setInterval(() => {
      if (!isStill()) void ask()
    }, SELDOM_MILLIS)
    void ask()
    return () => {
      ended = true
      stopLog()
      stopStatus()
      clearInterval(seldom)
      for (const timer of timers) clearTimeout(timer)
    }
  }, [cluster, asked])
}

const CHANGES_FILES: ReadonlySet<string> = new Set(['CheckpointCompleted', 'CheckpointAborted', 'CheckpointSubsumed', 'JobSubmitted', 'JobStatusChanged', 'CheckpointRestored', 'LeadershipGranted'])
