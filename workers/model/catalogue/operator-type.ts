/**
 * What page, compiler and engine know about a type of operator: plain data, and one pure function that infers the output's schema.
 */
import type { Result } from '../../base/result.ts'
import type { TopicDescription } from '../job-graph.ts'
import type { Schema } from '../schema.ts'

export interface OperatorType {
  /** The `type` of the job document. */
  readonly type: string
  readonly title: string
  readonly group: OperatorGroup
  /** One sentence: what it does. */
  readonly summary: string
  /** Number of inputs. Every input takes any number of edges with equal schemas, as a union does in Flink. */
  readonly inputs: 0 | 1 | 2
  /** The inputs are keyed: their edges must be shipped by hash. */
  readonly keyed: boolean
  /** The input, from 0, whose records every subtask must see: its edges must be broadcast. Absent: none. */
  readonly broadcastInput?: number
  /** What it keeps in a checkpoint, in words; null = no state. */
  readonly state: string | null
  /** It has a half in the JobManager (a source's enumerator). */
  readonly hasCoordinator: boolean
  readonly isSink: boolean
  readonly parameters: readonly Parameter[]
  /** The schema of the output, null at a sink. Called with parameters that have passed `checkParameters`. */
  infer(request: InferRequest): Result<Schema | null, ParameterMistake>
}

export type OperatorGroup = 'Sources' | 'Stateless' | 'Keyed' | 'Two inputs' | 'Sinks'

export interface InferRequest {
  readonly inputs: readonly Schema[]
  /** By input: the key fields, where the input is keyed. */
  readonly keyFields: readonly (readonly string[] | null)[]
  readonly params: Readonly<Record<string, unknown>>
  readonly topics: readonly TopicDescription[]
}

/** `parameter` null: the mistake is about the operator's input. */
export interface ParameterMistake {
  readonly parameter: string | null
  readonly message: string
  readonly cure: string
}

export type Parameter = { readonly name: string; readonly title: string; readonly help: string; readonly required?: boolean; readonly when?: ParameterCondition } & ParameterKind

/** The parameter means something only while another one has one of these values. */
export interface ParameterCondition {
  readonly parameter: string
  readonly oneOf: readonly string[]
}

export type ParameterKind =
  | { readonly kind: 'topic' }
  /** A field of input 1. */
  | { readonly kind: 'field'; readonly default?: string }
  | { readonly kind: 'fields' }
  | { readonly kind: 'integer' | 'number'; readonly min: number; readonly max: number; readonly default?: number; readonly nullable?: boolean }
  /** Records per second of engine time; null or 0 = as fast as possible. */
  | { readonly kind: 'rate'; readonly default: null }
  | { readonly kind: 'choice'; readonly choices: readonly { readonly value: string; readonly title: string }[]; readonly default: string }
  | { readonly kind: 'boolean'; readonly default: boolean }
  | { readonly kind: 'text'; readonly default?: string }
  | { readonly kind: 'duration'; readonly default: string }
  /** A constant to compare with: text, number or true/false. */
  | { readonly kind: 'scalar' }
  /** A list of `AggregateSpec`. */
  | { readonly kind: 'aggregates' }

export const AGGREGATE_FUNCTIONS = ['count', 'sum', 'min', 'max', 'mean'] as const
export type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number]

/** One output of an aggregate: `{ fn: 'sum', field: 'delay', as: 'total' }`. Count takes no field. */
export interface AggregateSpec {
  readonly fn: AggregateFunction
  readonly field?: string
  readonly as: string
}
