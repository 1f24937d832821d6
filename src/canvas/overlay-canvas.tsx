/** The one canvas over the picture. Follows the viewport of React Flow; the drawing happens in its worker. */
import { useStore } from '@xyflow/react'
import { useCallback, useEffect, useState } from 'react'
import type { JobGraph } from '../../workers/model/job-graph.ts'
import type { TraceSummary } from '../../workers/model/overlay-scene.ts'
import type { Cluster } from '../cluster/cluster-types.ts'
import { startOverlayWorker } from '../cluster/worker-urls.ts'
import { useCluster } from '../stores/cluster-context.ts'
import { useRun } from '../stores/run-store.ts'
import { motionReduced, useView } from '../stores/view-store.ts'
import { startOverlay } from './overlay-link.ts'
import type { OverlayLink } from './overlay-link.ts'
import type { WorldLayout } from './world-types.ts'

/** Readings come with every change; this is for what a sleeping tab has missed. */
const CLOCK_MILLIS = 500

interface OverlayProps {
  readonly world: WorldLayout
  readonly graph: JobGraph
  readonly onSummary: (summary: TraceSummary) => void
}

export function OverlayCanvas({ world, graph, onSummary }: OverlayProps) {
  const [link, setLink] = useState<OverlayLink | null>(null)
  const cluster = useCluster()
  const [x, y, zoom] = useStore((state) => state.transform)
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  const theme = useView((state) => state.theme)
  const { frozen, marking, motion } = useView()
  const dead = useRun((state) => state.status?.dead ?? null)

  const role = useRun((state) => state.status?.role ?? 'starting')
  // A canvas can be handed over once only: it is made here, with its worker, and goes with it.
  const hold = useCallback(
    (holder: HTMLDivElement | null) => {
      if (holder === null || role === 'starting') return undefined
      const canvas = document.createElement('canvas')
      holder.append(canvas)
      const { port, stop } = role === 'leading' ? { port: cluster.overlayPort(), stop: () => undefined } : relayLog(cluster)
      const next = startOverlay(startOverlayWorker(), canvas, port, onSummary)
      setLink(next)
      return () => {
        stop()
        next.stop()
        setLink(null)
        canvas.remove()
      }
    },
    [cluster, onSummary, role],
  )
  useEffect(() => link?.scene(world, deedsOf(graph), graph.settings.linkLatencyMicros), [link, world, graph])
  useEffect(() => link?.viewport({ x, y, zoom, width, height, pixelRatio: devicePixelRatio }), [link, x, y, zoom, width, height])
  useEffect(() => link?.options({ frozen, marking, reducedMotion: motionReduced(motion), stopped: dead !== null }), [link, frozen, marking, motion, dead])
  useEffect(() => {
    link?.palette()
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const change = (): void => link?.palette()
    dark.addEventListener('change', change)
    return () => dark.removeEventListener('change', change)
  }, [link, theme])
  useEffect(() => {
    if (link === null) return undefined
    const tell = (): void => link.clock(cluster.clockNow)
    tell()
    const timer = setInterval(tell, CLOCK_MILLIS)
    const stop = cluster.onClock(link.clock)
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [link, cluster])

  return <div ref={hold} className="overlay" aria-hidden="true" />
}

/** A tab that watches has no trace: it draws from the log that the leading tab tells. */
function relayLog(cluster: Cluster): { readonly port: MessagePort; readonly stop: () => void } {
  const { port1, port2 } = new MessageChannel()
  return { port: port2, stop: cluster.onLog(({ events, reports }) => port1.postMessage({ events, reports, trace: [] })) }
}

/** What a subtask does with a record, in words beside the record in work. */
function deedsOf(graph: JobGraph): Record<string, string> {
  return Object.fromEntries(
    graph.vertices.map((vertex) => {
      const keyed = vertex.chain.some((operator) => operator.keyFields.some((fields) => fields !== null))
      const sink = vertex.chain.some((operator) => operator.output === null)
      return [vertex.id, keyed ? 'into its state' : sink ? 'row added' : (vertex.chain[0]?.type ?? '')]
    }),
  )
}
