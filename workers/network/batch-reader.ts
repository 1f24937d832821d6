/**
 * Reads one channel's buffers, record by record. Flink: the input side's record deserializer. A value of a bare schema is a primitive; a row
 * is a fresh array each time, because operators may keep what they get.
 */
import type { Scalar, Value } from '../model/schema.ts'
import type { DataBuffer } from '../model/wire.ts'
import { RUN_RECORDS_MAX } from '../model/run-columns.ts'
import type { RunColumns } from '../model/run-columns.ts'
import { assert } from '../base/assert.ts'
import { KIND_BOOLEAN, KIND_FLOAT64, KIND_INT32, KIND_STRING } from './record-batch.ts'
import type { BatchLayout } from './record-batch.ts'
import { NO_WORD } from './task-words.ts'
import type { TaskWords } from './task-words.ts'

export class BatchReader {
  /** The buffer in work, and the record in it that comes next. */
  buffer: DataBuffer | null = null
  index = 0
  /** Of the run in work (operators/record-run.ts). */
  end = 0
  private readonly layout: BatchLayout
  private readonly bareKind: number
  private readonly bareBase: number
  private words: string[] = []
  /** The column that is the key, if it is one String: its words get numbers of the task. */
  private keyBase = NO_KEY
  private taskWords: TaskWords | null = null
  /** The task's number of each word, once it was a key. */
  private numbers: number[] = []
  private epoch = 0
  private nextWatermark = 0
  private float64 = NO_FLOATS
  private int32 = NO_INTS
  private uint32 = NO_WORDS
  private uint8 = NO_BYTES

  constructor(layout: BatchLayout) {
    this.layout = layout
    this.bareKind = layout.bare ? (layout.kinds[0] as number) : -1
    this.bareBase = layout.bases[0] as number
  }

  /** Key words of this column (a String) get numbers of the task from now on. */
  numberKeys(column: number, words: TaskWords): void {
    this.keyBase = this.layout.bases[column] as number
    this.taskWords = words
  }

  /** Puts the key word of record `i` in hand, if it has a number. */
  takeKeyWord(i: number): void {
    const { taskWords } = this
    if (taskWords === null) return
    const id = this.uint32[this.keyBase + i] as number
    taskWords.number = id < this.numbers.length ? (this.numbers[id] as number) : this.numberUpTo(id, taskWords)
    taskWords.inHand = this.words[id] as string
  }

  readNumbers({ numbers, timestamps }: RunColumns): number {
    if (this.keyBase < 0) return 0
    const { index, uint32, float64, numbers: known } = this
    const count = Math.min(RUN_RECORDS_MAX, this.end - index)
    const first = this.keyBase + index
    for (let i = 0; i < count; i++) {
      const id = uint32[first + i] as number
      const number = id < known.length ? (known[id] as number) : NO_WORD
      if (number < 0) return i
      numbers[i] = number
      timestamps[i] = float64[index + i] as number
    }
    return count
  }

  readFigures(column: number, count: number, { figures }: RunColumns): void {
    const { kinds, bases } = this.layout
    const values = kinds[column] === KIND_FLOAT64 ? this.float64 : this.int32
    const first = (bases[column] as number) + this.index
    for (let i = 0; i < count; i++) figures[i] = values[first + i] as number
  }

  /** Takes a buffer into work. Buffers of a channel come in order, so an old epoch is never needed again. */
  open(buffer: DataBuffer): void {
    assert(this.buffer === null, 'the buffer before has been read to its end')
    const payload = buffer.payload
    assert(payload.byteLength === this.layout.byteLength, `a payload of ${this.layout.byteLength} bytes, not ${payload.byteLength}`)
    if (buffer.dictionaryEpoch !== this.epoch) {
      this.words = []
      this.numbers = []
      this.epoch = buffer.dictionaryEpoch
    }
    const words = buffer.words
    for (let i = 0; i < words.length; i++) this.words.push(words[i] as string)
    this.show(buffer)
  }

  private show(buffer: DataBuffer): void {
    const { payload } = buffer
    this.float64 = new Float64Array(payload)
    this.int32 = new Int32Array(payload)
    this.uint32 = new Uint32Array(payload)
    this.uint8 = new Uint8Array(payload)
    this.buffer = buffer
    this.index = 0
    this.nextWatermark = 0
  }

