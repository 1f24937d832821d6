/** Answers of the JobManager's REST API, asked again with every tick while the view is open. What was answered last stays until the next answer. */
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { useView } from '../stores/view-store.ts'

const POLL_MILLIS = 1000
/** Events may ask sooner than the clock, at most twice a second. */
const FLOOR_MILLIS = 500
const LOOK_MILLIS = 100

/** Counts up whenever it is time to ask again. */
export const TickContext = createContext(0)

export interface Answer<T> {
  readonly body: T | null
  /** False: it is still the answer to the path that was asked for before. Its figures must not stand under what is asked for now. */
  readonly isOwn: boolean
  /** 0: not answered yet. */
  readonly status: number
  /** Why there is no answer, in words. */
  readonly problem: string | null
}

type Answered<T> = Omit<Answer<T>, 'isOwn'>

const NOTHING = { body: null, isOwn: false, status: 0, problem: null } as const

/** `path` below `/jobs/:jobid`; null asks nothing. The answer to the path before stays until there is one to this path. */
export function useRest<T>(path: string | null): Answer<T> {
  const cluster = useCluster()
  const tick = useContext(TickContext)
  const job = useRun((state) => state.status?.job?.id ?? null)
  const leading = useRun((state) => state.status?.role === 'leading' && state.status.leader === 'running')
  const [answer, setAnswer] = useState<{ readonly asked: string; readonly answer: Answered<T> } | null>(null)
  const whole = path === null || job === null ? null : `/jobs/${job}${path}`
  useEffect(() => {
    if (whole === null || !leading) return undefined
    let stale = false
    cluster.rest({ path: whole }).then(
      ({ status, body }) => {
        if (!stale) setAnswer({ asked: whole, answer: { body: status === 200 ? (body as T) : null, status, problem: status === 200 ? null : problemOf(body, status) } })
      },
      (error: unknown) => {
        if (!stale) setAnswer((known) => ({ asked: whole, answer: { body: known?.asked === whole ? known.answer.body : null, status: 0, problem: error instanceof Error ? error.message : String(error) } }))
      },
    )
    return () => {
      stale = true
    }
  }, [cluster, whole, tick, leading])
  return whole === null || answer === null ? NOTHING : { ...answer.answer, isOwn: answer.asked === whole }
}

function problemOf(body: unknown, status: number): string {
  const errors = (body as { readonly errors?: readonly unknown[] } | null)?.errors
  return typeof errors?.[0] === 'string' ? errors[0] : `The JobManager answered ${status}.`
}

/** The tick, and the way to make one by hand. Stands still while the view is frozen or the engine is dead. */
export function useTick(): readonly [tick: number, refresh: () => void] {
  const [tick, setTick] = useState(0)
  const last = useRef(0)
  const isDue = useRef(false)
  useEffect(() => {
    const ask = (): void => {
      last.current = performance.now()
      isDue.current = false
      setTick((count) => count + 1)
    }
    const isStill = (): boolean => useView.getState().frozen || document.hidden || useRun.getState().status?.dead != null
    const timer = setInterval(() => {
      const waited = performance.now() - last.current
      if (!isStill() && (waited >= POLL_MILLIS || (isDue.current && waited >= FLOOR_MILLIS))) ask()
    }, LOOK_MILLIS)
    const stop = useRun.subscribe((state, before) => {
      if (state.run.checkpoints === before.run.checkpoints || isStill()) return
      isDue.current = true
    })
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [])
  return [
    tick,
    () => {
      last.current = performance.now()
      setTick((count) => count + 1)
    },
  ]
}
