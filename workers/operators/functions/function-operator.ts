/**
 * Map, filter and flat map: a stateless function over each record. Flink: StreamMap, StreamFilter, StreamFlatMap. What a function throws
 * fails the task; a Long beyond 2^53 fails the job without a restart (DESIGN 8, 19).
 */
import { must } from '../../base/assert.ts'
import type { Schema, Value } from '../../model/schema.ts'
import { UnsafeLongError } from '../../state/serializers/unsafe-long.ts'
import { ProcessingBase } from '../operator-base.ts'
import type { OperatorContext, ProcessingOperator } from '../operator.ts'
import type { Compile, CompiledFunction, FunctionSource } from '../user-function.ts'

export class FunctionOperator extends ProcessingBase implements ProcessingOperator {
  private readonly source: FunctionSource
  private readonly input: Schema
  private readonly compile: Compile
  private compiled: CompiledFunction | null = null

  constructor(source: FunctionSource, input: Schema, compile: Compile) {
    super()
    this.source = source
    this.input = input
    this.compile = compile
  }

  override open(context: OperatorContext, restoredCheckpoint: number | null): void {
    super.open(context, restoredCheckpoint)
    const compiled = this.compile(this.source, this.input)
    if (compiled.ok) this.compiled = compiled.value
    else context.fail(`${context.description.name}: ${compiled.error}`, { nonRecoverable: true })
  }

  processElement(_input: number, value: Value, timestamp: number): void {
    const context = this.ctx
    try {
      must(this.compiled, 'compiled function').call(value, (result) => context.emit(result, timestamp))
    } catch (error) {
      const message = `${context.description.name}: ${error instanceof Error ? error.message : String(error)}`
      context.fail(message, { detail: `record: ${JSON.stringify(value)}`, nonRecoverable: error instanceof UnsafeLongError })
    }
  }
}
