/**
 * Fills one channel's buffers. Flink: BufferBuilder with RecordWriter's serialization. `append` runs once per record and output: no
 * allocation, no closures, and one shape of every object it touches.
 */
import type { Scalar, Value } from '../model/schema.ts'
import type { DataBuffer, Lineage } from '../model/wire.ts'
import type { EngineTime } from '../model/time.ts'
import { ChannelDictionary } from './channel-dictionary.ts'
import { WATERMARK_LENGTH } from '../state/serializers/encoded-length.ts'
import type { RunColumns } from '../model/run-columns.ts'
import { KIND_BOOLEAN, KIND_FLOAT64, KIND_INT32, KIND_STRING } from './record-batch.ts'
import type { BatchLayout } from './record-batch.ts'
import { TaskWords } from './task-words.ts'
import { wordOf } from './word-places.ts'

type Watermarks = { readonly index: number; readonly value: number }[]

export class BatchBuilder {
  count = 0
  bytes = 0
  /** A buffer is full at this many bytes: the segment size, or less with buffer debloating. */
  segmentBytes: number
  readonly dictionary: ChannelDictionary
  private readonly lengths: readonly number[]
  private readonly layout: BatchLayout
  private readonly bareKind: number
  private readonly firstBase: number
  /** Of rows of a word and a figure. */
  private readonly figureKind: number
  private readonly figureBase: number
  private readonly freePayloadsMax: number
  private readonly freePayloads: ArrayBuffer[] = []
  private payload: ArrayBuffer | null = null
  private float64 = NO_FLOATS
  private int32 = NO_INTS
  private uint32 = NO_WORDS
  private uint8 = NO_BYTES
  private watermarks: Watermarks = []
  private plannedCount = 0
  private plannedBytes = 0
  private lineage: Lineage[] | null = null

  constructor(layout: BatchLayout, freePayloadsMax: number, words: TaskWords = new TaskWords()) {
    this.dictionary = new ChannelDictionary(words)
    this.lengths = this.dictionary.lengths
    this.layout = layout
    this.segmentBytes = layout.segmentBytes
    this.bareKind = layout.bare ? (layout.kinds[0] as number) : -1
    this.firstBase = layout.bases[0] as number
    this.figureKind = layout.hasFigure ? (layout.kinds[1] as number) : -1
    this.figureBase = layout.hasFigure ? (layout.bases[1] as number) : 0
    this.freePayloadsMax = freePayloadsMax
  }

  get isEmpty(): boolean {
    return this.count === 0 && this.watermarks.length === 0
  }

  /**
   * Adds a record to the buffer that is open (`open` has been called); true when the buffer is now full. `keyWord` is the number of the
   * word in `keyColumn`, if the caller knows it, else -1.
   */
  append(value: Value, timestamp: number, keyColumn: number, keyWord: number): boolean {
    const i = this.count
    const layout = this.layout
    this.float64[i] = timestamp
    // A NaN is the only number that differs from itself: no timestamp, so Flink's tag without one.
    let bytes = timestamp === timestamp ? layout.timedLength : layout.untimedLength
    if (this.bareKind === KIND_STRING) {
      const word = keyWord >= 0 ? keyWord : this.dictionary.idOf(value as string)
      this.uint32[this.firstBase + i] = word
      bytes += this.lengths[word] as number
    } else if (this.bareKind >= 0) {
      this.put(this.bareKind, this.firstBase + i, value as Scalar)
    } else {
      const fields = value as readonly Scalar[]
      const { kinds, bases, columns } = layout
      for (let column = 0; column < columns; column++) {
        const at = (bases[column] as number) + i
        if (kinds[column] === KIND_STRING) {
          const word = column === keyColumn && keyWord >= 0 ? keyWord : this.dictionary.idOf(fields[column] as string)
          this.uint32[at] = word
          bytes += this.lengths[word] as number
        } else {
          this.put(kinds[column] as number, at, fields[column] as Scalar)
        }
      }
    }
    this.count = i + 1
    this.bytes += bytes
    return this.bytes >= this.segmentBytes || this.count >= layout.capacity
  }

  /** How many of these records, bare words or words and figures, go into the open buffer: up to and with the one that fills it. */
  room(places: Int32Array, { timestamps }: RunColumns, count: number): number {
    const { lengths, segmentBytes } = this
    const { capacity, timedLength, untimedLength } = this.layout
    const end = Math.min(count, capacity - this.count)
    let bytes = this.bytes
    for (let i = 0; i < end; i++) {
      const timestamp = timestamps[i] as number
      bytes += (timestamp === timestamp ? timedLength : untimedLength) + (lengths[wordOf(places[i] as number)] as number)
      if (bytes >= segmentBytes) return i + 1
    }
    return end
  }

