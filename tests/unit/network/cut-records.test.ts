/** In-flight data as Flink writes it: buffers of a fixed size that cut records anywhere, the last one of an input from the first of an output. */
import { describe, expect, it } from 'vitest'
import { bare } from '../../../workers/model/schema.ts'
import { readChannelState } from '../../../workers/network/channel-state-codec.ts'
import { DataOutput } from '../../../workers/state/serializers/data-output.ts'
import { writeRecord, writeWatermark } from '../../../workers/state/serializers/stream-element-serializer.ts'

const TEXT = bare('String')
const WORDS = ['a', 'hello', '', 'grüße', 'a word that is longer than a buffer', 'b']

/** Each word and a watermark behind the second, as they stand on the wire. */
function wire(): Uint8Array {
  const out = new DataOutput()
  WORDS.forEach((word, i) => {
    framed(out, () => writeRecord(out, TEXT, word, i % 2 === 0 ? null : i))
    if (i === 1) framed(out, () => writeWatermark(out, 7))
  })
  return out.toBytes()
}

function framed(out: DataOutput, write: () => void): void {
  const at = out.position
  out.writeInt(0)
  write()
  out.patchInt(at, out.position - at - 4)
}

function fileOf(bytes: Uint8Array, bufferSize: number): { readonly file: Uint8Array; readonly offsets: readonly number[] } {
  const out = new DataOutput()
  out.writeInt(0)
  const offsets: number[] = []
  for (let at = 0; at < bytes.length; at += bufferSize) {
    offsets.push(out.position)
    out.writeBlob(bytes.subarray(at, at + bufferSize))
  }
  return { file: out.toBytes(), offsets }
}

const all = readChannelState({ offsets: fileOf(wire(), 1 << 20).offsets }, fileOf(wire(), 1 << 20).file, TEXT)

describe('records that are cut between buffers', () => {
  it('are whole in one buffer that holds all', () => {
    expect(all.flatMap((element) => (element.kind === 'record' ? [element.value] : []))).toEqual(WORDS)
    expect(all[2]).toEqual({ kind: 'watermark', timestamp: 7 })
  })

  it.each([1, 2, 3, 5, 8, 13])('are put together again from buffers of %i bytes', (size) => {
    const { file, offsets } = fileOf(wire(), size)
    expect(readChannelState({ offsets }, file, TEXT)).toEqual(all)
  })

  it('are whole wherever they are cut between the input and the output on its other side', () => {
    const bytes = wire()
    for (let cut = 0; cut <= bytes.length; cut++) {
      const input = fileOf(bytes.subarray(0, cut), 9)
      const output = fileOf(bytes.subarray(cut), 9)
      const stream = { kind: 'bytes', name: 'in', bytes: input.file } as const
      const received = readChannelState({ offsets: input.offsets, isContinued: true }, input.file, TEXT)
      const sent = readChannelState({ offsets: output.offsets, continues: { offsets: input.offsets, size: cut, stream } }, output.file, TEXT, input.file)
      expect([...received, ...sent], `cut at ${cut}`).toEqual(all)
    }
  })

  it('are refused where nothing goes on with them', () => {
    const bytes = wire()
    const { file, offsets } = fileOf(bytes.subarray(0, bytes.length - 1), 9)
    expect(() => readChannelState({ offsets }, file, TEXT)).toThrow('the length of a stream element')
  })
})
