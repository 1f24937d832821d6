/** Runs the hand-written word count once: source → two counters → sink on bare MessagePorts. */
import type { Report, Role } from './word-count.worker.ts'

const COUNTERS = 2

function spawn(role: Role, transfer: Transferable[]): { worker: Worker; ready: Promise<void>; done: Promise<Report> } {
  const worker = new Worker(new URL('./word-count.worker.ts', import.meta.url), { type: 'module' })
  const reports = (type: Report['type']): Promise<Report> =>
    new Promise((resolve) => worker.addEventListener('message', ({ data }: MessageEvent<Report>) => data.type === type && resolve(data)))
  const ready = reports('ready').then(() => undefined)
  const done = reports('done')
  worker.postMessage(role, transfer)
  return { worker, ready, done }
}

/** Records per second from the first record read to the last counted at the sink. Spawning is not timed. */
export async function wordCountByHand(records: number): Promise<number> {
  const toCounter = Array.from({ length: COUNTERS }, () => new MessageChannel())
  const toSink = Array.from({ length: COUNTERS }, () => new MessageChannel())
  const sinkPorts = toSink.map((channel) => channel.port2)
  const sourcePorts = toCounter.map((channel) => channel.port1)
  const sink = spawn({ role: 'sink', ports: sinkPorts }, sinkPorts)
  const counters = toCounter.map((channel, i) => {
    const output = (toSink[i] as MessageChannel).port1
    return spawn({ role: 'counter', input: channel.port2, output }, [channel.port2, output])
  })
  const source = spawn({ role: 'source', ports: sourcePorts, records }, sourcePorts)
  await Promise.all([sink, source, ...counters].map(({ ready }) => ready))
  const start = performance.now()
  source.worker.postMessage('start')
  const result = await sink.done
  const seconds = (performance.now() - start) / 1000
  for (const { worker } of [sink, source, ...counters]) worker.terminate()
  if (result.type !== 'done' || result.records !== records) throw new Error(`the hand-written word count lost records: ${JSON.stringify(result)}`)
  return records / seconds
}
