/** One subtask's part of one checkpoint, event by event. */
import type { CheckpointFailureReason } from '../model/checkpoint.ts'
import type { EventBody, EventOf } from '../model/events.ts'
import type { EngineTime } from '../model/time.ts'
import { appliedKinds, makeCells, mapCells } from './checkpoint-parts.ts'
import type { PartKind, SnapshotCell, SubtaskCheckpoint } from './checkpoint-view.ts'

export function reduceSubtask(subtask: SubtaskCheckpoint, at: EngineTime, body: EventBody): SubtaskCheckpoint {
  const next = step(subtask, at, body)
  // Task and JobManager report on different ports: what the task says after its acknowledgement was seen only adds times.
  return subtask.phase === 'acknowledged' ? { ...next, phase: subtask.phase, cells: subtask.cells } : next
}

function step(subtask: SubtaskCheckpoint, at: EngineTime, body: EventBody): SubtaskCheckpoint {
  switch (body.type) {
    case 'BarrierArrived':
      return {
        ...subtask,
        attempt: body.attempt,
        // Unaligned: later barriers come while the snapshot is under way, or after it.
        phase: isSnapshotUnderWay(subtask) ? subtask.phase : 'aligning',
        expectedBarriers: body.expected,
        barriers: [...subtask.barriers, { channel: body.channel, at }],
        startedAt: subtask.startedAt ?? at,
        cells: isSnapshotUnderWay(subtask) ? subtask.cells : { ...mapCells(subtask.cells, () => ({ kind: 'aligning' })), ...(subtask.unalignedAt === null ? {} : inFlightCell(subtask)) },
      }
    case 'UnalignedSnapshotStarted':
      return { ...subtask, attempt: body.attempt, unalignedAt: subtask.unalignedAt ?? at, cells: { ...subtask.cells, 'in-flight': { kind: 'sync' } } }
    case 'InFlightPersisted': {
      const inFlightBytes = body.inputBytes + body.outputBytes
      return { ...subtask, inFlightBytes, cells: { ...subtask.cells, 'in-flight': { kind: 'async', written: inFlightBytes, total: inFlightBytes, entries: 0 } } }
    }
    case 'AlignmentCompleted':
      return { ...subtask, attempt: body.attempt, alignedAt: at, startedAt: subtask.startedAt ?? at }
    case 'BarrierEmitted':
      return { ...subtask, attempt: body.attempt, startedAt: subtask.startedAt ?? at, emittedAt: subtask.emittedAt ?? at, alignedAt: subtask.alignedAt ?? (subtask.unalignedAt === null ? at : null) }
    case 'SyncSnapshotStarted':
      return {
        ...subtask,
        attempt: body.attempt,
        phase: 'sync',
        startedAt: subtask.startedAt ?? at,
        alignedAt: subtask.alignedAt ?? (subtask.unalignedAt === null ? at : null),
        syncStartedAt: at,
        cells: { ...mapCells(subtask.cells, () => ({ kind: 'sync' })), ...inFlightCell(subtask) },
      }
    case 'SyncSnapshotEnded':
      return { ...subtask, phase: 'async', syncEndedAt: at, cells: { ...cellsAfterSync(body), ...inFlightCell(subtask) } }
    case 'AsyncSnapshotProgressed':
      return { ...subtask, cells: mapCells(subtask.cells, (cell, kind) => (kind === 'in-flight' ? cell : progressed(cell, body))) }
    case 'AsyncSnapshotEnded':
      return { ...subtask, asyncEndedAt: at, cells: mapCells(subtask.cells, (cell, kind) => (kind === 'in-flight' ? cell : progressed(cell, { written: 1, total: 1 }))) }
    case 'CheckpointAcknowledged':
      return acknowledge(subtask, at, body)
    case 'CheckpointDeclined':
      return {
        ...subtask,
        phase: 'declined',
        message: body.message,
        cells: mapCells(subtask.cells, () => ({ kind: 'declined', reason: body.reason })),
      }
    case 'CheckpointAbortedAtTask':
      return abortSubtask(subtask, body.reason)
    case 'CheckpointCompleteNotified':
      return { ...subtask, notifiedAt: at }
    default:
      return subtask
  }
}

const isSnapshotUnderWay = ({ phase }: SubtaskCheckpoint): boolean => phase === 'sync' || phase === 'async' || phase === 'declined' || phase === 'aborted'

/** What was acknowledged stays; what was under way is torn. */
export function abortSubtask(subtask: SubtaskCheckpoint, reason: CheckpointFailureReason): SubtaskCheckpoint {
  if (subtask.phase === 'acknowledged' || subtask.phase === 'declined' || subtask.phase === 'aborted') return subtask
  return { ...subtask, phase: 'aborted', cells: mapCells(subtask.cells, () => ({ kind: 'declined', reason })) }
}

function cellsAfterSync(body: EventOf<'SyncSnapshotEnded'>): SubtaskCheckpoint['cells'] {
  const entries = new Map<PartKind, number>()
  for (const part of body.parts) entries.set(part.kind, (entries.get(part.kind) ?? 0) + part.entries)
  const cells = makeCells([...entries.keys()], { kind: 'sync' })
  return mapCells(cells, (_, kind) => ({ kind: 'async', written: 0, total: 0, entries: entries.get(kind) ?? 0 }))
}

function progressed(cell: SnapshotCell, progress: { readonly written: number; readonly total: number }): SnapshotCell {
  return cell.kind === 'async' ? { ...cell, written: progress.written, total: progress.total } : cell
}

/** In-flight data is collected beside the other parts, from the first barrier to the last: their steps do not move it. */
const inFlightCell = ({ cells }: SubtaskCheckpoint): Partial<SubtaskCheckpoint['cells']> =>
  cells['in-flight'].kind === 'none' ? {} : { 'in-flight': cells['in-flight'] }

function acknowledge(subtask: SubtaskCheckpoint, at: EngineTime, body: EventOf<'CheckpointAcknowledged'>): SubtaskCheckpoint {
  const { checkpointedBytes, persistedBytes } = body.metrics
  const sole = appliedKinds(subtask.cells).filter((kind) => kind !== 'in-flight').length === 1
  // A barrier that was allowed to overtake did not need to: no in-flight data belongs to this snapshot.
  const isUnaligned = subtask.unalignedAt !== null || persistedBytes > 0
  const cells = mapCells(subtask.cells, (cell) => ({
    kind: 'acknowledged',
    bytes: sole ? Math.max(0, checkpointedBytes - persistedBytes) : null,
    entries: cell.kind === 'async' ? cell.entries : 0,
  }))
  return {
    ...subtask,
    phase: 'acknowledged',
    acknowledgedAt: at,
    inFlightBytes: persistedBytes,
    metrics: body.metrics,
    cells: { ...cells, 'in-flight': isUnaligned ? { kind: 'acknowledged', bytes: persistedBytes, entries: 0 } : { kind: 'none' } },
  }
}
