/**
 * Two inputs, of which the second is broadcast: its latest record for each value of a field is kept in broadcast state by every subtask, and its fields
 * are added to the records of input 1. Flink: CoBroadcastWithNonKeyedOperator with a BroadcastProcessFunction. State: `rules`, the fields that are
 * added and how often the record has come, so that one that was applied twice after a restore shows (behaviour 6.6).
 */
import { must } from '../base/assert.ts'
import { broadcastFields } from '../model/catalogue/two-inputs.ts'
import type { SnapshotPart } from '../model/events.ts'
import type { OperatorDescription } from '../model/job-graph.ts'
import { bare, fieldIndex } from '../model/schema.ts'
import type { Field, FieldType, Scalar, Schema, Value } from '../model/schema.ts'
import type { BroadcastState } from '../state/backend.ts'
import { ProcessingBase } from './operator-base.ts'
import type { OperatorContext, ProcessingOperator } from './operator.ts'

export const RULES_STATE = 'rules'

const DEFAULTS: Readonly<Record<FieldType, Scalar>> = { String: '', Int: 0, Long: 0, Double: 0, Boolean: false }

export class BroadcastJoinOperator extends ProcessingBase implements ProcessingOperator {
  private readonly keyType: FieldType
  private readonly keyColumns: readonly [main: number, rules: number]
  private readonly added: readonly Field[]
  /** Of the rules; the last of the added fields is counted here. */
  private readonly addedColumns: readonly number[]
  private readonly defaults: readonly Scalar[] | null
  private state: BroadcastState | null = null

  constructor({ inputs, params }: OperatorDescription) {
    super()
    const on = String(params['on'])
    const main = must<Schema>(inputs[0], 'first input of a broadcast join')
    const rules = must<Schema>(inputs[1], 'second input of a broadcast join')
    this.keyColumns = [fieldIndex(main, on), fieldIndex(rules, on)]
    this.keyType = must<Field>(rules.fields[this.keyColumns[1]], `field ${on}`).type
    this.added = broadcastFields(rules.fields, on)
    this.addedColumns = this.added.slice(0, -1).map(({ name }) => fieldIndex(rules, name))
    this.defaults = params['unmatched'] === 'defaults' ? this.added.map(({ type }) => DEFAULTS[type]) : null
  }

  override open(context: OperatorContext, restoredCheckpoint: number | null): void {
    super.open(context, restoredCheckpoint)
    this.state = context.operatorState.broadcastState({ name: RULES_STATE, key: bare(this.keyType), value: { kind: 'row', fields: this.added } })
  }

  processElement(input: number, value: Value, timestamp: number): void {
    const state = must(this.state, 'rules')
    const row = fieldsOf(value)
    const key = row[this.keyColumns[input === 1 ? 1 : 0]] as Scalar
    const known = state.get(key) as readonly Scalar[] | null
    if (input === 1) {
      const times = known === null ? 1 : Number(known.at(-1)) + 1
      state.put(key, [...this.addedColumns.map((column) => row[column] as Scalar), times])
      return
    }
    const added = known ?? this.defaults
    if (added !== null) this.ctx.emit([...row, ...added], timestamp)
  }

  override snapshotParts(): readonly SnapshotPart[] {
    return [{ operator: this.ctx.description.operatorId, kind: 'operator', entries: must(this.state, 'rules').entries().length }]
  }
}

const fieldsOf = (value: Value): readonly Scalar[] => (typeof value === 'object' ? value : [value])
