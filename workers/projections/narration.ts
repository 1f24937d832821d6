/**
 * One plain sentence for each protocol event: present tense, names and numbers. Importance 1 = an act of the whole job, 2 = a step of
 * the protocol, 3 = everything else.
 */
import type { EngineEvent, EventBody } from '../model/events.ts'
import type { VertexId } from '../model/ids.ts'
import type { JobGraph } from '../model/job-graph.ts'
import { checkpointAge, findCheckpoint } from './checkpoint-view.ts'
import type { CheckpointView } from './checkpoint-view.ts'
import { plainBytes, plainDuration, plural } from './figures.ts'
import { narrateTaskStep } from './narrate-task.ts'
import { subtaskName } from './plan.ts'
import { shortTransaction, strategyName, taskManagerName, told } from './sentence.ts'
import type { Sentence, Told } from './sentence.ts'

/** Null for an event that says nothing by itself. With the checkpoints as they are after it a duration is the one that their tables show. */
export function narrate(event: EngineEvent, graph: JobGraph | null, checkpoints: CheckpointView | null = null): Sentence | null {
  const body = checkpoints === null ? event.body : withTableDuration(event.body, checkpoints)
  const said = 'subtask' in body ? narrateTaskStep(body, graph, subtaskName(graph, body.vertex, body.subtask)) : narrateJob(body, graph)
  return said === null ? null : { at: event.at, ...said }
}

function withTableDuration(body: EventBody, checkpoints: CheckpointView): EventBody {
  if (body.type !== 'CheckpointCompleted') return body
  const record = findCheckpoint(checkpoints, body.checkpointId)
  return record?.endedAt == null ? body : { ...body, durationMicros: checkpointAge(record, record.endedAt) }
}

function narrateJob(body: Exclude<EventBody, { readonly subtask: number }>, graph: JobGraph | null): Told | null {
  switch (body.type) {
    case 'JobSubmitted':
      return told(1, `The job “${body.name}” is submitted.`)
    case 'JobStatusChanged':
      return told(body.to === 'INITIALIZING' || body.to === 'CREATED' ? 3 : 1, `The job is ${body.to}, it was ${body.from}.${body.cause === undefined ? '' : ` Cause: ${body.cause}`}`)
    case 'TaskManagerRegistered':
      return told(2, `registers with ${plural(body.slots, 'slot')}.`, taskManagerName(body.taskManager))
    case 'TaskManagerLost':
      return told(1, `is lost: ${body.cause}`, taskManagerName(body.taskManager))
    case 'LeadershipGranted':
      return told(body.recoveredJob === null ? 3 : 1, body.recoveredJob === null ? `leads, fencing token ${body.token}.` : `leads, fencing token ${body.token}, and takes up the job it finds in its store.`, 'The JobManager')
    case 'FaultInjected':
      return told(1, faultSentence(body.fault, targetName(body.target, graph)))
    case 'RestartScheduled':
      return told(1, `The restart strategy ${strategyName(body.strategy)} lets attempt ${body.attemptNumber} begin after ${plainDuration(body.delayMicros)}.`)
    case 'RecoverySuppressed':
      // A failure that no strategy is asked about has a sentence in the strategy's place.
      return told(1, body.strategy.includes(' is not ') ? `${body.strategy}: ${body.cause}` : `The restart strategy ${strategyName(body.strategy)} allows no restart: ${body.cause}`)
    case 'StoredCheckpointUnreadable':
      return told(1, `finds that completed checkpoint ${body.checkpointId} does not read back and goes to an older one: ${body.message}.`, 'The JobManager')
    case 'CheckpointScheduled':
      return null
    case 'EventsDropped':
      return told(body.level === 'protocol' ? 1 : 3, `${plural(body.count, 'event')} of the ${body.level === 'protocol' ? 'log' : 'record trace'} were dropped.`)
    case 'TransactionTimedOut':
      return told(1, `Transaction ${shortTransaction(body.transaction)} of ${body.sink} times out in the outside system and is aborted there.`)
    default:
      return narrateCoordinator(body)
  }
}

type CoordinatorBody = Extract<
  EventBody,
  { readonly type: 'CheckpointTriggered' | 'CheckpointRequestRejected' | 'CoordinatorSnapshotTaken' | 'CheckpointCompleted' | 'CheckpointAborted' | 'CheckpointSubsumed' | 'LateMessage' | 'CheckpointRestored' | 'RestoredEmpty' | 'SnapshotMemoryChanged' | 'StopWithSavepointStarted' | 'JobStoppedWithSavepoint' | 'SavepointDisposed' | 'RequestFailed' }
