/**
 * Runs the word count once on the product: the cluster of the page with its JobManager, TaskManagers and nested task workers. Its clock is
 * read from the engine's own events, so neither spawning nor the way of an event to the page is timed:
 * from the later of "the source got its split" and "the last task is RUNNING" to "the sink has seen the end of all its inputs".
 */
import type { Cluster } from '../../src/cluster/cluster-types.ts'
import { isGloballyTerminal } from '../../workers/model/execution.ts'
import { wordCountJob } from '../job.ts'
import { CLOCK_MARK } from '../runner/turns.ts'
import { pageTimes, type PageClock, type PageTimes } from './page-times.ts'
import type { EngineEvent } from '../../workers/model/events.ts'
import type { CheckpointId, VertexId } from '../../workers/model/ids.ts'

export interface EngineRun {
  readonly recordsPerSecond: number
  readonly checkpoints: number
  readonly buffers: number
  /** Wall milliseconds of each barrier from leaving the source until it had come through every channel of the sink. */
  readonly barriers: readonly number[]
  readonly times: PageTimes
}

export interface EngineOptions {
  readonly records: number
  /** Absent: 10,000 words with a skew; else so many, all alike. */
  readonly keys?: number
  /** In wall time. */
  readonly checkpointEveryMs?: number
  /** Absent: as large as the batches by hand. Flink's default is "32 kb". */
  readonly segmentSize?: string
  readonly config?: Readonly<Record<string, string | number | boolean>>
}

const MICROS_PER_SECOND = 1_000_000
const MICROS_PER_MILLI = 1000
/** Engine time per wall time: beyond what an eye can follow, so that the product traces no records. With no costs modelled it runs flat out. */
export const PACE = 16
const BUFFER_TIMEOUT_MS = 100
/** So that a buffer holds 4,096 records of either edge; the hand-written pipeline's batches hold 4,000. */
const SEGMENT_SIZE = '128 kb'

/** Once per page. */
export async function prepare(cluster: Cluster): Promise<void> {
  await until(cluster, () => cluster.status.leader === 'running')
  await cluster.setPace(PACE)
}

export async function wordCountByEngine(cluster: Cluster, { checkpointEveryMs, ...options }: EngineOptions): Promise<EngineRun> {
  const seen: EngineEvent[] = []
  const stop = cluster.onLog(({ events }) => seen.push(...events))
  const toPage = pageClock(cluster)
  try {
    const interval = checkpointEveryMs === undefined ? {} : { checkpointIntervalMs: checkpointEveryMs * PACE }
    const result = await cluster.start(wordCountJob({ ...options, bufferTimeoutMs: BUFFER_TIMEOUT_MS * PACE, segmentSize: options.segmentSize ?? SEGMENT_SIZE, ...interval }))
    if (!result.ok) throw new Error(`the word count does not compile: ${JSON.stringify(result.problems)}`)
    await until(cluster, () => cluster.status.job?.id === result.job && isGloballyTerminal(cluster.status.job.status))
    if (cluster.status.job?.status !== 'FINISHED') throw new Error(`the word count ended as ${String(cluster.status.job?.status)}`)
    const { traced, pace } = cluster.status
    if (traced || pace.actual !== PACE) throw new Error(`records were traced, or the clock was slowed: ${JSON.stringify(cluster.status)}`)
    return await measure(cluster, seen, options.records, toPage)
  } finally {
    stop()
  }
}

async function measure(cluster: Cluster, seen: EngineEvent[], records: number, toPage: PageClock): Promise<EngineRun> {
  const { graph } = await cluster.view()
  const sink = graph?.vertices.at(-1)?.id
  const end = await eventually(() => seen.find(({ body }) => body.type === 'EndOfDataReached' && body.vertex === sink))
  const starts = seen.filter(({ body }) => body.type === 'SplitAssigned' || (body.type === 'TaskStateChanged' && body.to === 'RUNNING'))
  const start = Math.max(...starts.map(({ at }) => at))
  const reports = await eventually(async () => {
    const all = await cluster.reports()
    const atSink = all.find((report) => report.vertex === sink && end.source === report.attempt)
    return atSink !== undefined && atSink.recordsIn === records ? all : undefined
  })
  const buffers = reports.flatMap(({ outputs }) => outputs).reduce((sum, { sentBuffers }) => sum + sentBuffers, 0)
  return {
    recordsPerSecond: (records * MICROS_PER_SECOND * PACE) / (end.at - start),
    checkpoints: seen.filter(({ body }) => body.type === 'CheckpointCompleted').length,
    buffers,
    barriers: barrierMillis(seen, graph?.vertices[0]?.id, sink),
    times: pageTimes(toPage, { start, end: end.at }, seen, graph?.vertices[1]?.id),
  }
}

function barrierMillis(seen: readonly EngineEvent[], source: VertexId | undefined, sink: VertexId | undefined): number[] {
  const emitted = new Map<CheckpointId, number>()
  for (const { at, body } of seen) if (body.type === 'BarrierEmitted' && body.vertex === source) emitted.set(body.checkpointId, at)
  return seen.flatMap(({ at, body }) => {
    const from = body.type === 'AlignmentCompleted' && body.vertex === sink ? emitted.get(body.checkpointId) : undefined
    return from === undefined ? [] : [(at - from) / MICROS_PER_MILLI / PACE]
  })
}

/** At the pace of the benchmark. The mark is where a trace of the browser finds this moment. */
function pageClock(cluster: Cluster): PageClock {
  const marked = performance.mark(CLOCK_MARK).startTime
  const engine = cluster.engineNow()
  return { marked, at: (time) => marked + (time - engine) / MICROS_PER_MILLI / PACE }
}

export function until(cluster: Cluster, holds: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let done = false
    const stop = cluster.onStatus((status) => {
      if (done) return
      if (status.dead !== null) reject(new Error(`${status.dead.part} died: ${status.dead.message}`))
      else if (holds()) resolve()
      else return
      done = true
      queueMicrotask(() => stop())
    })
  })
}

/** What comes with the next batches of the log and of reports. Fails after some seconds without it. */
async function eventually<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 100; tries++) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the engine did not tell what was waited for: records were lost, or a report was')
}
