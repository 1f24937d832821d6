/** The one door to user code (DESIGN 8, 20). Built-in functions come through it now; functions typed by users will too. */
import type { Result } from '../base/result.ts'
import type { Schema, Value } from '../model/schema.ts'

export interface FunctionSource {
  /** Name of a built-in function. */
  readonly builtin: string
  readonly params: Readonly<Record<string, unknown>>
}

/** A stateless function over records: map (one result), filter (boolean), flat map (any number). */
export interface CompiledFunction {
  readonly output: Schema
  call(value: Value, emit: (value: Value) => void): void
}

export type Compile = (source: FunctionSource, input: Schema) => Result<CompiledFunction, string>
