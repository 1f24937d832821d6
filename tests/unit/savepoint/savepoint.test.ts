import { describe, expect, test } from 'vitest'
import { readSavepoint, salvageSavepoint } from '../../../workers/savepoint/savepoint-reader.ts'
import { writeSavepoint } from '../../../workers/savepoint/savepoint-writer.ts'
import { FormatError } from '../../../workers/state/serializers/format-error.ts'
import { everyHandle } from './every-handle.ts'

const VERSIONS = [2, 3, 4, 5, 6, 7]

describe('_metadata of every version with every kind of handle', () => {
  test.each(VERSIONS)('version %d: what was written is read', (version) => {
    expect(readSavepoint(writeSavepoint(everyHandle(version)))).toEqual(everyHandle(version))
  })

  test.each(VERSIONS)('version %d: cut anywhere it is refused with a place; a byte more is refused', (version) => {
    const whole = writeSavepoint(everyHandle(version))
    for (let length = 0; length < whole.length; length++) expect(() => readSavepoint(whole.subarray(0, length))).toThrow(FormatError)
    expect(() => readSavepoint(Uint8Array.of(...whole, 0))).toThrow(/expected the end of _metadata/)
  })

  test.each(VERSIONS)('version %d: cut anywhere, what stands before the cut can be looked at, and why there is no more is told', (version) => {
    const whole = everyHandle(version)
    const bytes = writeSavepoint(whole)
    let shown = 0
    for (let length = 16; length < bytes.length; length++) {
      const { savepoint, damage } = salvageSavepoint(bytes.subarray(0, length))
      expect(damage).toMatch(/offset|end/)
      expect(savepoint).toMatchObject({ version, checkpointId: whole.checkpointId })
      const subtasks = savepoint.operators.reduce((sum, operator) => sum + operator.subtasks.length, 0)
      expect(subtasks).toBeGreaterThanOrEqual(shown)
      shown = subtasks
      for (const [n, operator] of savepoint.operators.entries()) {
        expect(operator.operatorId).toBe(whole.operators[n]!.operatorId)
        for (const subtask of operator.subtasks) expect(whole.operators[n]!.subtasks).toContainEqual(subtask)
      }
    }
    expect(shown).toBe(whole.operators.reduce((sum, operator) => sum + operator.subtasks.length, 0))
    expect(salvageSavepoint(bytes)).toEqual({ savepoint: whole, damage: null })
  })

  test('version 2 has neither coordinator nor channels: the subtask has two unused fields', () => {
    const empty = { ...everyHandle(2), masterStates: [] }
    const [operator] = empty.operators
    const bytes = writeSavepoint({ ...empty, operators: [{ ...operator!, subtasks: [{ ...operator!.subtasks[0]!, managedKeyed: null, rawKeyed: null }] }] })
    expect(Buffer.from(bytes.subarray(24)).toString('hex')).toBe(
      '8409efe6adc6d20787611f16017c808f' + '0000000c' + '00000080' + '00000001' + '00000001' + '00000000' + 'ffffffffffffffff' + '00000000' + '00000000' + '00000000' + '00' + '00',
    )
  })

  test('merged channel state cannot be written before version 6', () => {
    expect(() => writeSavepoint({ ...everyHandle(7), version: 5 })).toThrow(/version 5 has no merged channel state/)
  })

  test('a Long beyond 2^53 is a damaged file, not a value', () => {
    const bytes = writeSavepoint(everyHandle(6))
    bytes.fill(0x7f, 8, 16)
    expect(() => readSavepoint(bytes)).toThrow(/_metadata is damaged/)
  })

  test('changelog handles nested without end are refused', () => {
    let handle = everyHandle(6).operators[0]!.subtasks[8]!.managedKeyed
    for (let n = 0; n < 5; n++) handle = { ...(handle as Extract<typeof handle, { kind: 'changelog' }>), materialized: [handle] }
    const one = everyHandle(6)
    const operator = { ...one.operators[0]!, subtasks: [{ ...one.operators[0]!.subtasks[0]!, managedKeyed: handle }] }
    expect(() => readSavepoint(writeSavepoint({ ...one, operators: [operator] }))).toThrow(/nested too deeply/)
  })
})
