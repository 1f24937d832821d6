import { describe, expect, test } from 'vitest'
import { operatorId } from '../../../workers/model/ids.ts'
import type { OperatorState } from '../../../workers/model/state-handles.ts'
import { checkpointProperties, readCheckpointProperties, writeCheckpointProperties } from '../../../workers/savepoint/checkpoint-properties.ts'
import type { CheckpointProperties } from '../../../workers/savepoint/checkpoint-properties.ts'
import { readMetadata } from '../../../workers/savepoint/metadata-reader.ts'
import { writeMetadata } from '../../../workers/savepoint/metadata-writer.ts'
import { DataInput } from '../../../workers/state/serializers/data-input.ts'
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'
import { FormatError } from '../../../workers/state/serializers/format-error.ts'

const OPERATORS: readonly OperatorState[] = [
  {
    name: 'source',
    uid: 'hello',
    operatorId: operatorId('029bbd41b3a7d8cb191dae486a901e5b'),
    parallelism: 3,
    maxParallelism: 128,
    coordinatorState: Uint8Array.of(1, 2, 3),
    subtasks: [
      { index: 2, state: { managedKeyed: null, managedOperator: null } },
      {
        index: 0,
        state: {
          managedOperator: {
            states: [
              { name: 'a', mode: 'SPLIT_DISTRIBUTE', offsets: [10, 20] },
              { name: 'b', mode: 'UNION', offsets: [] },
              { name: 'c', mode: 'BROADCAST', offsets: [30] },
            ],
            stream: { kind: 'bytes', name: 'inline', bytes: Uint8Array.of(9) },
          },
          managedKeyed: { kind: 'key-groups', range: { start: 0, end: 2 }, offsets: [5, 6, 7], stream: { kind: 'file', path: '/x/y', size: 12 }, id: 'id-0' },
        },
      },
      {
        index: 1,
        state: {
          managedOperator: null,
          managedKeyed: { kind: 'key-groups', range: { start: 3, end: 3 }, offsets: [8], stream: { kind: 'relative', name: 'z', size: 2 ** 40 }, id: 'id-1' },
        },
      },
    ],
  },
  { name: 'map', uid: '', operatorId: operatorId('8409efe6adc6d20787611f16017c808f'), parallelism: 1, maxParallelism: 128, coordinatorState: null, subtasks: [] },
]
const PROPERTIES = checkpointProperties('RETAIN_ON_CANCELLATION', 'CHECKPOINT')
const bytes = (): Uint8Array => writeMetadata({ checkpointId: 12, operators: OPERATORS, properties: PROPERTIES })

describe('_metadata', () => {
  test('what was written is read, subtasks by index', () => {
    const read = readMetadata(bytes())
    const operators = OPERATORS.map((operator) => ({ ...operator, subtasks: [...operator.subtasks].sort((a, b) => a.index - b.index) }))
    expect(read).toEqual({ version: 6, checkpointId: 12, masterStates: [], operators, properties: PROPERTIES, unsupported: [] })
  })

  test('begins with the magic number and version 6', () => {
    expect(Buffer.from(bytes().subarray(0, 16)).toString('hex')).toBe('4960672d00000006000000000000000c')
  })

  test('null properties are accepted when reading', () => {
    const nothing = writeMetadata({ checkpointId: 1, operators: [], properties: null })
    expect(Buffer.from(nothing.subarray(-5)).toString('hex')).toBe('aced000570')
    expect(readMetadata(nothing).properties).toBeNull()
  })

  test('a wrong magic number is named', () => {
    const wrong = bytes()
    wrong[0] = 0
    expect(() => readMetadata(wrong)).toThrow(/Unexpected magic number 0x60672d/)
  })

  test('version 1 is refused in the words of Flink', () => {
    const other = bytes()
    other[7] = 1
    expect(() => readMetadata(other)).toThrow('This savepoint / checkpoint version (Flink 1.1 / 1.2) is no longer supported.')
  })

  test.each([0, 8, 99])('version %d is refused by its number', (version) => {
    const other = bytes()
    other[7] = version
    expect(() => readMetadata(other)).toThrow(new RegExp(`version ${version} cannot be read`))
  })

  test('cut anywhere, it is refused with the place; a byte more is refused too', () => {
    const whole = bytes()
    for (let length = 0; length < whole.length; length++) expect(() => readMetadata(whole.subarray(0, length))).toThrow(FormatError)
    expect(() => readMetadata(Uint8Array.of(...whole, 0))).toThrow(/expected the end of _metadata, found 1 more/)
  })
})

