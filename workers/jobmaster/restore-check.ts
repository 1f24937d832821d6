/**
 * What decides whether a job may start from a snapshot, before any task is deployed. Flink: Checkpoints.loadAndValidateCheckpoint,
 * VertexFinishedStateChecker (behaviour 11.2, 12.2, 14). The verdict that is told before a start is made of the same (restore-verdict.ts).
 */
import { err, ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { CompletedCheckpoint } from '../coordinator/completed-checkpoint.ts'
import type { SavepointRestoreSettings } from '../model/restore.ts'
import { assignState } from '../state/redistribution.ts'
import type { ExecutionGraph } from './execution-graph.ts'
import { finishedStateProblem } from './finished-state-check.ts'
import type { LoadedSnapshot } from './restore-loading.ts'
import { assignCheckpoint, stateOf } from './state-assignment.ts'
import type { RestoredState } from './state-assignment.ts'

export interface CheckedRestore {
  readonly checkpoint: CompletedCheckpoint
  /** What each subtask gets. */
  readonly state: RestoredState
}

/** The checkpoint as the job's store holds it, or Flink's words for why the job cannot start. Derived max parallelism is taken over into `graph`. */
export function checkRestore(graph: ExecutionGraph, snapshot: LoadedSnapshot, settings: Omit<SavepointRestoreSettings, 'path'>): Result<CheckedRestore, string> {
  const { metadata, location } = snapshot
  const checkpoint: CompletedCheckpoint = {
    checkpointId: metadata.checkpointId,
    location,
    operatorStates: metadata.operators,
    isSavepoint: metadata.properties?.type.kind === 'savepoint' || metadata.properties === null,
    isUnclaimed: settings.claimMode !== 'CLAIM',
    claimMode: settings.claimMode,
  }
  const assigned = assignCheckpoint(graph, checkpoint, assignState, settings.allowNonRestoredState)
  if (!assigned.ok) return assigned
  const unreadable = metadata.unsupported.find(({ operatorId }) => graph.vertices.some(({ vertex }) => vertex.chain.some((operator) => stateOf(checkpoint, operator)?.operatorId === operatorId)))
  if (unreadable !== undefined) {
    const at = unreadable.subtask === null ? '' : ` (subtask ${unreadable.subtask})`
    return err(`Operator ${unreadable.operatorId}${at} of ${location} holds ${unreadable.what}, which cannot be restored here. Take a canonical savepoint of the job instead.`)
  }
  const finished = finishedStateProblem(graph, checkpoint)
  return finished === null ? ok({ checkpoint, state: assigned.value }) : err(finished)
}
