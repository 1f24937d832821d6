/**
 * Count, sum, least, largest, mean for each key; the updated row leaves after each record. Flink: StreamGroupedReduceOperator, an
 * aggregate without a window. State: one value `aggregate` for each key, bare for one figure, else a tuple.
 */
import { must } from '../../base/assert.ts'
import { aggregateLayout, type AggregateLayout } from '../../model/catalogue/aggregate-layout.ts'
import type { AggregateSpec } from '../../model/catalogue/operator-type.ts'
import type { OperatorDescription } from '../../model/job-graph.ts'
import type { Scalar, Schema, Value } from '../../model/schema.ts'
import { RunColumns } from '../../model/run-columns.ts'
import type { KeyedStateBackend, ValueCell, ValueState } from '../../state/backend.ts'
import { ProcessingBase } from '../operator-base.ts'
import type { OperatorContext, ProcessingOperator } from '../operator.ts'
import type { RecordRun } from '../record-run.ts'
import { failUnsafeLong, keyedBackend, keyedRow } from './keyed-row.ts'

const AGGREGATE_STATE = 'aggregate'
const COLUMNS = new RunColumns()
const CELLS: ValueCell[] = []

export class KeyedAggregateOperator extends ProcessingBase implements ProcessingOperator {
  private readonly layout: AggregateLayout
  private readonly bareInput: boolean
  /** Both are set by `open`; fields rather than calls, because they are needed for every record. */
  private keyed: KeyedStateBackend | null = null
  /** One field as key, one figure as output, kept as it is: the row is a literal, the cheapest way to make one. */
  private isPlain = false
  /** Used again for every record, where that is allowed. */
  private readonly row: [Scalar, number] = ['', 0]
  private state: ValueState | null = null

  constructor(description: OperatorDescription) {
    super()
    const input = must<Schema>(description.inputs[0], 'input schema of an aggregate')
    this.bareInput = input.kind === 'bare'
    this.layout = aggregateLayout(input, description.params['aggregates'] as readonly AggregateSpec[])
  }

  override open(context: OperatorContext, restoredCheckpoint: number | null): void {
    super.open(context, restoredCheckpoint)
    this.keyed = keyedBackend(context)
    const isScalarKey = context.description.keyFields[0]?.length === 1
    this.isPlain = isScalarKey && this.layout.slots.length === 1 && this.layout.outputs.length === 1
    this.state = this.keyed.valueState({ name: AGGREGATE_STATE, schema: this.layout.state })
  }

  processElement(_input: number, value: Value, timestamp: number): void {
    const state = this.state as ValueState
    const before = state.value()
    if (this.layout.slots.length === 1) {
      const next = this.advance(0, before as number | null, value)
      if (next === null) return
      state.update(next)
      this.emitRow(next, null, timestamp)
      return
    }
    const slots = this.layout.slots
    const next = new Array<number>(slots.length)
    for (let i = 0; i < slots.length; i++) {
      const figure = this.advance(i, before === null ? null : ((before as readonly number[])[i] as number), value)
      if (figure === null) return
      next[i] = figure
    }
    state.update(next)
    this.emitRow(0, next, timestamp)
  }

  /** One figure for one key of text, the short way. What needs more goes the general way: a new key, a Long that is too large. */
  processRun(_input: number, run: RecordRun): void {
    const { isPlain, layout, state } = this
    const output = this.ctx.numbered
    if (!isPlain || output === null || state === null || state.findCells === undefined) return
    const slot = layout.slots[0] as AggregateLayout['slots'][number]
    while (run.index < run.end) {
      const known = run.readNumbers(COLUMNS)
      const found = state.findCells(COLUMNS.numbers, known, CELLS)
      const placed = output.place(COLUMNS, found)
      if (placed === 0) return
      if (slot.fn !== 'count') run.readFigures(slot.field, placed, COLUMNS)
      const done = advanceCells(state, slot, placed)
      output.write(COLUMNS, done)
      run.index += done
      if (done < placed) return
    }
  }

  /** The figure of slot `index` after this record; null when the task has failed. */
  private advance(index: number, before: number | null, value: Value): number | null {
    const slot = this.layout.slots[index] as AggregateLayout['slots'][number]
    if (slot.fn === 'count') return (before ?? 0) + 1
    const operand = (this.bareInput ? value : (value as readonly Scalar[])[slot.field]) as number
    if (before === null) return operand
    const sum = combine(slot.fn, before, operand)
    if (slot.type === 'Long' && !Number.isSafeInteger(sum)) {
      failUnsafeLong(this.ctx, AGGREGATE_STATE, sum)
      return null
    }
    return sum
  }

  /** `several` null: `single` is the only slot. */
  private emitRow(single: number, several: readonly number[] | null, timestamp: number): void {
    const context = this.ctx
    if (this.isPlain) {
      const key = (this.keyed as KeyedStateBackend).currentKey as Scalar
      context.stateChanged(AGGREGATE_STATE, single)
      if (context.rowsAreCopied) {
        const { row } = this
        row[0] = key
        row[1] = single
        context.emit(row, timestamp)
      } else context.emit([key, single], timestamp)
      return
    }
    const outputs = this.layout.outputs
    const { row, at } = keyedRow((this.keyed as KeyedStateBackend).currentKey as Value, outputs.length)
    for (let i = 0; i < outputs.length; i++) {
      const output = outputs[i] as AggregateLayout['outputs'][number]
      const figure = several === null ? single : (several[output.slot] as number)
      row[at + i] = output.count === null || several === null ? figure : figure / (several[output.count] as number)
    }
    context.stateChanged(AGGREGATE_STATE, several ?? single)
    context.emit(row, timestamp)
  }
}

/** Each cell with its figure, which its new value replaces; how many, before the first Long that is too large. */
function advanceCells(state: ValueState, { fn, type }: AggregateLayout['slots'][number], count: number): number {
  const { figures } = COLUMNS
  const isLong = type === 'Long'
  for (let i = 0; i < count; i++) {
    const cell = CELLS[i] as ValueCell
    const next = combine(fn, cell.value as number, fn === 'count' ? 1 : (figures[i] as number))
    if (isLong && !Number.isSafeInteger(next)) return i
    state.updateCell?.(cell, next)
    figures[i] = next
  }
  return count
}

function combine(fn: AggregateLayout['slots'][number]['fn'], before: number, operand: number): number {
  switch (fn) {
    case 'count':
    case 'sum':
      return before + operand
    case 'min':
      return operand < before ? operand : before
    case 'max':
      return operand > before ? operand : before
  }
}
