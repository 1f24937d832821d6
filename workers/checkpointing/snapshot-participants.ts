/** What takes part in a task's snapshot: the operators of its chain, head first, each with its state. */
import type { OperatorId } from '../model/ids.ts'
import type { Operator } from '../operators/operator.ts'
import type { KeyedStateBackend, OperatorStateBackend } from '../state/backend.ts'

export interface SnapshotParticipant {
  readonly operatorId: OperatorId
  readonly operator: Operator
  readonly maxParallelism: number
  readonly keyed: KeyedStateBackend | null
  readonly operatorState: OperatorStateBackend
}
