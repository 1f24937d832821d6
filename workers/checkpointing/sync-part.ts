/** The synchronous part of a snapshot that is in hand, and what is captured in it. Flink: SubtaskCheckpointCoordinatorImpl.takeSnapshotSync. */
import type { TaskSettings } from '../model/deployment.ts'
import type { SnapshotPart } from '../model/events.ts'
import type { CheckpointId } from '../model/ids.ts'
import type { EngineTime } from '../model/time.ts'
import type { CheckpointBarrier } from '../model/wire.ts'
import type { OperatorSnapshot } from './async-checkpoint.ts'
import type { AlignmentMetrics } from './barrier-handler.ts'
import type { ChannelState } from './channel-state.ts'
import type { SnapshotParticipant } from './snapshot-participants.ts'

/** What led to it. */
export interface SyncPartStart {
  readonly alignment: AlignmentMetrics
  readonly processedBytes: number
  /** It belongs to a trigger of the JobManager, who is told if it fails; else a barrier has come in. */
  readonly isTriggered: boolean
}

export interface SyncPart extends SyncPartStart {
  readonly barrier: CheckpointBarrier
  phase: 'pre-barrier' | 'capture' | 'cost'
  /** Operator that is next in this phase, and whether it has been called and is being waited for. */
  index: number
  isCalled: boolean
  startedAt: EngineTime
  endsAt: EngineTime
  readonly captured: OperatorSnapshot[]
  readonly channelState: ChannelState | null
  readonly parts: SnapshotPart[]
}

export const beginSyncPart = (barrier: CheckpointBarrier, start: SyncPartStart, channelState: ChannelState | null): SyncPart => ({
  ...start, barrier, phase: 'pre-barrier', index: 0, isCalled: false, startedAt: 0, endsAt: 0, captured: [], channelState, parts: [],
})

/** What the synchronous part of that checkpoint costs. */
export function syncCostOf({ syncCostMicros, syncCosts = [] }: TaskSettings, checkpointId: CheckpointId): EngineTime {
  return syncCosts.reduce((sum, costs) => sum + (costs[(checkpointId - 1) % costs.length] ?? 0), syncCostMicros)
}

export function capture(participant: SnapshotParticipant, sync: SyncPart): void {
  const { operator, operatorId, keyed, maxParallelism } = participant
  const operatorState = participant.operatorState.snapshot()
  const view = keyed === null ? null : keyed.snapshot()
  for (const part of operator.snapshotParts()) sync.parts.push(part)
  if (view !== null) sync.parts.push({ operator: operatorId, kind: 'keyed', entries: view.totalEntries })
  if (view === null && operatorState === null) return
  sync.captured.push({ operatorId, keyed: keyed === null || view === null ? null : { range: keyed.keyGroupRange, maxParallelism, view }, operatorState })
}
