/** Why is it waiting? The chain of causes at one subtask, one cause a line, each with its figure. Pure. */
import { barrierWaits } from '../../workers/projections/barrier-waits.ts'
import { findCheckpoint } from '../../workers/projections/checkpoint-view.ts'
import { inputChannels } from '../../workers/projections/channel-view.ts'
import { isRecovering } from '../../workers/projections/recovery-view.ts'
import { senderName } from '../../workers/projections/plan.ts'
import { strategyName } from '../../workers/projections/sentence.ts'
import { slotsSentence, slotsWanted } from '../../workers/projections/slots.ts'
import type { RunView } from '../../workers/projections/run-view.ts'
import { count, duration, percent } from '../widgets/figures.ts'
import type { IconName } from '../widgets/icon.tsx'

export interface Cause {
  readonly icon: IconName
  readonly text: string
  readonly figure: string
}

export function whyWaiting(run: RunView, vertex: string, subtask: number, now: number): Cause[] {
  const key = `${vertex}_${subtask}`
  const task = run.job.tasks[key]
  const flow = run.flows[key]
  const causes: Cause[] = []
  if (task !== undefined && task.state !== 'RUNNING' && task.state !== 'FINISHED') {
    causes.push({ icon: 'restarting', text: `It is ${task.state}${task.cause === null ? '' : `: ${task.cause}`}`, figure: duration(Math.max(0, now - task.since)) })
    const slots = task.state === 'SCHEDULED' ? slotsWanted(run.job, run.graph) : null
    if (slots !== null) causes.push({ icon: 'hourglass', text: `The job is ${slotsSentence(slots)}: a slot takes one subtask of each vertex`, figure: '' })
    const { restart } = run.job
    if (restart !== null) causes.push({ icon: 'hourglass', text: `Back-off of ${strategyName(restart.strategy)}`, figure: duration(Math.max(0, restart.at + restart.delayMicros - now)) })
    return causes
  }
  causes.push(...alignmentCauses(run, vertex, subtask, now))
  const cost = costOf(run, vertex)
  if (causes.length > 0 && cost > 0) causes.push({ icon: 'gauge', text: `Each record takes ${duration(cost)}`, figure: flow?.busy == null ? '–' : percent(flow.busy) })
  if ((flow?.backpressured ?? 0) > 0.05) causes.push({ icon: 'backpressured', text: `No free output buffer: ${fullest(run, vertex, subtask)}`, figure: percent(flow?.backpressured ?? 0) })
  if ((flow?.hard ?? 0) > 0.05) causes.push({ icon: 'backpressured', text: 'Hard: blocked inside a record, whose output has used up the overdraft too', figure: percent(flow?.hard ?? 0) })
  if (flow?.report.activity === 'waiting-outside') causes.push({ icon: 'hourglass', text: 'The outside world has not answered yet', figure: '' })
  if (causes.length === 0 && (flow?.idle ?? 0) > 0.5) causes.push({ icon: 'idle', text: 'Its inputs are empty most of the time', figure: percent(flow?.idle ?? 0) })
  if (isRecovering(run.recovery) && run.recovery !== null && run.recovery.replayTotal > 0) {
    causes.push({ icon: 'replaying', text: `The job replays from checkpoint ${run.recovery.restoredFrom ?? '–'}`, figure: `${count(run.recovery.replayed)} of ${count(run.recovery.replayTotal)}` })
  }
  return causes
}

function alignmentCauses(run: RunView, vertex: string, subtask: number, now: number): Cause[] {
  if (run.graph === null) return []
  const causes: Cause[] = []
  for (const id of inputChannels(run.graph, vertex, subtask)) {
    const channel = run.channels[id]
    if (channel?.state !== 'awaited') continue
    causes.push({ icon: 'hourglass', text: `No barrier ${channel.checkpointId ?? ''} from ${senderName(run.graph, id)} yet`, figure: duration(Math.max(0, now - channel.since)) })
    const record = channel.checkpointId === null ? undefined : findCheckpoint(run.checkpoints, channel.checkpointId)
    const waits = record === undefined ? [] : barrierWaits(record, run.channels, run.graph)
    const wait = waits.flatMap(({ awaited }) => awaited).find((one) => one.channel === id)
    if (wait?.place === 'not-sent') causes.push({ icon: 'queue', text: 'Its sender has not sent it yet', figure: '' })
    const ahead = wait?.ahead ?? null
    if (ahead === null || ahead.records === 0) continue
    const cost = costOf(run, vertex)
    const time = cost > 0 ? `~${duration(ahead.records * cost)}` : ''
    causes.push({ icon: 'queue', text: `${count(ahead.records)} records, ${count(ahead.buffers)} buffers ahead of it${wait?.place === 'output' ? ', and it is still at its sender' : ''}`, figure: time })
  }
  return causes
}

const costOf = (run: RunView, vertex: string): number =>
  run.graph?.vertices.find((one) => one.id === vertex)?.chain.reduce((sum, operator) => sum + operator.costMicros, 0) ?? 0

/** The receiver whose queue holds most of what could not leave. */
function fullest(run: RunView, vertex: string, subtask: number): string {
  const own = Object.values(run.channels).filter((channel) => {
    const edge = run.graph?.edges[Number(channel.channel.split(':')[0])]
    return edge?.from === vertex && channel.channel.includes(`:${subtask}>`)
  })
  const worst = own.toSorted((a, b) => b.output.records - a.output.records)[0]
  if (worst === undefined || worst.output.records === 0) return 'its receivers are slower'
  return `${count(worst.output.records)} records wait for a receiver`
}
