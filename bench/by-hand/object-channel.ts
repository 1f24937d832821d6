/** One channel of the pipelines that send records as objects, by structured clone: one at a time, or some in an array. No barriers. */
import type { OnRecord, Receiver, Sender } from './channel.ts'

interface RecordObject {
  readonly word: string
  readonly value: number
  readonly time: number
}

type Message = RecordObject | readonly RecordObject[] | 'end'

/** In flight: as many records with any size of batch, so that small messages do not wait for credits. */
const RECORDS_IN_FLIGHT = 32_000
const creditsFor = (batch: number): number => Math.ceil(RECORDS_IN_FLIGHT / batch)

export class ObjectSender implements Sender {
  credits: number
  private readonly port: MessagePort
  private readonly batch: number
  private gathered: RecordObject[] = []

  constructor(port: MessagePort, batch: number, onCredit: () => void) {
    this.port = port
    this.batch = batch
    this.credits = creditsFor(batch)
    port.onmessage = ({ data }: MessageEvent<number>) => {
      this.credits += data
      onCredit()
    }
  }

  emit(word: string, value: number, time: number): void {
    if (this.batch === 1) {
      this.post({ word, value, time })
      return
    }
    this.gathered.push({ word, value, time })
    if (this.gathered.length === this.batch) this.flush(false)
  }

  flush(end: boolean): void {
    if (this.gathered.length > 0) {
      this.post(this.gathered)
      this.gathered = []
    }
    if (end) this.post('end')
  }

  private post(message: Message): void {
    this.port.postMessage(message)
    this.credits--
  }
}

export class ObjectReceiver implements Receiver {
  readonly barrier = null
  private readonly port: MessagePort
  private readonly giveBackAt: number
  private readonly queue: Message[] = []
  private next = 0
  private taken = 0

  constructor(port: MessagePort, batch: number, onMessage: () => void) {
    this.port = port
    this.giveBackAt = Math.max(1, creditsFor(batch) >> 1)
    port.onmessage = ({ data }: MessageEvent<Message>) => {
      this.queue.push(data)
      onMessage()
    }
  }

  read(onRecord: OnRecord): boolean | undefined {
    const message = this.queue[this.next]
    if (message === undefined) return undefined
    if (++this.next === this.queue.length) {
      this.queue.length = 0
      this.next = 0
    }
    if (message === 'end') return true
    if ('word' in message) onRecord(message.word, message.value, message.time)
    else for (const { word, value, time } of message) onRecord(word, value, time)
    if (++this.taken === this.giveBackAt) {
      this.port.postMessage(this.taken)
      this.taken = 0
    }
    return false
  }
}