  /** The buffer has been read: its payload, to be returned to the sender. */
  close(): ArrayBuffer {
    const payload = (this.buffer as DataBuffer).payload
    this.buffer = null
    return payload
  }

  /** How many of the open buffer's watermarks have been taken. */
  get watermarksRead(): number {
    return this.nextWatermark
  }

  get recordsLeft(): number {
    return this.buffer === null ? 0 : this.buffer.count - this.index
  }

  /** Nothing of the open buffer is left to be read. */
  get isAtEnd(): boolean {
    return this.recordsLeft === 0 && this.watermarksTaken
  }

  /** A reader for what is left of the open buffer, whatever becomes of this one. The payload is copied; of the words none is ever taken away. */
  keepRest(): BatchReader {
    const buffer = this.buffer as DataBuffer
    const copy = new BatchReader(this.layout)
    copy.words = this.words
    copy.epoch = this.epoch
    copy.show({ ...buffer, payload: buffer.payload.slice(0), words: [], lineage: null })
    copy.index = this.index
    copy.nextWatermark = this.nextWatermark
    return copy
  }

  /** Another reader of the same channel, which knows the same words: for the buffers behind the one that is open here. */
  fork(): BatchReader {
    const copy = new BatchReader(this.layout)
    copy.words = [...this.words]
    copy.epoch = this.epoch
    return copy
  }

  /** At the sender: reads a buffer that has not left, with the words of its epoch at hand. */
  openQueued(buffer: DataBuffer, words: readonly string[]): void {
    this.open({ ...buffer, words: [] })
    this.words = words as string[]
  }

  /** NaN: none. */
  timestamp(i: number): number {
    return this.float64[i] as number
  }

  value(i: number): Value {
    if (this.bareKind === KIND_STRING) return this.words[this.uint32[this.bareBase + i] as number] as string
    if (this.bareKind >= 0) return this.scalar(this.bareKind, this.bareBase + i)
    const { kinds, bases, columns } = this.layout
    // A literal makes a packed array in one go; pairs are the commonest rows of a keyed job.
    if (columns === 2) {
      return [this.scalar(kinds[0] as number, (bases[0] as number) + i), this.scalar(kinds[1] as number, (bases[1] as number) + i)]
    }
    const fields = new Array<Scalar>(columns)
    for (let column = 0; column < columns; column++) {
      fields[column] = this.scalar(kinds[column] as number, (bases[column] as number) + i)
    }
    return fields
  }

  /** The next watermark that stands before record `index`, or NaN; each is given once. */
  takeWatermark(): number {
    const watermarks = (this.buffer as DataBuffer).watermarks
    if (this.nextWatermark >= watermarks.length) return NaN
    const next = watermarks[this.nextWatermark] as { readonly index: number; readonly value: number }
    if (next.index > this.index) return NaN
    this.nextWatermark++
    return next.value
  }

  /** No watermark of the buffer is left. */
  get watermarksTaken(): boolean {
    return this.nextWatermark >= (this.buffer as DataBuffer).watermarks.length
  }

  /** Up to where records may be read without looking at watermarks again. */
  get nextStop(): number {
    const buffer = this.buffer as DataBuffer
    const next = buffer.watermarks[this.nextWatermark]
    return next === undefined ? buffer.count : next.index
  }

  private numberUpTo(id: number, taskWords: TaskWords): number {
    for (let next = this.numbers.length; next <= id; next++) this.numbers.push(taskWords.numberOf(this.words[next] as string))
    return this.numbers[id] ?? NO_WORD
  }

  private scalar(kind: number, at: number): Scalar {
    switch (kind) {
      case KIND_FLOAT64:
        return this.float64[at] as number
      case KIND_INT32:
        return this.int32[at] as number
      case KIND_STRING:
        return this.words[this.uint32[at] as number] as string
      case KIND_BOOLEAN:
        return this.uint8[at] === 1
      default:
        throw new RangeError(`column kind ${kind}`)
    }
  }
}

const NO_KEY = -1
const NO_FLOATS = new Float64Array(0)
const NO_INTS = new Int32Array(0)
const NO_WORDS = new Uint32Array(0)
const NO_BYTES = new Uint8Array(0)
