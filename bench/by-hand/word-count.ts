/** Runs a hand-written word count once: source → two counters → sink on bare MessagePorts. */
import type { Way } from './channel.ts'
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

export interface HandRun {
  /** From the first record read to the last counted at the sink. Spawning is not timed. */
  readonly recordsPerSecond: number
  /** Milliseconds of each barrier, source → sink. */
  readonly barriers: readonly number[]
}

/** `barrierEveryMs`: of the dictionary way alone. */
export async function wordCountByHand(way: Way, records: number, barrierEveryMs: number | null = null): Promise<HandRun> {
  const toCounter = Array.from({ length: COUNTERS }, () => new MessageChannel())
  const toSink = Array.from({ length: COUNTERS }, () => new MessageChannel())
  const sinkPorts = toSink.map((channel) => channel.port2)
  const sourcePorts = toCounter.map((channel) => channel.port1)
  const sink = spawn({ way, role: 'sink', ports: sinkPorts }, sinkPorts)
  const counters = toCounter.map((channel, i) => {
    const output = (toSink[i] as MessageChannel).port1
    return spawn({ way, role: 'counter', input: channel.port2, output }, [channel.port2, output])
  })
  const source = spawn({ way, role: 'source', ports: sourcePorts, records, barrierEveryMs }, sourcePorts)
  await Promise.all([sink, source, ...counters].map(({ ready }) => ready))
  const start = performance.now()
  source.worker.postMessage('start')
  const result = await sink.done
  const seconds = (performance.now() - start) / 1000
  for (const { worker } of [sink, source, ...counters]) worker.terminate()
  if (result.type !== 'done' || result.records !== records) throw new Error(`the hand-written word count lost records: ${JSON.stringify(result)}`)
  return { recordsPerSecond: records / seconds, barriers: result.barriers }
}
