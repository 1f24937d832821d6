/** What stands for an operator that had finished (behaviour 14). */
import { describe, expect, it } from 'vitest'
import type { OperatorContext } from '../../../workers/operators/operator.ts'
import { FinishedOperator } from '../../../workers/operators/finished-operator.ts'

describe('an operator that is restored as finished', () => {
  it('ends at once, without a record', () => {
    expect(new FinishedOperator().poll()).toBe('ended')
  })

  it('passes watermarks on', () => {
    const passed: number[] = []
    const operator = new FinishedOperator()
    operator.open({ emitWatermark: (watermark: number) => void passed.push(watermark) } as unknown as OperatorContext, 3)
    operator.processWatermark(Infinity)
    expect(passed).toEqual([Infinity])
  })

  it('is never sent a record: what comes before it has finished too', () => {
    expect(() => new FinishedOperator().processElement(0, 'x', 0)).toThrow('a finished operator was sent the record "x"')
  })

  it('has no part in a snapshot', () => {
    expect(new FinishedOperator().snapshotParts()).toEqual([])
  })
})
