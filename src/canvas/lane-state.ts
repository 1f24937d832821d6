/** What a subtask is doing, in words with a mark: one line of the lane, the same everywhere it is said. */
import type { TaskView } from '../../workers/projections/job-view.ts'
import { currentCheckpoint } from '../../workers/projections/checkpoint-view.ts'
import type { SubtaskCheckpoint } from '../../workers/projections/checkpoint-view.ts'
import { isRecovering } from '../../workers/projections/recovery-view.ts'
import type { RunView } from '../../workers/projections/run-view.ts'
import { percent } from '../widgets/figures.ts'
import type { IconName } from '../widgets/icon.tsx'

export interface LaneState {
  readonly icon: IconName
  readonly words: string
  readonly tone: 'plain' | 'failure'
  /** Barriers of the checkpoint under way that have come, of those expected; null where one input makes it trivial. */
  readonly pips: { readonly arrived: number; readonly expected: number } | null
}

const plain = (icon: IconName, words: string): Omit<LaneState, 'pips'> => ({ icon, words, tone: 'plain' })
const failure = (icon: IconName, words: string): Omit<LaneState, 'pips'> => ({ icon, words, tone: 'failure' })

export function laneState(run: RunView, vertex: string, subtask: number): LaneState {
  const key = `${vertex}_${subtask}`
  const record = currentCheckpoint(run.checkpoints)
  const part = record?.status === 'IN_PROGRESS' ? record.subtasks.find((one) => one.vertex === vertex && one.subtask === subtask) : undefined
  const pips = part !== undefined && part.expectedBarriers > 1 ? { arrived: part.barriers.length, expected: part.expectedBarriers } : null
  const task = run.job.tasks[key]
  if (task === undefined) return { ...plain('created', run.job.status === null ? 'not started' : 'created'), pips: null }
  if (task.state !== 'RUNNING') return { ...taskWords(task), pips: null }
  return { ...(snapshotWords(part) ?? activityWords(run, key, vertex)), pips }
}

function taskWords(task: TaskView): Omit<LaneState, 'pips'> {
  switch (task.state) {
    case 'FAILED':
      return failure('failed', 'failed')
    case 'CANCELED':
      return plain('canceled', 'canceled')
    case 'CANCELING':
      return plain('canceled', 'canceling')
    case 'FINISHED':
      return plain('finished', 'finished')
    case 'INITIALIZING':
      return plain('restoring', 'initializing')
    default:
      return plain('created', task.state.toLowerCase())
  }
}

function snapshotWords(part: SubtaskCheckpoint | undefined): Omit<LaneState, 'pips'> | null {
  switch (part?.phase) {
    case 'aligning':
      return part.expectedBarriers > 1 ? plain('hourglass', `aligning ${part.barriers.length} of ${part.expectedBarriers}`) : null
    case 'sync':
      return plain('sync', 'snapshot, sync')
    case 'async': {
      const cell = Object.values(part.cells).find((candidate) => candidate.kind === 'async')
      const share = cell?.kind === 'async' && cell.total > 0 ? ` ${percent(cell.written / cell.total)}` : ''
      return plain('uploading', `uploading${share}`)
    }
    default:
      return null
  }
}

const atEnd = (run: RunView, key: string): boolean => Object.values(run.tapes).filter((tape) => `${tape.vertex}_${tape.subtask}` === key).every((tape) => tape.idle)

function activityWords(run: RunView, key: string, vertex: string): Omit<LaneState, 'pips'> {
  const source = run.graph?.vertices.find((candidate) => candidate.id === vertex)?.isSource === true
  const activity = run.flows[key]?.report.activity
  const again = source && isRecovering(run.recovery) && Object.values(run.tapes).some((tape) => `${tape.vertex}_${tape.subtask}` === key && tape.rewound !== null && tape.rewound.caughtUpAt === null)
  switch (activity) {
    case 'backpressured':
      return plain('backpressured', 'backpressured')
    case 'idle':
      // Between two records a source with a rate has nothing to do, and is still reading.
      return source && !atEnd(run, key) ? (again ? plain('replaying', 'replaying') : plain('processing', 'reading')) : plain('idle', 'idle')
    case 'aligning':
      return plain('hourglass', 'aligning')
    case 'sync':
      return plain('sync', 'snapshot, sync')
    case 'restoring':
      return plain('restoring', 'restoring')
    case 'waiting-outside':
      return plain('hourglass', 'awaits an answer')
    case 'waiting-for-final-checkpoint':
      return plain('hourglass', 'awaits a checkpoint')
    case 'waiting-for-savepoint':
      return plain('hourglass', 'awaits the savepoint')
    case 'finished':
      return plain('finished', 'finished')
    case 'failed':
      return failure('failed', 'failed')
    case 'canceled':
      return plain('canceled', 'canceled')
    default:
      return again ? plain('replaying', 'replaying') : plain('processing', source ? 'reading' : 'processing')
  }
}
