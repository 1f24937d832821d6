/**
 * The desk as the page holds it: its worker is started at the first call. A call that makes no progress for too long ends with the worker,
 * which is then started anew: no file, however it was made, holds the desk for ever.
 */
import { proxy, type Remote } from 'comlink'
import type { FromDesk } from '../../workers/hosts/browser/messages.ts'
import type { SnapshotDesk } from '../../workers/hosts/browser/snapshot-desk.ts'
import { surfaceChannel } from './services.ts'
import { startDeskWorker } from './worker-urls.ts'

export interface DeskPatience {
  /** Wall milliseconds without a word of progress. */
  readonly silentMs: number
  /** Of a call in all. */
  readonly wholeMs: number
}

const PATIENCE: DeskPatience = { silentMs: 150_000, wholeMs: 600_000 }

interface Running {
  readonly worker: Worker
  readonly surface: Remote<SnapshotDesk>
  readonly calls: Set<(error: Error) => void>
}

/** `mayWrite` rejects where this tab may not change files. */
export function createDesk(mayWrite: () => Promise<void>, startWorker: () => Worker = startDeskWorker, patience = PATIENCE): SnapshotDesk {
  const link = new DeskLink(startWorker, patience)
  const read = <T>(what: string, call: (desk: Remote<SnapshotDesk>) => Promise<unknown>): Promise<T> => link.call(what, call) as Promise<T>
  const write = async <T>(what: string, call: (desk: Remote<SnapshotDesk>) => Promise<unknown>): Promise<T> => {
    await mayWrite()
    return read(what, call)
  }
  return {
    tree: () => read('listing the files', (desk) => desk.tree()),
    open: (source, onProgress) =>
      link.call('opening the snapshot', (desk, alive) => {
        const heard = (share: number): void => {
          alive()
          onProgress?.(share)
        }
        return desk.open(source, proxy(heard))
      }),
    uidOf: (operatorId, candidates) => read('trying uids', (desk) => desk.uidOf(operatorId, candidates)),
    compare: (a, b) => read('comparing the snapshots', (desk) => desk.compare(a, b)),
    search: (source, key) => read('searching the snapshot', (desk) => desk.search(source, key)),
    verdict: (source, document, settings) => read('checking the restore', (desk) => desk.verdict(source, document, settings)),
    needing: (paths) => read('looking for who needs the files', (desk) => desk.needing(paths)),
    remove: (paths) => write('deleting', (desk) => desk.remove(paths)),
    copy: (from, to) => write(`copying ${from}`, (desk) => desk.copy(from, to)),
    rename: (from, to) => write(`renaming ${from}`, (desk) => desk.rename(from, to)),
    download: (path) => read(`packing ${path}`, (desk) => desk.download(path)),
    upload: (source, directory) => write(`storing below ${directory}`, (desk) => desk.upload(source, directory)),
    exportFor: (source, target) => read(`exporting for Flink ${target}`, (desk) => desk.exportFor(source, target)),
  }
}

class DeskLink {
  private readonly startWorker: () => Worker
  private readonly patience: DeskPatience
  private running: Running | null = null

  constructor(startWorker: () => Worker, patience: DeskPatience) {
    this.startWorker = startWorker
    this.patience = patience
  }

  /** `alive` is called by the call's progress. */
  call<T>(what: string, ask: (desk: Remote<SnapshotDesk>, alive: () => void) => Promise<T>): Promise<T> {
    const running = (this.running ??= this.start())
    return new Promise((resolve, reject) => {
      let silent: ReturnType<typeof setTimeout> | undefined
      const finish = (end: () => void): void => {
        clearTimeout(silent)
        clearTimeout(whole)
        running.calls.delete(fail)
        end()
      }
      const fail = (error: Error): void => finish(() => reject(error))
      const { silentMs, wholeMs } = this.patience
      const giveUp = (millis: number): void => this.end(running, `${what}: given up after ${millis / 1000} s; the worker that reads files is started anew`)
      const whole = setTimeout(() => giveUp(wholeMs), wholeMs)
      const alive = (): void => {
        clearTimeout(silent)
        silent = setTimeout(() => giveUp(silentMs), silentMs)
      }
      running.calls.add(fail)
      alive()
      ask(running.surface, alive).then((value) => finish(() => resolve(value)), fail)
    })
  }

  private start(): Running {
    const worker = this.startWorker()
    const { port, remote } = surfaceChannel<SnapshotDesk>()
    const running: Running = { worker, surface: remote, calls: new Set() }
    worker.onmessage = ({ data }: MessageEvent<FromDesk>) => {
      if (data.type === 'died') this.end(running, `the worker that reads files died: ${data.message}`)
    }
    worker.onerror = (event) => this.end(running, `the worker that reads files died: ${event.message ?? 'its script could not be loaded'}`)
    worker.postMessage({ type: 'start', surface: port }, [port])
    return running
  }

  private end(running: Running, message: string): void {
    if (this.running === running) this.running = null
    running.worker.terminate()
    for (const fail of [...running.calls]) fail(new Error(message))
  }
}
