/** Every type of operator, in the order of the palette. */
import { AGGREGATE, PROCESS_COUNT } from './keyed.ts'
import type { OperatorType } from './operator-type.ts'
import { PRINT_SINK, TWO_PHASE_COMMIT_SINK, UPSERT_SINK } from './sinks.ts'
import { GENERATOR_SOURCE, LOG_SOURCE } from './sources.ts'
import { FILTER, FLAT_MAP, LIST_STATE, MAP, UNION } from './stateless.ts'
import { BROADCAST_JOIN, CONNECT } from './two-inputs.ts'

export const OPERATOR_TYPES: readonly OperatorType[] = [
  LOG_SOURCE,
  GENERATOR_SOURCE,
  MAP,
  FILTER,
  FLAT_MAP,
  UNION,
  LIST_STATE,
  AGGREGATE,
  PROCESS_COUNT,
  CONNECT,
  BROADCAST_JOIN,
  PRINT_SINK,
  UPSERT_SINK,
  TWO_PHASE_COMMIT_SINK,
]

export const findOperatorType = (type: string): OperatorType | undefined => OPERATOR_TYPES.find((candidate) => candidate.type === type)
