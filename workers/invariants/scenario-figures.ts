/** The judging of the figures that subtasks tell with their acknowledgements: start delay, alignment, in-flight bytes. */
import type { CheckpointMetrics } from '../model/checkpoint.ts'
import type { EventBody, EventOf } from '../model/events.ts'
import type { DurationBounds, ElementsExpectation, FiguresExpectation, SizesExpectation } from '../model/scenario-document.ts'
import { durationMicros } from '../model/scenario-parser.ts'
import type { RunView } from './run-view.ts'

interface Judgement {
  readonly met: boolean
  readonly expected: string
  readonly actual: string
}

const DURATIONS = { startDelay: 'startDelayMicros', alignment: 'alignmentMicros', syncDuration: 'syncMicros', asyncDuration: 'asyncMicros' } as const
const BYTES = { persisted: 'persistedBytes', processed: 'processedBytes' } as const

/** Every subtask asked about must lie within every bound, and all of them together; a subtask that has not acknowledged is no subtask. */
export function judgeFigures(expectation: FiguresExpectation, run: RunView): Judgement {
  const acknowledged = acknowledgements(expectation, run)
  const bounds = boundsOf(expectation)
  const { atLeast = 0, atMost = Infinity } = expectation.persistedInAll ?? {}
  const together = expectation.persistedInAll === undefined ? [] : [`in all ${atLeast} to ${atMost}`]
  const expected = [...bounds.map(({ name, low, high, unit }) => `${name} ${low / unit} to ${high / unit}`), ...together].join(', ')
  if (acknowledged.length === 0) return { met: false, expected, actual: 'no acknowledgement' }
  const inAll = acknowledged.reduce((sum, { metrics }) => sum + metrics.persistedBytes, 0)
  const each = acknowledged.every(({ metrics }) => bounds.every(({ field, low, high }) => metrics[field] >= low && metrics[field] <= high))
  const met = each && inAll >= atLeast && inAll <= atMost
  const shown = acknowledged.map(({ subtask, metrics }) => `${subtask}: ${bounds.map(({ name, field, unit }) => `${name} ${metrics[field] / unit}`).join(', ')}`)
  return { met, expected, actual: [...shown, ...(together.length === 0 ? [] : [`in all ${inAll}`])].join('; ') }
}

interface Bound {
  readonly name: string
  readonly field: Exclude<keyof CheckpointMetrics, 'measured'>
  readonly low: number
  readonly high: number
  /** Durations are shown in milliseconds. */
  readonly unit: number
}

function boundsOf(expectation: FiguresExpectation): readonly Bound[] {
  const durations = (Object.keys(DURATIONS) as (keyof typeof DURATIONS)[]).flatMap((name): Bound[] => {
    const wanted: DurationBounds | undefined = expectation[name]
    if (wanted === undefined) return []
    const micros = (text: string | undefined, otherwise: number): number => (text === undefined ? otherwise : durationMicros(text))
    return [{ name, field: DURATIONS[name], low: micros(wanted.atLeast, 0), high: micros(wanted.atMost, Infinity), unit: 1000 }]
  })
  const bytes = (Object.keys(BYTES) as (keyof typeof BYTES)[]).flatMap((name): Bound[] => {
    const wanted = expectation[name]
    return wanted === undefined ? [] : [{ name, field: BYTES[name], low: wanted.atLeast ?? 0, high: wanted.atMost ?? Infinity, unit: 1 }]
  })
  return [...durations, ...bytes]
}

function acknowledgements({ checkpoint, uid, subtask }: FiguresExpectation, run: RunView): readonly EventOf<'CheckpointAcknowledged'>[] {
  const { id, bodies } = sinceTrigger(checkpoint, run)
  const vertex = run.vertexOf(uid)
  return bodies.filter(
    (body): body is EventOf<'CheckpointAcknowledged'> =>
      body.type === 'CheckpointAcknowledged' && body.checkpointId === id && body.vertex === vertex && (subtask === undefined || body.subtask === subtask),
  )
}

/** What happened since that checkpoint was triggered for the last time: jobs that start from one snapshot count on from the same number. */
function sinceTrigger(checkpoint: number | 'latest-completed', run: RunView): { readonly id: number | null; readonly bodies: readonly EventBody[] } {
  const bodies = run.events.map((event) => event.body)
  const completed = bodies.findLast((body) => body.type === 'CheckpointCompleted')
  const id = checkpoint === 'latest-completed' ? (completed?.type === 'CheckpointCompleted' ? completed.checkpointId : null) : checkpoint
  return { id, bodies: bodies.slice(Math.max(0, bodies.findLastIndex((body) => body.type === 'CheckpointTriggered' && body.checkpointId === id))) }
}

/** By subtask, and in all. */
export function judgeElements({ checkpoint, uid, kind, count, bySubtask }: ElementsExpectation, run: RunView): Judgement {
  const { id, bodies } = sinceTrigger(checkpoint, run)
  const operator = run.operatorIdOf(uid)
  const found: number[] = []
  for (const body of bodies) {
    if (body.type !== 'SyncSnapshotEnded' || body.checkpointId !== id) continue
    for (const part of body.parts) if (part.operator === operator && part.kind === kind) found[body.subtask] = part.entries
  }
  const elements = Array.from(found, (entries) => entries ?? 0)
  const sum = elements.reduce((total, entries) => total + entries, 0)
  const shown = (of: readonly number[] | undefined, total: number | undefined): string => [...(of === undefined ? [] : [`[${of.join(', ')}]`]), ...(total === undefined ? [] : [`${total} in all`])].join(', ')
  const met = found.length > 0 && (count === undefined || sum === count) && (bySubtask === undefined || bySubtask.join() === elements.join())
  return { met, expected: shown(bySubtask, count), actual: found.length === 0 ? 'no such state in that checkpoint' : shown(elements, sum) }
}

export function judgeSizes({ checkpoint, checkpointed = {}, state = {}, equal }: SizesExpectation, run: RunView): Judgement {
  const { id, bodies } = sinceTrigger(checkpoint, run)
  const completed = bodies.find((body): body is EventOf<'CheckpointCompleted'> => body.type === 'CheckpointCompleted' && body.checkpointId === id)
  const within = (bytes: number, { atLeast = 0, atMost = Infinity }: SizesExpectation['state'] & object): boolean => bytes >= atLeast && bytes <= atMost
  const range = ({ atLeast = 0, atMost = Infinity }: SizesExpectation['state'] & object): string => `${atLeast} to ${atMost}`
  const expected = `checkpointed ${range(checkpointed)}, state ${range(state)}${equal === undefined ? '' : equal ? ', equal' : ', not equal'}`
  if (completed === undefined) return { met: false, expected, actual: 'no such checkpoint has completed' }
  const { checkpointedBytes, stateBytes } = completed
  const met = within(checkpointedBytes, checkpointed) && within(stateBytes, state) && (equal === undefined || equal === (checkpointedBytes === stateBytes))
  return { met, expected, actual: `checkpointed ${checkpointedBytes}, state ${stateBytes}` }
}
