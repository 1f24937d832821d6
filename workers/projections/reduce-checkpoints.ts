/** Protocol events → checkpoint view. Pure: the same events in the same order give the same view. */
import type { EngineEvent, EventBody, EventOf } from '../model/events.ts'
import { isGloballyTerminal } from '../model/execution.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { JobGraph } from '../model/job-graph.ts'
import type { EngineTime } from '../model/time.ts'
import { appliedKinds, expectedParts, makeCells } from './checkpoint-parts.ts'
import { CHECKPOINT_HISTORY_MAX } from './checkpoint-view.ts'
import type { CheckpointRecord, CheckpointView, SubtaskCheckpoint } from './checkpoint-view.ts'
import { allSubtasks, findVertex } from './plan.ts'
import { abortSubtask, reduceSubtask } from './reduce-subtask-checkpoint.ts'

export function reduceCheckpoints(view: CheckpointView, event: EngineEvent, graph: JobGraph | null): CheckpointView {
  const body = event.body
  switch (body.type) {
    case 'LeadershipGranted':
      // The memory of the one before is gone with it.
      return { ...view, held: [], history: view.history.map((record) => (record.status === 'IN_PROGRESS' ? orphan(record, event) : record)) }
    case 'SnapshotMemoryChanged':
      return { ...view, held: body.checkpoints }
    case 'CheckpointScheduled':
      return { ...view, nextAt: body.nextAt }
    case 'JobStatusChanged':
      // What was announced of a job that has ended does not come.
      return isGloballyTerminal(body.to) ? { ...view, nextAt: null } : view
    case 'CheckpointTriggered':
      return { ...view, history: [...view.history, begin(view, event, body, graph)].slice(-CHECKPOINT_HISTORY_MAX) }
    case 'CheckpointRequestRejected':
      return { ...view, lastRejection: { at: event.at, reason: body.reason, message: body.message } }
    case 'CheckpointCompleted':
      return {
        ...update(view, body.checkpointId, (record) => complete(record, body)),
        completed: view.completed + 1,
        latestCompleted: body.checkpointId,
      }
    case 'CheckpointAborted':
      return { ...update(view, body.checkpointId, (record) => abort(record, event, body)), failed: view.failed + 1 }
    case 'CheckpointSubsumed':
      return update(view, body.checkpointId, (record) => ({ ...record, subsumedBy: body.by }))
    case 'CheckpointRestored':
      return update(view, body.checkpointId, (record) => ({ ...record, restores: record.restores + 1 }))
    default:
      return reduceAtTask(view, event, body)
  }
}

/** Events that name a subtask and a checkpoint. */
function reduceAtTask(view: CheckpointView, event: EngineEvent, body: EventBody): CheckpointView {
  if (!('checkpointId' in body) || !('subtask' in body)) return view
  return update(view, body.checkpointId, (record) => {
    const subtasks = record.subtasks.map((subtask) =>
      subtask.vertex === body.vertex && subtask.subtask === body.subtask ? reduceSubtask(subtask, event.at, body) : subtask,
    )
    const next = { ...record, subtasks }
    if (body.type === 'CheckpointAcknowledged') {
      return {
        ...next,
        acknowledged: body.acknowledged,
        tasks: body.tasks,
        checkpointedBytes: record.checkpointedBytes + body.metrics.checkpointedBytes,
        stateBytes: record.stateBytes + body.metrics.stateBytes,
      }
    }
    return body.type === 'CheckpointCompleteNotified' ? { ...next, notified: record.notified + 1 } : next
  })
}

function begin(view: CheckpointView, event: EngineEvent, body: EventOf<'CheckpointTriggered'>, graph: JobGraph | null): CheckpointRecord {
  const before = view.history.findLast((record) => record.status === 'COMPLETED')
  const subtasks = graph === null ? [] : allSubtasks(graph).map((at) => waiting(at, graph, before))
  return {
    id: body.checkpointId,
    status: 'IN_PROGRESS',
    periodic: body.periodic,
    savepoint: body.savepoint === true,
    triggeredAt: event.at,
    endedAt: null,
    acknowledged: 0,
    tasks: body.tasks,
    checkpointedBytes: 0,
    stateBytes: 0,
    externalPath: null,
    reason: null,
    message: null,
    subsumedBy: null,
    restores: 0,
    notified: 0,
    subtasks,
  }
}