  /** As `append`, of the first `count` records, for which there is room; the words' numbers in the dictionary are known. */
  appendRun(places: Int32Array, { figures, timestamps }: RunColumns, count: number): boolean {
    const { lengths, float64, uint32, figureKind } = this
    const { capacity, timedLength, untimedLength } = this.layout
    const first = this.count
    const words = this.firstBase + first
    let bytes = this.bytes
    for (let i = 0; i < count; i++) {
      const word = wordOf(places[i] as number)
      const timestamp = timestamps[i] as number
      uint32[words + i] = word
      float64[first + i] = timestamp
      bytes += (timestamp === timestamp ? timedLength : untimedLength) + (lengths[word] as number)
    }
    const base = this.figureBase + first
    if (figureKind === KIND_FLOAT64) for (let i = 0; i < count; i++) float64[base + i] = figures[i] as number
    else if (figureKind === KIND_INT32) for (let i = 0; i < count; i++) this.int32[base + i] = figures[i] as number
    this.count = first + count
    this.bytes = bytes
    return bytes >= this.segmentBytes || this.count >= capacity
  }

  /** Before `isFullAfter`: nothing is planned. */
  plan(): void {
    this.plannedCount = this.count
    this.plannedBytes = this.bytes
  }

  /** Plans a word, with or without a figure, behind those planned before it; true if the buffer will be full with it. */
  isFullAfter(word: number, timestamp: number): boolean {
    const { layout } = this
    this.plannedCount++
    this.plannedBytes += (timestamp === timestamp ? layout.timedLength : layout.untimedLength) + (this.lengths[word] as number)
    return this.plannedBytes >= this.segmentBytes || this.plannedCount >= layout.capacity
  }

  /** As `append`, of a bare word or of a word and its figure: the word's number in the dictionary is known. */
  appendNumbered(word: number, figure: number, timestamp: number): boolean {
    const i = this.count
    const layout = this.layout
    this.float64[i] = timestamp
    this.uint32[this.firstBase + i] = word
    if (this.figureKind === KIND_FLOAT64) this.float64[this.figureBase + i] = figure
    else if (this.figureKind === KIND_INT32) this.int32[this.figureBase + i] = figure
    this.count = i + 1
    this.bytes += (timestamp === timestamp ? layout.timedLength : layout.untimedLength) + (this.lengths[word] as number)
    return this.bytes >= this.segmentBytes || this.count >= layout.capacity
  }

  /** Beside `append`, while records are traced. Records of the buffer that were appended untraced get `unknown`. */
  appendLineage(lineage: Lineage, unknown: Lineage): void {
    this.lineage ??= []
    while (this.lineage.length < this.count - 1) this.lineage.push(unknown)
    this.lineage.push(lineage)
  }

  appendWatermark(value: number): void {
    this.watermarks.push({ index: this.count, value })
    this.bytes += WATERMARK_LENGTH
  }

  /** A payload for the next buffer: a returned one, or a new one. True if the dictionary began a new epoch. */
  open(): boolean {
    if (this.payload !== null) return false
    const payload = this.freePayloads.pop() ?? new ArrayBuffer(this.layout.byteLength)
    this.payload = payload
    this.float64 = new Float64Array(payload)
    this.int32 = new Int32Array(payload)
    this.uint32 = new Uint32Array(payload)
    this.uint8 = new Uint8Array(payload)
    return this.dictionary.startEpochIfFull()
  }

  /** Closes the buffer. `backlog` is filled in by the subpartition when it leaves. */
  seal(sequence: number, sentAt: EngineTime, unknown: Lineage): DataBuffer {
    const lineage = this.lineage
    if (lineage !== null) while (lineage.length < this.count) lineage.push(unknown)
    const buffer: DataBuffer = {
      kind: 'buffer',
      sequence,
      payload: this.payload as ArrayBuffer,
      count: this.count,
      bytes: this.bytes,
      words: this.dictionary.takePending(),
      dictionaryEpoch: this.dictionary.epoch,
      watermarks: this.watermarks.length === 0 ? NO_WATERMARKS : this.watermarks,
      lineage,
      backlog: 0,
      sentAt,
    }
    this.payload = null
    this.count = 0
    this.bytes = 0
    this.lineage = null
    if (this.watermarks.length > 0) this.watermarks = []
    return buffer
  }

  recycle(payloads: readonly ArrayBuffer[]): void {
    for (const payload of payloads) {
      if (this.freePayloads.length < this.freePayloadsMax && payload.byteLength === this.layout.byteLength) this.freePayloads.push(payload)
    }
  }

  private put(kind: number, at: number, value: Scalar): void {
    switch (kind) {
      case KIND_FLOAT64:
        this.float64[at] = value as number
        break
      case KIND_INT32:
        this.int32[at] = value as number
        break
      case KIND_BOOLEAN:
        this.uint8[at] = value === true ? 1 : 0
        break
    }
  }
}

const NO_WATERMARKS: Watermarks = []
const NO_FLOATS = new Float64Array(0)
const NO_INTS = new Int32Array(0)
const NO_WORDS = new Uint32Array(0)
const NO_BYTES = new Uint8Array(0)
