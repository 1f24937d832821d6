import { expect, it } from 'vitest'
import { StorageShell } from '../../../workers/hosts/browser/storage-shell.ts'
import type { StorageAnswer, StorageCall, WorkerNotice } from '../../../workers/hosts/browser/messages.ts'
import type { StorageResult } from '../../../workers/model/storage.ts'
import type { FileSystem } from '../../../workers/storage/file-system.ts'

it('a store that is out of use is told once, and once that it works again; a missing file is no such failure', async () => {
  const notices: WorkerNotice[] = []
  const lost: StorageResult = { ok: false, reason: 'UNAVAILABLE', message: 'the database was deleted' }
  const results: StorageResult[] = [{ ok: true }, lost, lost, { ok: false, reason: 'NOT_FOUND', message: 'no such file' }, { ok: true }]
  const files: FileSystem = {
    execute: () => Promise.resolve(results.shift() ?? lost),
    entries: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  }
  const shell = new StorageShell((notice) => notices.push(notice), files)
  const { port1, port2 } = new MessageChannel()
  shell.onMessage({ type: 'open', port: port2, fence: null })
  const reasons: string[] = []
  for (let requestId = 1; requestId <= 5; requestId++) {
    const answered = new Promise<StorageAnswer>((resolve) => (port1.onmessage = (event: MessageEvent<StorageAnswer>) => resolve(event.data)))
    const call: StorageCall = { requestId, op: { type: 'list', prefix: '/' } }
    port1.postMessage(call)
    const { result } = await answered
    reasons.push(result.ok ? 'ok' : result.reason)
  }
  port1.close()
  expect(reasons).toEqual(['ok', 'UNAVAILABLE', 'UNAVAILABLE', 'NOT_FOUND', 'ok'])
  expect(notices).toEqual([
    { type: 'store-failed', message: 'the database was deleted' },
    { type: 'store-failed', message: null },
  ])
})