function waiting(at: Pick<SubtaskCheckpoint, 'vertex' | 'subtask'>, graph: JobGraph, before: CheckpointRecord | undefined): SubtaskCheckpoint {
  const vertex = findVertex(graph, at.vertex)
  const known = before?.subtasks.find((subtask) => subtask.vertex === at.vertex && subtask.subtask === at.subtask)
  const kinds = known !== undefined ? appliedKinds(known.cells) : vertex === undefined ? [] : expectedParts(vertex)
  const channels = graph.edges.filter((edge) => edge.to === at.vertex)
  const expectedBarriers = channels.reduce((sum, edge) => {
    const upstream = findVertex(graph, edge.from)?.parallelism ?? 0
    return sum + (edge.ship === 'forward' ? 1 : upstream)
  }, 0)
  return {
    ...at,
    attempt: null,
    phase: 'waiting',
    expectedBarriers,
    barriers: [],
    startedAt: null,
    emittedAt: null,
    unalignedAt: null,
    inFlightBytes: null,
    alignedAt: null,
    syncStartedAt: null,
    syncEndedAt: null,
    asyncEndedAt: null,
    acknowledgedAt: null,
    notifiedAt: null,
    cells: makeCells(kinds, { kind: 'waiting' }),
    metrics: null,
    message: null,
  }
}

function complete(record: CheckpointRecord, body: EventOf<'CheckpointCompleted'>): CheckpointRecord {
  const triggeredAt = triggerTime(record, body)
  return {
    ...record,
    status: 'COMPLETED',
    triggeredAt,
    // Flink's end to end duration is up to the last acknowledgement, not up to the word that it is complete.
    endedAt: triggeredAt + body.durationMicros,
    externalPath: body.externalPath,
    checkpointedBytes: body.checkpointedBytes,
    stateBytes: body.stateBytes,
  }
}

/**
 * The coordinator's own reading, so that durations agree with those it answers: in the browser an event carries the time at which it was told,
 * a moment after the fact.
 */
function triggerTime(record: CheckpointRecord, body: EventOf<'CheckpointCompleted'>): EngineTime {
  const acknowledgements = record.subtasks.map((subtask) => subtask.acknowledgedAt).filter((at) => at !== null)
  return acknowledgements.length === 0 ? record.triggeredAt : Math.max(...acknowledgements) - body.durationMicros
}

function abort(record: CheckpointRecord, event: EngineEvent, body: EventOf<'CheckpointAborted'>): CheckpointRecord {
  return {
    ...record,
    status: 'FAILED',
    endedAt: event.at,
    reason: body.reason,
    message: body.message,
    subtasks: record.subtasks.map((subtask) => abortSubtask(subtask, body.reason)),
  }
}

/** Pending checkpoints live in the JobManager's memory: they ended with it, and nobody was left to say so. Counted nowhere, as in Flink. */
function orphan(record: CheckpointRecord, event: EngineEvent): CheckpointRecord {
  return {
    ...record,
    status: 'FAILED',
    endedAt: event.at,
    message: 'The JobManager that had triggered it is gone.',
    subtasks: record.subtasks.map((subtask) => abortSubtask(subtask, 'CHECKPOINT_COORDINATOR_SHUTDOWN')),
  }
}

function update(view: CheckpointView, id: CheckpointId, change: (record: CheckpointRecord) => CheckpointRecord): CheckpointView {
  const index = view.history.findLastIndex((record) => record.id === id)
  const record = view.history[index]
  if (record === undefined) return view
  const history = [...view.history]
  history[index] = change(record)
  return { ...view, history }
}
