/**
 * What would happen if a job were started from a snapshot, told before anything starts: plain data for the page. It is made by the very code
 * that restores (behaviour 11, 12), so it is the engine's own verdict.
 */
import type { KeyGroupRange } from './state-handles.ts'

export interface RestoreVerdict {
  /** The job would reach RUNNING with the state below. */
  readonly accepted: boolean
  /** Flink's words for why not; null when accepted. */
  readonly refusal: string | null
  /** `start`: the JobManager refuses, no task is deployed. `task`: the tasks fail while they restore or open. */
  readonly refusedAt: 'start' | 'task' | null
  readonly operators: readonly OperatorVerdict[]
  /** What else is worth knowing: the first checkpoint is a full one, absolute paths, in-flight data, transactions that get committed. */
  readonly notes: readonly string[]
}

export type OperatorOutcome =
  | 'restored'
  /** In the snapshot only, with state: refused, or left behind with `allowNonRestoredState`. */
  | 'dropped'
  /** In the snapshot only, without any state. */
  | 'ignored'
  /** In the job only: starts empty. */
  | 'empty'
  /** In both, and it cannot be restored. */
  | 'refused'

export interface OperatorVerdict {
  readonly operatorId: string
  readonly outcome: OperatorOutcome
  readonly old: OperatorSide | null
  readonly new: OperatorSide | null
  /** In words: `re-cut from 2 to 3 subtasks`, `no such uid`, Flink's message where it is refused. */
  readonly reason: string
  readonly states: readonly StateVerdict[]
  /** By old and new subtask; null for operators without keyed state. */
  readonly keyGroups: { readonly old: readonly KeyGroupRange[]; readonly new: readonly KeyGroupRange[] } | null
}

export interface OperatorSide {
  readonly uid: string
  readonly name: string
  /** Empty in a snapshot, which does not say. */
  readonly type: string
  readonly parallelism: number
  /** In force after the restore on the new side (behaviour 11.2). */
  readonly maxParallelism: number
  /** Bytes of state; 0 on the new side. */
  readonly size: number
}

export interface StateVerdict {
  readonly name: string
  readonly kind: 'keyed' | 'timers' | 'list' | 'union' | 'broadcast'
  /**
   * `carried`: the job has no such state, yet it is restored and goes into every later snapshot. `new`: starts empty. `migrated`: written in
   * another form from now on. `lost`: keyed state of an operator that is not keyed any more. `unknown`: the types could not be read, the tasks will tell.
   */
  readonly outcome: 'as is' | 'migrated' | 'incompatible' | 'carried' | 'lost' | 'new' | 'unknown'
  readonly oldType: string
  readonly newType: string
  readonly reason: string
}
