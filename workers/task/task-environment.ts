/**
 * What a stream task is built from: the layers below it, handed in by the host, so that a test can put a double in any place.
 * Everything here must be stateless (functions are shared by copies of a machine, base/clone.ts).
 */
import type { BarrierHandlerFactory } from '../checkpointing/barrier-handler.ts'
import type { OperatorDescription } from '../model/job-graph.ts'
import type { Operator } from '../operators/operator.ts'
import type { Compile } from '../operators/user-function.ts'
import type { KeyedStateBackend, OperatorStateBackend } from '../state/backend.ts'
import type { KeyedBackendOptions } from '../state/keyed-backend-options.ts'

export interface StreamTaskEnvironment {
  /** The one door to user code (DESIGN 8, 20). */
  readonly compile: Compile
  /** Makes an operator of the catalogue; it is opened later, with its context. Throws for an unknown type. */
  createOperator(description: OperatorDescription, compile: Compile): Operator
  /** One per operator with a keyed input. */
  createKeyedBackend(options: KeyedBackendOptions): KeyedStateBackend
  /** One per operator. */
  createOperatorStateBackend(): OperatorStateBackend
  /** Absent: `createBarrierHandler` of checkpointing. Tests put a broken one here. */
  readonly createBarrierHandler?: BarrierHandlerFactory
}
