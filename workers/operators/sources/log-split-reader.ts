/**
 * One partition being read: the position, and the rows fetched ahead of it. At most `REQUESTS_MAX` requests of `FETCH_ROWS` rows are in flight or
 * waiting to be emitted, so a slow job does not fill memory. Flink: KafkaPartitionSplitReader and the fetcher's element queue.
 */
import type { FetchedRows, OutsideOp } from '../../model/outside.ts'
import type { Value } from '../../model/schema.ts'
import { logSplitName, type LogSplit } from './split-codec.ts'

const FETCH_ROWS = 512
const REQUESTS_MAX = 2

interface Chunk {
  readonly from: number
  readonly rows: readonly Value[]
}

export class LogSplitReader {
  readonly topic: string
  readonly partition: number
  readonly name: string
  /** Offset of the next record to emit: what a checkpoint holds. */
  offset: number
  stop: number | null
  /** Offset after the last row of the partition, as of the latest reply; null before the first. */
  end: number | null = null
  /** `SourceIdle` has been reported for this end. */
  idleReported = false
  /** In order of offset. */
  private chunks: Chunk[] = []
  private requests: { readonly id: number; readonly from: number; readonly limit: number }[] = []
  private fetchFrom: number

  constructor(split: LogSplit) {
    this.topic = split.topic
    this.partition = split.partition
    this.name = logSplitName(split)
    this.offset = split.offset
    this.stop = split.stop
    this.fetchFrom = split.offset
  }

  get split(): LogSplit {
    return { topic: this.topic, partition: this.partition, offset: this.offset, stop: this.stop }
  }

  /** The next row is here. An answer to a later request may have come before it. */
  get hasRow(): boolean {
    const chunk = this.chunks[0]
    return chunk !== undefined && chunk.from <= this.offset && !this.isDone
  }

  get isDone(): boolean {
    return this.stop !== null && this.offset >= this.stop
  }

  /** Everything that the partition had at the latest reply has been emitted. */
  get isAtEnd(): boolean {
    return this.end !== null && this.offset >= this.end && this.chunks.length === 0
  }

  /** The rows to emit next, from position `index` on; only while `hasRow`. */
  current(): { readonly rows: readonly Value[]; readonly index: number } {
    const chunk = this.chunks[0] as Chunk
    return { rows: chunk.rows, index: this.offset - chunk.from }
  }

  /** `count` rows of the current chunk have been emitted. */
  advance(count: number): void {
    this.offset += count
    const chunk = this.chunks[0]
    if (chunk !== undefined && this.offset >= chunk.from + chunk.rows.length) this.chunks.shift()
  }

  /** The next request, or null: enough is under way, or nothing more is known to be there. `probe` asks although the end was seen. */
  nextFetch(probe: boolean): Extract<OutsideOp, { type: 'fetch' }> | null {
    if (this.isDone || this.requests.length + this.chunks.length >= REQUESTS_MAX) return null
    // Before the first reply nobody knows how much there is: one request only.
    if (this.end === null && this.requests.length > 0) return null
    const known = Math.min(this.end ?? Infinity, this.stop ?? Infinity)
    if (this.fetchFrom >= known && !(probe && this.requests.length === 0 && this.stop === null)) return null
    const limit = this.fetchFrom >= known ? FETCH_ROWS : Math.min(FETCH_ROWS, known - this.fetchFrom)
    return { type: 'fetch', topic: this.topic, partition: this.partition, offset: this.fetchFrom, limit }
  }

  requested(id: number, op: Extract<OutsideOp, { type: 'fetch' }>): void {
    this.requests.push({ id, from: op.offset, limit: op.limit })
    this.fetchFrom = op.offset + op.limit
  }

  awaits(id: number): boolean {
    return this.requests.some((request) => request.id === id)
  }

  /** False: the reply is of a request that was given up. `bounded`: the end seen first becomes the stopping offset. */
  fetched(id: number, rows: FetchedRows, bounded: boolean): void {
    const request = this.requests.find((candidate) => candidate.id === id)
    if (request === undefined) return
    this.requests = this.requests.filter((candidate) => candidate !== request)
    if (this.end === null || rows.endOffset > this.end) {
      this.end = rows.endOffset
      this.idleReported = false
    }
    if (bounded) this.stop ??= rows.endOffset
    if (rows.rows.length > 0) {
      this.chunks.push({ from: request.from, rows: rows.rows })
      this.chunks.sort((a, b) => a.from - b.from)
    }
    if (rows.rows.length < request.limit) this.resumeAfter(request.from + rows.rows.length)
  }

  /** A short answer leaves a gap before anything asked for later: that is asked again. */
  private resumeAfter(offset: number): void {
    this.chunks = this.chunks.filter((chunk) => chunk.from < offset)
    this.requests = this.requests.filter((request) => request.from < offset)
    this.fetchFrom = offset
  }
}
