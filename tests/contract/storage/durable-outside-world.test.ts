import 'fake-indexeddb/auto'
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fencingToken, jobId } from '../../../workers/model/ids.ts'
import type { OutsideOp, OutsideReply, OutsideResult } from '../../../workers/model/outside.ts'
import { topicContent } from '../../../workers/outside/topics.ts'
import { DurableOutsideWorld } from '../../../workers/storage/durable-outside-world.ts'
import { IdbJournal } from '../../../workers/storage/idb-journal.ts'

const NAME = 'weir-outside-test'
const JOB = jobId('0123456789abcdef0123456789abcdef')
const TOPICS = [topicContent('t', [1, 2, 3], 1)]

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function open() {
  const waiting = new Map<number, (reply: OutsideReply) => void>()
  const timers = new Map<string, number>()
  const failures: (string | null)[] = []
  const order: number[] = []
  const opened = await DurableOutsideWorld.open(NAME, TOPICS, {
    reply: (_, reply) => {
      order.push(reply.requestId)
      waiting.get(reply.requestId)?.(reply)
    },
    setTimer: (timer, at) => void timers.set(timer, at),
    clearTimer: (timer) => void timers.delete(timer),
    event: () => undefined,
    storageFailed: (failure) => void failures.push(failure?.reason ?? null),
  })
  if (!opened.ok) throw new Error(opened.error.message)
  const world = opened.value
  world.handle({ type: 'start' }, 0)
  let requestId = 0
  const ask = (op: OutsideOp): Promise<OutsideResult> => {
    const id = ++requestId
    const answer = new Promise<OutsideReply>((resolve) => void waiting.set(id, resolve))
    world.handle({ type: 'request', from: 'task', request: { requestId: id, job: JOB, token: fencingToken(1), op } }, 0)
    return answer.then((reply) => reply.result)
  }
  return { world, ask, timers, failures, order }
}

const begin: OutsideOp = { type: 'begin', sink: 'out', transaction: 't1', timeoutMicros: 1000 }
const write: OutsideOp = { type: 'write', sink: 'out', transaction: 't1', rows: [['a', 1]] }
const preCommit: OutsideOp = { type: 'pre-commit', sink: 'out', transaction: 't1' }
const commit: OutsideOp = { type: 'commit', sink: 'out', transaction: 't1' }
const fetch: OutsideOp = { type: 'fetch', topic: 't', partition: 0, offset: 0, limit: 1 }

describe('the durable outside world', () => {
  it('has a committed and an open transaction after a reload', async () => {
    const first = await open()
    for (const op of [begin, write, preCommit, commit]) expect(await first.ask(op)).toMatchObject({ ok: true })
    await first.ask({ ...begin, transaction: 't2' })
    await first.world.close()
    const second = await open()
    expect(second.world.view('out')).toMatchObject({
      committed: [['a', 1]],
      transactions: [{ id: 't1', state: 'COMMITTED', rows: 1 }, { id: 't2', state: 'OPEN', rows: 0 }],
    })
    expect([...second.timers.values()]).toEqual([1000])
    await second.world.close()
  })

  it('answers a change only when it is stored', async () => {
    const { world, ask } = await open()
    for (const op of [begin, write, preCommit]) await ask(op)
    await ask(commit)
    const seen = await new IdbJournal(NAME).load()
    expect(seen.ok && seen.value.records.at(-1)).toEqual({ type: 'commit', sink: 'out', transaction: 't1' })
    await world.close()
  })

  it('does not hold back reads, but holds back a repeated commit behind the first', async () => {
    const { world, ask, order } = await open()
    for (const op of [begin, write, preCommit]) await ask(op)
    await Promise.all([ask(commit), ask(commit), ask(fetch)])
    expect(order.slice(3)).toEqual([6, 4, 5])
    await world.close()
  })

  it('answers UNAVAILABLE what cannot be stored, and loses nothing of it once it can', async () => {
    const { world, ask, failures } = await open()
    for (const op of [begin, write]) await ask(op)
    const refuse = (method: 'add' | 'put') =>
      vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(() => {
        throw new DOMException('full', 'QuotaExceededError')
      })
    refuse('add')
    refuse('put')
    expect(await ask(preCommit)).toMatchObject({ ok: false, reason: 'UNAVAILABLE', message: expect.stringContaining('full') })
    expect(await ask(preCommit)).toMatchObject({ ok: false, reason: 'UNAVAILABLE' })
    expect(await ask(fetch)).toMatchObject({ ok: true })
    vi.restoreAllMocks()
    expect(await ask(preCommit)).toEqual({ ok: true })
    expect(await ask(commit)).toEqual({ ok: true })
    expect(failures).toEqual(['QUOTA_EXCEEDED', null])
    await world.close()
    const again = await open()
    expect(again.world.view('out').committed).toEqual([['a', 1]])
    await again.world.close()
  })

  it('replaces the journal by a snapshot when it has grown', async () => {
    const { world, ask } = await open()
    const rows = Array.from({ length: 1000 }, (_, i) => i)
    for (let i = 0; i < 25; i++) await ask({ type: 'append', sink: 'plain', rows, upsertBy: null })
    await world.close()
    const stored = await new IdbJournal(NAME).load()
    expect(stored.ok && stored.value.snapshot?.sinks[0]?.committed.items.length).toBe(20_000)
    expect(stored.ok && stored.value.records.length).toBe(5)
    const again = await open()
    expect(again.world.view('plain', 1).committedTotal).toBe(25_000)
    await again.world.close()
  })

  it('says CORRUPT of a journal that does not fit together', async () => {
    const journal = new IdbJournal(NAME)
    await journal.append([{ type: 'commit', sink: 'out', transaction: 'never-begun' }])
    await journal.close()
    await expect(open()).rejects.toThrow(/does not fit together/)
  })
})
