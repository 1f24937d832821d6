/** The workers of the hand-written word counts: source, counter or sink, by the first message. */
import type { OnRecord, Receiver, Sender, Way } from './channel.ts'
import { DictionaryReceiver, DictionarySender } from './dictionary-channel.ts'
import { ObjectReceiver, ObjectSender } from './object-channel.ts'
import { hash, vocabulary, zipfWords } from './words.ts'

export type Role = { readonly way: Way } & (
  | { readonly role: 'source'; readonly ports: readonly MessagePort[]; readonly records: number; readonly barrierEveryMs: number | null }
  | { readonly role: 'counter'; readonly input: MessagePort; readonly output: MessagePort }
  | { readonly role: 'sink'; readonly ports: readonly MessagePort[] }
)

export type Report =
  | { readonly type: 'ready' }
  /** `barriers`: milliseconds of each from the source until it had come through every channel of the sink. */
  | { readonly type: 'done'; readonly records: number; readonly sum: number; readonly barriers: readonly number[] }

/** A power of two: how often the source looks at the clock. */
const LOOK_EVERY_RECORDS = 4096

const report = (message: Report): void => self.postMessage(message)
const wallMillis = (): number => performance.timeOrigin + performance.now()

const senderOf = (way: Way, port: MessagePort, onCredit: () => void): Sender =>
  way.type === 'dictionary' ? new DictionarySender(port, onCredit) : new ObjectSender(port, way.batch, onCredit)
const receiverOf = (way: Way, port: MessagePort, onMessage: () => void): Receiver =>
  way.type === 'dictionary' ? new DictionaryReceiver(port, onMessage) : new ObjectReceiver(port, way.batch, onMessage)

function source({ way, ports, records, barrierEveryMs }: Extract<Role, { readonly role: 'source' }>): void {
  const words = zipfWords(records, vocabulary(10_000))
  let next = 0
  let ended = false
  let barrierAt = barrierEveryMs === null ? Infinity : wallMillis() + barrierEveryMs
  const mayEmit = (): boolean => outputs.every((output) => output.credits > 0)
  const emitBarrier = (): void => {
    const now = wallMillis()
    if (now < barrierAt) return
    for (const output of outputs) output.flush(false, now)
    barrierAt = now + (barrierEveryMs as number)
  }
  const pump = (): void => {
    while (next < words.length) {
      if ((next & 63) === 0 && !mayEmit()) return
      if ((next & (LOOK_EVERY_RECORDS - 1)) === 0) emitBarrier()
      if (numbered !== null) numbered.emit(next++)
      else {
        const word = words[next] as string
        ;(outputs[hash(word) % outputs.length] as Sender).emit(word, 1, next++)
      }
    }
    if (ended || !mayEmit()) return
    ended = true
    for (const output of outputs) output.flush(true)
  }
  const outputs = ports.map((port) => senderOf(way, port, pump))
  const numbered = way.type === 'dictionary' && way.numbered === true ? new NumberedWords(words, outputs as DictionarySender[]) : null
  self.onmessage = pump // the start signal
  report({ type: 'ready' })
}

/** Words with their targets and numbers looked up beforehand. */
class NumberedWords {
  private readonly targets: Uint8Array
  private readonly numbers: Uint32Array
  private readonly outputs: readonly DictionarySender[]

  constructor(words: readonly string[], outputs: readonly DictionarySender[]) {
    this.outputs = outputs
    this.targets = Uint8Array.from(words, (word) => hash(word) % outputs.length)
    this.numbers = Uint32Array.from(words, (word, i) => (outputs[this.targets[i] as number] as DictionarySender).numberOf(word))
  }

  emit(i: number): void {
    ;(this.outputs[this.targets[i] as number] as DictionarySender).emitNumber(this.numbers[i] as number, 1, i)
  }
}

function counter({ way, input, output }: Extract<Role, { readonly role: 'counter' }>): void {
  const counts = new Map<string, { count: number }>()
  const onRecord: OnRecord = (word, value, time) => {
    let entry = counts.get(word)
    if (entry === undefined) {
      entry = { count: 0 }
      counts.set(word, entry)
    }
    entry.count += value
    sender.emit(word, entry.count, time)
  }
  const work = (): void => {
    while (sender.credits > 0) {
      const end = receiver.read(onRecord)
      if (end === undefined) return
      if (receiver.barrier !== null) sender.flush(false, receiver.barrier)
      if (end) sender.flush(true)
    }
  }
  const sender = senderOf(way, output, work)
  const receiver = receiverOf(way, input, work)
  report({ type: 'ready' })
}

/** Aligns: a channel whose barrier has come is not read until that of every other channel has. */
function sink({ way, ports }: Extract<Role, { readonly role: 'sink' }>): void {
  let records = 0
  let sum = 0
  let ended = 0
  const barriers: number[] = []
  const blocked = new Set<Receiver>()
  const onRecord: OnRecord = (_word, value) => {
    records++
    sum += value
  }
  const align = (receiver: Receiver, emittedAt: number): void => {
    blocked.add(receiver)
    if (blocked.size + ended < receivers.length) return
    barriers.push(wallMillis() - emittedAt)
    blocked.clear()
    for (const each of receivers) work(each)
  }
  const work = (receiver: Receiver): void => {
    while (!blocked.has(receiver)) {
      const end = receiver.read(onRecord)
      if (end === undefined) return
      if (receiver.barrier !== null) align(receiver, receiver.barrier)
      if (end && ++ended === receivers.length) report({ type: 'done', records, sum, barriers })
    }
  }
  const receivers: Receiver[] = ports.map((port, i) => receiverOf(way, port, () => work(receivers[i] as Receiver)))
  report({ type: 'ready' })
}

self.onmessage = ({ data }: MessageEvent<Role>): void => {
  if (data.role === 'source') source(data)
  else if (data.role === 'counter') counter(data)
  else sink(data)
}
