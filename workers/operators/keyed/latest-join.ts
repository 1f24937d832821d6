/**
 * Two keyed inputs: the latest record of input 2 is kept for each key, and its fields are added to the records of input 1. Flink:
 * KeyedCoProcessOperator. State: `latest`, the record of input 2 as it came.
 */
import { must } from '../../base/assert.ts'
import { joinedFields } from '../../model/catalogue/two-inputs.ts'
import type { OperatorDescription } from '../../model/job-graph.ts'
import { fieldIndex, type FieldType, type Scalar, type Schema, type Value } from '../../model/schema.ts'
import type { ValueState } from '../../state/backend.ts'
import { ProcessingBase } from '../operator-base.ts'
import type { OperatorContext, ProcessingOperator } from '../operator.ts'
import { keyedBackend } from './keyed-row.ts'

const LATEST_STATE = 'latest'

const DEFAULTS: Readonly<Record<FieldType, Scalar>> = { String: '', Int: 0, Long: 0, Double: 0, Boolean: false }

export class LatestJoinOperator extends ProcessingBase implements ProcessingOperator {
  private readonly kept: Schema
  private readonly addedColumns: readonly number[]
  private readonly defaults: readonly Scalar[] | null
  private state: ValueState | null = null

  constructor(description: OperatorDescription) {
    super()
    this.kept = must<Schema>(description.inputs[1], 'second input of a connect')
    const added = joinedFields(this.kept.fields, description.keyFields[1] ?? [])
    this.addedColumns = added.map((field) => fieldIndex(this.kept, field.name))
    this.defaults = description.params['unmatched'] === 'defaults' ? added.map((field) => DEFAULTS[field.type]) : null
  }

  override open(context: OperatorContext, restoredCheckpoint: number | null): void {
    super.open(context, restoredCheckpoint)
    this.state = keyedBackend(context).valueState({ name: LATEST_STATE, schema: this.kept })
  }

  processElement(input: number, value: Value, timestamp: number): void {
    const context = this.ctx
    const state = this.state as ValueState
    if (input === 1) {
      state.update(value)
      context.stateChanged(LATEST_STATE, value)
      return
    }
    const latest = state.value()
    const added = latest === null ? this.defaults : this.addedColumns.map((column) => fields(latest)[column] as Scalar)
    if (added !== null) context.emit([...fields(value), ...added], timestamp)
  }
}

const fields = (value: Value): readonly Scalar[] => (typeof value === 'object' ? value : [value])
