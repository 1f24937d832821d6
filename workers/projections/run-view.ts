/** The view models of one run together, and the one way to feed them. */
import type { EngineEvent } from '../model/events.ts'
import type { JobGraph } from '../model/job-graph.ts'
import type { TaskReport } from '../model/report.ts'
import { EMPTY_CHANNEL_VIEW, reduceChannelReport, reduceChannels } from './channel-view.ts'
import type { ChannelView } from './channel-view.ts'
import { reduceProgress, reduceProgressReport } from './checkpoint-progress.ts'
import type { ProgressView } from './checkpoint-progress.ts'
import { EMPTY_CHECKPOINT_VIEW, findCheckpoint, underWay } from './checkpoint-view.ts'
import type { CheckpointView } from './checkpoint-view.ts'
import { EMPTY_FLOW_VIEW, forgetShares, reduceFlow } from './flow-view.ts'
import type { FlowView } from './flow-view.ts'
import { EMPTY_JOB_VIEW } from './job-view.ts'
import type { JobView } from './job-view.ts'
import { narrate } from './narration.ts'
import type { Sentence } from './sentence.ts'
import { downtime, followReplay, reduceRecovery } from './recovery-view.ts'
import type { RecoveryView } from './recovery-view.ts'
import { reduceCheckpoints } from './reduce-checkpoints.ts'
import { cameBack, reduceJob } from './reduce-job.ts'
import { EMPTY_TAPE_VIEW, reduceTapeReport, reduceTapes } from './tape-view.ts'
import type { TapeView } from './tape-view.ts'

export interface RunView {
  readonly graph: JobGraph | null
  readonly job: JobView
  readonly checkpoints: CheckpointView
  readonly progress: ProgressView
  readonly channels: ChannelView
  readonly flows: FlowView
  readonly tapes: TapeView
  readonly recovery: RecoveryView | null
  /** Oldest first. */
  readonly narration: readonly Sentence[]
}

export const NARRATION_MAX = 400
const REORDER_MAX = 40

export const emptyRunView = (graph: JobGraph | null): RunView => ({
  graph,
  job: EMPTY_JOB_VIEW,
  checkpoints: EMPTY_CHECKPOINT_VIEW,
  progress: [],
  channels: EMPTY_CHANNEL_VIEW,
  flows: EMPTY_FLOW_VIEW,
  tapes: EMPTY_TAPE_VIEW,
  recovery: null,
  narration: [],
})

/** Events of one batch come from several workers: they are told in the order of engine time, and within one source in its own order. */
export function reduceRun(view: RunView, events: readonly EngineEvent[], reports: readonly TaskReport[]): RunView {
  let next = view
  for (const event of inOrder(events)) next = reduceRunEvent(next, event)
  for (const report of reports) next = reduceRunReport(next, report)
  return next
}

export function reduceRunEvent(view: RunView, event: EngineEvent): RunView {
  const { graph } = view
  const { body } = event
  const job = reduceJob(view.job, event)
  const tapes = reduceTapes(view.tapes, event)
  const checkpoints = reduceCheckpoints(view.checkpoints, event, graph)
  const sentence = blocksNothing(checkpoints, event) ? null : narrate(event, graph, checkpoints)
  const recovery = followReplay(reduceRecovery(view.recovery, event), tapes, allRunning(job, graph), event.at)
  return {
    graph,
    job: settle(job, view.recovery, recovery),
    checkpoints,
    progress: reduceProgress(view.progress, event),
    channels: reduceChannels(view.channels, event, graph),
    flows: body.type === 'TaskStateChanged' ? measured(view.flows, job, `${body.vertex}_${body.subtask}`) : view.flows,
    tapes,
    recovery,
    narration: sentence === null ? view.narration : tell(view.narration, sentence),
  }
}

/** The last barrier blocks its channel too, and opens all in the same moment: nothing waits, so nothing is told. */
function blocksNothing(checkpoints: CheckpointView, { body }: EngineEvent): boolean {
  if (body.type !== 'ChannelBlocked') return false
  const subtask = findCheckpoint(checkpoints, body.checkpointId)?.subtasks.find((one) => one.vertex === body.vertex && one.subtask === body.subtask)
  return subtask !== undefined && subtask.barriers.length >= subtask.expectedBarriers
}

/** Workers report a little later or sooner than each other: a sentence goes where its time belongs. */
function tell(narration: readonly Sentence[], sentence: Sentence): readonly Sentence[] {
  let index = narration.length
  while (index > 0 && index > narration.length - REORDER_MAX && (narration[index - 1]?.at ?? 0) > sentence.at) index--
  return [...narration.slice(0, index), sentence, ...narration.slice(index)].slice(-NARRATION_MAX)
}

function reduceRunReport(view: RunView, report: TaskReport): RunView {
  const task = view.job.tasks[`${report.vertex}_${report.subtask}`]
  // The last words of an attempt that has a successor, or of a job that has one: attempts of every job are numbered from 0.
  if (task === undefined ? view.job.job !== null : task.attempt !== report.attempt) return view
  const tapes = reduceTapeReport(view.tapes, report)
  const recovery = followReplay(view.recovery, tapes, allRunning(view.job, view.graph), report.at)
  return {
    ...view,
    job: settle(view.job, view.recovery, recovery),
    progress: reduceProgressReport(view.progress, report, underWay(view.checkpoints)),
    channels: reduceChannelReport(view.channels, report),
    flows: measured(reduceFlow(view.flows, report), view.job, `${report.vertex}_${report.subtask}`),
    tapes,
    recovery,
  }
}

/** The moment in which every subtask runs again gives the newest attempt its downtime. */
function settle(job: JobView, before: RecoveryView | null, recovery: RecoveryView | null): JobView {
  const down = recovery === null ? null : downtime(recovery)
  return down === null || (before !== null && downtime(before) !== null) ? job : cameBack(job, down)
}

/** Shares are of tasks that run. */
function measured(flows: FlowView, job: JobView, key: string): FlowView {
  const state = job.tasks[key]?.state
  return state === undefined || state === 'RUNNING' ? flows : forgetShares(flows, key)
}

export function allRunning(job: JobView, graph: JobGraph | null): boolean {
  if (graph === null || job.status !== 'RUNNING') return false
  const tasks = Object.values(job.tasks)
  const expected = graph.vertices.reduce((sum, vertex) => sum + vertex.parallelism, 0)
  return tasks.length >= expected && tasks.every((task) => task.state === 'RUNNING' || task.state === 'FINISHED')
}

function inOrder(events: readonly EngineEvent[]): EngineEvent[] {
  return events
    .map((event, index) => ({ event, index }))
    .sort((a, b) => a.event.at - b.event.at || (a.event.source === b.event.source ? a.event.sequence - b.event.sequence : a.index - b.index))
    .map(({ event }) => event)
}