>

function narrateCoordinator(body: CoordinatorBody): Told | null {
  switch (body.type) {
    case 'CheckpointTriggered':
      if (body.savepoint === true) return told(1, `triggers savepoint ${body.checkpointId}${body.stops === undefined ? '' : ', which stops the job'}: ${plural(body.tasks, 'subtask')} must acknowledge it, and its barriers overtake nothing.`, 'The JobManager')
      return told(1, `triggers checkpoint ${body.checkpointId}, ${body.periodic ? 'as its interval says' : 'by hand'}: ${plural(body.tasks, 'subtask')} must acknowledge it.`, 'The JobManager')
    case 'CheckpointRequestRejected':
      return told(2, `A ${body.savepoint === true ? 'savepoint' : 'checkpoint'} request is refused: ${body.message}`)
    case 'CoordinatorSnapshotTaken':
      return told(3, `notes the state of a source coordinator for checkpoint ${body.checkpointId}, ${plainBytes(body.bytes)}.`, 'The JobManager')
    case 'CheckpointCompleted':
      if (body.savepoint === true) return told(1, `Savepoint ${body.checkpointId} is complete after ${plainDuration(body.durationMicros)}: ${plainBytes(body.checkpointedBytes)} written${body.stops === true ? '' : ', nothing committed'}.`)
      return told(1, `Checkpoint ${body.checkpointId} is complete after ${plainDuration(body.durationMicros)}: ${plainBytes(body.checkpointedBytes)} written.`)
    case 'CheckpointAborted':
      return told(1, `Checkpoint ${body.checkpointId} fails. ${body.message}`)
    case 'CheckpointSubsumed':
      return told(3, `Checkpoint ${body.checkpointId} is subsumed by ${body.by}; its files may go.`)
    case 'LateMessage':
      return told(3, `A message for checkpoint ${body.checkpointId} comes too late: ${body.outcome}.`)
    case 'CheckpointRestored':
      return told(1, `restores checkpoint ${body.checkpointId} on all subtasks.`, 'The JobManager')
    case 'SnapshotMemoryChanged':
      return told(3, `holds ${plainBytes(body.totalBytes)} of state of ${plural(body.checkpoints.length, 'completed checkpoint')} in its memory.`, 'The JobManager')
    case 'StopWithSavepointStarted':
      return told(1, `${STOPS[body.mode]} No periodic checkpoint is triggered any more.`)
    case 'JobStoppedWithSavepoint':
      return told(1, body.mode === 'CANCEL' ? `The savepoint lies at ${body.externalPath}: now the job is cancelled.` : `Every subtask has finished: the job goes on from ${body.externalPath} when it is started there.`)
    case 'SavepointDisposed':
      return told(1, `The savepoint ${body.externalPath} is deleted, with all state that it named.`)
    case 'RequestFailed':
      return told(1, `The ${body.request.replaceAll('-', ' ')} that was asked for fails: ${body.message}`)
    case 'RestoredEmpty':
      return told(1, 'finds no completed checkpoint: the job starts over, with empty state.', 'The JobManager')
  }
}

const STOPS = {
  SUSPEND: 'The job is to be stopped with a savepoint: sources stop, and nothing is closed.',
  TERMINATE: 'The job is to be drained and stopped with a savepoint: sources end event time, and every operator finishes.',
  CANCEL: 'The job is to be cancelled once a savepoint is complete.',
} as const

function faultSentence(fault: string, target: string): string {
  if (fault === 'set-skew') return `You change how evenly ${target} draws its keys.`
  if (fault === 'set-cost') return `You change what a record costs in ${target}.`
  if (fault === 'slow-channel') return `You change how long the way from ${target} takes.`
  if (fault === 'limit-channel') return `You change how much the way from ${target} takes a second.`
  return fault.startsWith('kill') ? `You kill ${target}.` : `You inject the fault ${fault}${target === '' ? '' : ` on ${target}`}.`
}

/** What a fault was aimed at: a TaskManager, the JobManager, or an execution attempt. */
export function targetName(target: string, graph: JobGraph | null): string {
  if (target === 'jobmanager') return 'the JobManager'
  const attempt = /^([0-9a-f]{32})_(\d+)_\d+$/.exec(target)
  return attempt === null ? taskManagerName(target) : subtaskName(graph, attempt[1] as VertexId, Number(attempt[2]))
}
