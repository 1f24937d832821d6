/** The workers of the hand-written word count: source, counter or sink, by the first message. */
import { DictionaryReceiver, DictionarySender } from './dictionary-channel.ts'
import { hash, vocabulary, zipfWords } from './words.ts'

export type Role =
  | { readonly role: 'source'; readonly ports: readonly MessagePort[]; readonly records: number }
  | { readonly role: 'counter'; readonly input: MessagePort; readonly output: MessagePort }
  | { readonly role: 'sink'; readonly ports: readonly MessagePort[] }

export type Report = { readonly type: 'ready' } | { readonly type: 'done'; readonly records: number; readonly sum: number }

const report = (message: Report): void => self.postMessage(message)

function source(ports: readonly MessagePort[], records: number): void {
  const words = zipfWords(records, vocabulary(10_000))
  let next = 0
  let ended = false
  const mayEmit = (): boolean => outputs.every((output) => output.credits > 0)
  const pump = (): void => {
    while (next < words.length) {
      if ((next & 63) === 0 && !mayEmit()) return
      const word = words[next] as string
      ;(outputs[hash(word) % outputs.length] as DictionarySender).emit(word, 1, next++)
    }
    if (ended || !mayEmit()) return
    ended = true
    for (const output of outputs) output.flush(true)
  }
  const outputs = ports.map((port) => new DictionarySender(port, pump))
  self.onmessage = pump // the start signal
  report({ type: 'ready' })
}

function counter(input: MessagePort, output: MessagePort): void {
  const counts = new Map<string, { count: number }>()
  const onRecord = (word: string, value: number, time: number): void => {
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
      if (end) sender.flush(true)
    }
  }
  const sender = new DictionarySender(output, work)
  const receiver = new DictionaryReceiver(input, work)
  report({ type: 'ready' })
}

function sink(ports: readonly MessagePort[]): void {
  let records = 0
  let sum = 0
  let ended = 0
  const onRecord = (_word: string, value: number): void => {
    records++
    sum += value
  }
  for (const port of ports) {
    const receiver = new DictionaryReceiver(port, () => {
      if (receiver.read(onRecord) === true && ++ended === ports.length) report({ type: 'done', records, sum })
    })
  }
  report({ type: 'ready' })
}

self.onmessage = ({ data }: MessageEvent<Role>): void => {
  if (data.role === 'source') source(data.ports, data.records)
  else if (data.role === 'counter') counter(data.input, data.output)
  else sink(data.ports)
}
