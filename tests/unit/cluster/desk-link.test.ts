import { expose } from 'comlink'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDesk } from '../../../src/cluster/desk-link.ts'
import type { SnapshotDesk } from '../../../workers/hosts/browser/snapshot-desk.ts'
import { Desk } from '../../../workers/hosts/browser/desk/desk.ts'
import { MemoryFileSystem } from '../../../workers/storage/memory-file-system.ts'
import { MemoryFiles } from '../../../workers/storage/memory-files.ts'

/** In the place of a worker: the desk itself, at the other end of the port. */
class WorkerDouble {
  onmessage: ((event: { readonly data: unknown }) => void) | null = null
  onerror: unknown = null
  isTerminated = false
  private readonly desk: Partial<SnapshotDesk>
  private port: MessagePort | null = null

  constructor(desk: Partial<SnapshotDesk>) {
    this.desk = desk
  }

  postMessage({ surface }: { readonly surface: MessagePort }): void {
    this.port = surface
    expose(this.desk, surface as never)
  }

  terminate(): void {
    this.isTerminated = true
    this.port?.close()
  }
}

const desks: WorkerDouble[] = []
const starting = (...workers: Partial<SnapshotDesk>[]) => () => {
  const worker = new WorkerDouble(workers[desks.length] ?? {})
  desks.push(worker)
  return worker as unknown as Worker
}
const allowed = async (): Promise<void> => undefined
const source = { kind: 'stored', path: '/x' } as const
const never = new Promise<never>(() => undefined)
const patience = { silentMs: 1000, wholeMs: 5000 }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  vi.useRealTimers()
  for (const desk of desks.splice(0)) desk.terminate()
})

describe('the desk as the page holds it', () => {
  test('its worker is started by the first question, once', async () => {
    const files = new Desk(new MemoryFileSystem(new MemoryFiles()), async () => null)
    const desk = createDesk(allowed, starting(files))
    expect(desks).toHaveLength(0)
    expect(await desk.tree()).toEqual({ nodes: [], quota: null })
    await expect(desk.open(source)).rejects.toThrow("Cannot find checkpoint or savepoint file/directory '/x'")
    expect(desks).toHaveLength(1)
  })

  test('a silent worker is ended with all that was asked of it, and the next question starts another', async () => {
    const desk = createDesk(allowed, starting({ tree: () => never, open: () => never }, { tree: async () => ({ nodes: [], quota: null }) }), patience)
    const asked = [desk.tree(), desk.open(source)].map((call) => call.then(() => 'answered', (error: Error) => error.message))
    await vi.advanceTimersByTimeAsync(1000)
    const given = 'listing the files: given up after 1 s; the worker that reads files is started anew'
    expect(await Promise.all(asked)).toEqual([given, given])
    expect(desks[0]!.isTerminated).toBe(true)
    expect(await desk.tree()).toEqual({ nodes: [], quota: null })
    expect(desks).toHaveLength(2)
  })

  test('progress keeps it alive, but not for ever', async () => {
    let tell: ((share: number) => void) | undefined
    const opening: Partial<SnapshotDesk> = {
      open: (_, onProgress) => {
        tell = onProgress
        return never
      },
    }
    const desk = createDesk(allowed, starting(opening), patience)
    let outcome = ''
    void desk.open(source, () => undefined).catch((error: Error) => (outcome = error.message))
    await vi.waitFor(() => expect(tell).toBeDefined())
    for (let i = 0; i < 9; i++) {
      expect(outcome).toBe('')
      await vi.advanceTimersByTimeAsync(500)
      await Promise.resolve(tell?.(i / 10))
    }
    await vi.advanceTimersByTimeAsync(500)
    expect(outcome).toBe('opening the snapshot: given up after 5 s; the worker that reads files is started anew')
  })

  test('the death of the worker is told to whoever waits', async () => {
    const desk = createDesk(allowed, starting({ tree: () => never }))
    const asked = desk.tree()
    desks[0]!.onmessage?.({ data: { type: 'died', message: 'RangeError: out of memory', stack: '' } })
    await expect(asked).rejects.toThrow('the worker that reads files died: RangeError: out of memory')
  })

  test('who may not change files is told so, and no worker is asked', async () => {
    const desk = createDesk(async () => {
      throw new Error('another tab leads the cluster')
    }, starting({}))
    for (const call of [desk.remove(['/x']), desk.copy('/x', '/y'), desk.rename('/x', '/y'), desk.upload(new Blob([]), '/')]) {
      await expect(call).rejects.toThrow('another tab leads')
    }
    expect(desks).toHaveLength(0)
  })
})
