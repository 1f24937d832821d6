/**
 * One channel of the hand-written pipeline: columns of 4,000 records in transferred buffers, words through a dictionary of the channel,
 * emptied buffers returned with the credit and used again. No engine, no types, no checkpoints: the limit that the engine is measured
 * against.
 */
import type { OnRecord, Receiver, Sender } from './channel.ts'

const BATCH = 4000
const CREDITS = 8

interface Batch {
  readonly keys: Uint32Array<ArrayBuffer>
  readonly values: Float64Array<ArrayBuffer>
  readonly times: Float64Array<ArrayBuffer>
  readonly words: readonly string[]
  readonly count: number
  readonly end: boolean
  /** A checkpoint barrier behind these records: wall milliseconds when the source emitted it. */
  readonly barrier: number | null
}

interface Credit {
  readonly credits: number
  readonly columns: readonly (readonly [ArrayBuffer, ArrayBuffer, ArrayBuffer])[]
}

export class DictionarySender implements Sender {
  credits = CREDITS
  private readonly dictionary = new Map<string, number>()
  private readonly free: (readonly [ArrayBuffer, ArrayBuffer, ArrayBuffer])[] = []
  private keys = new Uint32Array(BATCH)
  private values = new Float64Array(BATCH)
  private times = new Float64Array(BATCH)
  private words: string[] = []
  private count = 0
  private readonly port: MessagePort

  constructor(port: MessagePort, onCredit: () => void) {
    this.port = port
    port.onmessage = (message: MessageEvent<Credit>) => {
      this.credits += message.data.credits
      this.free.push(...message.data.columns)
      onCredit()
    }
  }

  emit(word: string, value: number, time: number): void {
    this.emitNumber(this.numberOf(word), value, time)
  }

  numberOf(word: string): number {
    let id = this.dictionary.get(word)
    if (id === undefined) {
      id = this.dictionary.size
      this.dictionary.set(word, id)
      this.words.push(word)
    }
    return id
  }

  emitNumber(id: number, value: number, time: number): void {
    const at = this.count
    this.keys[at] = id
    this.values[at] = value
    this.times[at] = time
    if (++this.count === BATCH) this.flush(false)
  }

  flush(end: boolean, barrier: number | null = null): void {
    if (this.count === 0 && !end && barrier === null) return
    const { keys, values, times, words, count } = this
    const batch: Batch = { keys, values, times, words, count, end, barrier }
    this.port.postMessage(batch, [keys.buffer, values.buffer, times.buffer])
    this.credits--
    const columns = this.free.pop()
    this.keys = columns ? new Uint32Array(columns[0]) : new Uint32Array(BATCH)
    this.values = columns ? new Float64Array(columns[1]) : new Float64Array(BATCH)
    this.times = columns ? new Float64Array(columns[2]) : new Float64Array(BATCH)
    this.words = []
    this.count = 0
  }
}

export class DictionaryReceiver implements Receiver {
  barrier: number | null = null
  private readonly dictionary: string[] = []
  private readonly queue: Batch[] = []
  private returned: (readonly [ArrayBuffer, ArrayBuffer, ArrayBuffer])[] = []
  private readonly port: MessagePort

  constructor(port: MessagePort, onBatch: () => void) {
    this.port = port
    port.onmessage = (message: MessageEvent<Batch>) => {
      this.queue.push(message.data)
      onBatch()
    }
  }

  /** Reads the oldest batch; undefined without one, else whether it was the last. */
  read(onRecord: OnRecord): boolean | undefined {
    const batch = this.queue.shift()
    if (batch === undefined) return undefined
    const { keys, values, times, words, count, end, barrier } = batch
    this.barrier = barrier
    for (const word of words) this.dictionary.push(word)
    const dictionary = this.dictionary
    for (let i = 0; i < count; i++) {
      onRecord(dictionary[keys[i] as number] as string, values[i] as number, times[i] as number)
    }
    this.returned.push([keys.buffer, values.buffer, times.buffer])
    if (this.returned.length === CREDITS >> 1) this.giveBack()
    return end
  }

  private giveBack(): void {
    const columns = this.returned
    this.port.postMessage({ credits: columns.length, columns } satisfies Credit, columns.flat())
    this.returned = []
  }
}
