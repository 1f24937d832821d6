/**
 * Feeds the run store from the cluster. Everything goes into `latest` as it comes; the store gets it ten times a second, and not while
 * the view is frozen: the engine goes on, the picture stands.
 */
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { JobGraph } from '../../workers/model/job-graph.ts'
import type { TraceSummary } from '../../workers/model/overlay-scene.ts'
import { emptyRunView, reduceRun } from '../../workers/projections/run-view.ts'
import type { Cluster } from '../cluster/cluster-types.ts'
import { useRun } from './run-store.ts'
import type { Shown, Verdict } from './run-store.ts'
import { useView } from './view-store.ts'

const PUBLISH_MILLIS = 100
const SINK_POLL_MILLIS = 400
/** More rows than any card shows. */
const SINK_ROWS = 40

export interface FollowOptions {
  /** Null where the document has mistakes. */
  readonly compile: (document: JobDocument) => JobGraph | null
  /** Of a completed checkpoint, where a right answer is known. */
  readonly judge: (checkpointId: number) => Promise<Verdict | null>
}

export interface Follower {
  traced(summary: TraceSummary): void
  stop(): void
}

export function followCluster(cluster: Cluster, options: FollowOptions): Follower {
  const first = useRun.getState()
  let latest: Shown = { run: first.run, now: first.now, sinks: first.sinks, trace: first.trace, verdicts: first.verdicts }
  let compiled: JobDocument | null = null
  let lastEventAt = 0

  const refreshGraph = (submitted: boolean): void => {
    const document = cluster.document
    if (document === null || (document === compiled && !submitted)) return
    // While one job takes the place of another, what is still told is of the old one, in the names of its graph.
    if (!submitted && latest.run.graph !== null) return
    compiled = document
    const graph = options.compile(document)
    latest = submitted
      ? { ...latest, run: { ...emptyRunView(graph), job: latest.run.job, narration: latest.run.narration }, sinks: {}, verdicts: new Map() }
      : { ...latest, run: { ...latest.run, graph } }
  }

  const judge = async (checkpointId: number): Promise<void> => {
    const verdict = await options.judge(checkpointId).catch(() => null)
    if (verdict !== null) latest = { ...latest, verdicts: new Map(latest.verdicts).set(checkpointId, verdict) }
  }

  const stopLog = cluster.onLog((batch) => {
    // What came before a new job is of the old one, an aborted checkpoint say: only what is told of it stays.
    const submitted = batch.events.findLastIndex((event) => event.body.type === 'JobSubmitted')
    if (submitted > 0) latest = { ...latest, run: reduceRun(latest.run, batch.events.slice(0, submitted), []) }
    refreshGraph(submitted >= 0)
    latest = { ...latest, run: reduceRun(latest.run, batch.events.slice(Math.max(0, submitted)), batch.reports) }
    for (const { at } of batch.events) lastEventAt = Math.max(lastEventAt, at)
    for (const { body } of batch.events) if (body.type === 'CheckpointCompleted') void judge(body.checkpointId)
  })
  const stopStatus = cluster.onStatus((status) => {
    useRun.setState({ status })
    refreshGraph(false)
  })
  const publish = setInterval(() => {
    if (useView.getState().frozen || useRun.getState().status?.dead) return
    // A worker's clock may be a moment ahead of the page's: what has happened is not in the future.
    useRun.setState({ ...latest, now: Math.max(cluster.engineNow(), lastEventAt) })
  }, PUBLISH_MILLIS)
  const poll = setInterval(() => void pollSinks(), SINK_POLL_MILLIS)

  async function pollSinks(): Promise<void> {
    for (const vertex of latest.run.graph?.vertices ?? []) {
      for (const operator of vertex.chain) {
        if (operator.output !== null) continue
        const sink = await cluster.sink(operator.uid, SINK_ROWS).catch(() => null)
        if (sink !== null) latest = { ...latest, sinks: { ...latest.sinks, [operator.uid]: sink } }
      }
    }
  }

  return {
    traced: (trace) => {
      latest = { ...latest, trace }
    },
    stop: () => {
      stopLog()
      stopStatus()
      clearInterval(publish)
      clearInterval(poll)
    },
  }
}