describe('versions 3 and 5, as older Flink wrote them', () => {
  function older(version: number, write: (out: DataOutput) => void): Uint8Array {
    const out = new DataOutput()
    out.writeInt(0x4960672d)
    out.writeInt(version)
    out.writeLong(3)
    out.writeInt(0)
    write(out)
    return out.toBytes()
  }

  test('version 3: no names, no properties; a finished subtask and a canonical keyed handle are restorable', () => {
    const file = older(3, (out) => {
      out.writeInt(1)
      out.writeBytes(new Uint8Array(16).fill(0xab))
      out.writeInt(2)
      out.writeInt(128)
      out.writeByte(0)
      out.writeInt(2)
      out.writeInt(-1)
      out.writeInt(1)
      out.writeInt(0)
      out.writeInt(0)
      out.writeByte(7)
      out.writeInt(0)
      out.writeInt(1)
      out.writeLong(99)
      out.writeByte(1)
      out.writeUTF('n')
      out.writeBlob(Uint8Array.of(1))
      out.writeByte(0)
      out.writeInt(0)
      out.writeInt(0)
    })
    const { operators, properties, unsupported } = readMetadata(file)
    expect(operators).toMatchObject([{ uid: '', name: '', operatorId: 'ab'.repeat(16), parallelism: 2, subtasks: [{ index: 1 }] }])
    expect(properties).toBeNull()
    expect(unsupported).toEqual([])
    expect(operators).toMatchObject([
      { finishedSubtasks: [0], subtasks: [{ index: 1, state: { managedKeyed: { kind: 'savepoint-key-groups', range: { start: 0, end: 0 }, offsets: [99] } } }] },
    ])
  })

  test('version 5: a fully finished operator is told; master states are kept', () => {
    const out = new DataOutput()
    out.writeInt(0x4960672d)
    out.writeInt(5)
    out.writeLong(3)
    out.writeInt(1)
    out.writeInt(0xc96b1696 | 0)
    out.writeInt(4 + 6 + 4 + 2)
    out.writeInt(1)
    out.writeUTF('hook')
    out.writeBlob(Uint8Array.of(7, 8))
    out.writeInt(1)
    out.writeUTF('name')
    out.writeUTF('uid')
    out.writeBytes(new Uint8Array(16))
    out.writeInt(1)
    out.writeInt(128)
    out.writeByte(0)
    out.writeInt(-1)
    writeCheckpointProperties(out, null)
    const read = readMetadata(out.toBytes())
    expect(read.masterStates).toEqual([{ name: 'hook', version: 1, bytes: Uint8Array.of(7, 8) }])
    expect(read.unsupported).toEqual([])
    expect(read.operators).toMatchObject([{ fullyFinished: true, subtasks: [] }])
  })
})

describe('checkpoint properties', () => {
  const encode = (properties: CheckpointProperties | null): Uint8Array => {
    const out = new DataOutput()
    writeCheckpointProperties(out, properties)
    return out.toBytes()
  }

  test.each([
    ['NO_EXTERNALIZED_CHECKPOINTS', { discardFinished: true, discardCancelled: true, discardFailed: true, discardSuspended: true }],
    ['DELETE_ON_CANCELLATION', { discardFinished: true, discardCancelled: true, discardFailed: false, discardSuspended: true }],
    ['RETAIN_ON_CANCELLATION', { discardFinished: true, discardCancelled: false, discardFailed: false, discardSuspended: false }],
  ] as const)('%s: when a checkpoint is deleted', (retention, flags) => {
    expect(checkpointProperties(retention, 'CHECKPOINT')).toMatchObject({ ...flags, discardSubsumed: true, forced: false, unclaimed: false })
  })

  test('a checkpoint takes 604 bytes and a canonical savepoint 745, as in Flink', () => {
    expect(encode(PROPERTIES)).toHaveLength(604)
    const type = { kind: 'savepoint', name: 'Savepoint', formatType: 'CANONICAL', postCheckpointAction: 'NONE' } as const
    const savepoint: CheckpointProperties = { ...PROPERTIES, discardFinished: false, discardSubsumed: false, type }
    expect(encode(savepoint)).toHaveLength(745)
    expect(readCheckpointProperties(new DataInput(encode(savepoint)))).toEqual(savepoint)
  })

  test('a full checkpoint may be used by later ones only', () => {
    const full = checkpointProperties('DELETE_ON_CANCELLATION', 'FULL_CHECKPOINT')
    expect(full.type).toEqual({ kind: 'checkpoint', name: 'Full Checkpoint', sharingFilesStrategy: 'FORWARD' })
    expect(readCheckpointProperties(new DataInput(encode(full)))).toEqual(full)
  })

  test('another Java object is refused', () => {
    const out = new DataOutput()
    out.writeInt(0xaced0005 | 0)
    out.writeByte(0x74)
    out.writeUTF('text')
    expect(() => readCheckpointProperties(new DataInput(out.toBytes()))).toThrow(/expected a org\.apache\.flink\.runtime\.checkpoint\.CheckpointProperties/)
  })
})
