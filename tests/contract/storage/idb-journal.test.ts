import 'fake-indexeddb/auto'
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb'
import { deleteDB, openDB, unwrap } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fencingToken, jobId } from '../../../workers/model/ids.ts'
import type { JournalRecord } from '../../../workers/outside/journal.ts'
import { OutsideState } from '../../../workers/outside/outside-state.ts'
import { IdbJournal } from '../../../workers/storage/idb-journal.ts'

const NAME = 'weir-outside-test'
const JOB = jobId('0123456789abcdef0123456789abcdef')
const append = (row: number): JournalRecord => ({ type: 'append', sink: 'out', rows: [[row, 'x']] })

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('IndexedDB journal', () => {
  it('is empty at first', async () => {
    const journal = new IdbJournal(NAME)
    expect(await journal.load()).toEqual({ ok: true, value: { snapshot: null, records: [] } })
    await journal.close()
  })

  it('gives back every record in order after a reload', async () => {
    const journal = new IdbJournal(NAME)
    const records: JournalRecord[] = [
      { type: 'fence', job: JOB, token: fencingToken(3) },
      { type: 'begin', sink: 'out', transaction: 't1', deadline: Infinity },
      { type: 'write', sink: 'out', transaction: 't1', rows: [['DTW', 3, 1.5, true], 'bare', 7] },
      { type: 'pre-commit', sink: 'out', transaction: 't1' },
      { type: 'commit', sink: 'out', transaction: 't1' },
      { type: 'topic-append', topic: 'flights', partition: 1, rows: [[1]] },
      { type: 'upsert', sink: 'out', by: 0, rows: [['k', 1]] },
      { type: 'reset' },
    ]
    await Promise.all(records.map((record) => journal.append([record])))
    await journal.close()
    const again = new IdbJournal(NAME)
    expect(await again.load()).toEqual({ ok: true, value: { snapshot: null, records } })
    await again.close()
  })

  it('puts a snapshot in the place of what was appended before it, and keeps what comes after', async () => {
    const journal = new IdbJournal(NAME)
    const state = new OutsideState()
    const change = (record: JournalRecord): Promise<unknown> => {
      state.apply(record)
      return journal.append([record])
    }
    const pending = [change(append(1)), change(append(2)), journal.compact(state.snapshot()), change(append(3))]
    await Promise.all(pending)
    const loaded = await journal.load()
    if (!loaded.ok) throw new Error(loaded.error.message)
    expect(loaded.value.records).toEqual([append(3)])
    const restored = OutsideState.restore(loaded.value.snapshot, loaded.value.records)
    expect(restored.sink('out')?.view(Infinity)).toEqual(state.sink('out')?.view(Infinity))
    await journal.close()
  })

  it('is strict where a transaction is sealed or ended, relaxed otherwise', async () => {
    const journal = new IdbJournal(NAME)
    await journal.load()
    const transaction = await watchTransactions()
    await journal.append([append(1)])
    await journal.append([append(2), { type: 'commit', sink: 'out', transaction: 't' }])
    await journal.append([{ type: 'pre-commit', sink: 'out', transaction: 't' }])
    expect(transaction.mock.calls.map((call) => call[2]?.durability)).toEqual(['relaxed', 'strict', 'strict'])
    await journal.close()
  })

  it('stores together what was asked while a transaction ran', async () => {
    const journal = new IdbJournal(NAME)
    await journal.load()
    const transaction = await watchTransactions()
    await Promise.all(Array.from({ length: 50 }, (_, i) => journal.append([append(i)])))
    expect(transaction).toHaveBeenCalledTimes(2)
    await journal.close()
  })

  it('answers QUOTA_EXCEEDED to every append of the refused transaction', async () => {
    const journal = new IdbJournal(NAME)
    await journal.append([append(0)])
    const add = refuseRecords()
    expect(await Promise.all([journal.append([append(1)]), journal.append([append(2)])])).toMatchObject([
      { ok: false, error: { reason: 'QUOTA_EXCEEDED' } },
      { ok: false, error: { reason: 'QUOTA_EXCEEDED' } },
    ])
    add.mockRestore()
    expect(await journal.load()).toEqual({ ok: true, value: { snapshot: null, records: [append(0)] } })
    await journal.close()
  })

  it('stores nothing after a gap until a snapshot has closed it', async () => {
    const journal = new IdbJournal(NAME)
    await journal.append([append(0)])
    const add = refuseRecords()
    await journal.append([append(1)])
    add.mockRestore()
    expect(await journal.append([append(2)])).toMatchObject({ ok: false, error: { reason: 'QUOTA_EXCEEDED' } })
    const state = OutsideState.restore(null, [append(0), append(1), append(2)])
    expect(await journal.compact(state.snapshot())).toMatchObject({ ok: true })
    expect(await journal.append([append(3)])).toMatchObject({ ok: true })
    expect(await journal.load()).toEqual({ ok: true, value: { snapshot: state.snapshot(), records: [append(3)] } })
    await journal.close()
  })

  it('answers UNAVAILABLE where IndexedDB is forbidden', async () => {
    vi.stubGlobal('indexedDB', undefined)
    const journal = new IdbJournal(NAME)
    expect(await journal.load()).toMatchObject({ ok: false, error: { reason: 'UNAVAILABLE' } })
    expect(await journal.append([append(1)])).toMatchObject({ ok: false, error: { reason: 'UNAVAILABLE' } })
    await journal.close()
  })

  it('answers UNAVAILABLE when the database was deleted underneath', async () => {
    const journal = new IdbJournal(NAME)
    await journal.append([append(1)])
    await deleteDB(NAME)
    expect(await journal.append([append(2)])).toMatchObject({ ok: false, error: { reason: 'UNAVAILABLE' } })
    await journal.close()
  })

  it('answers NEWER_VERSION for a snapshot of a newer version', async () => {
    const journal = new IdbJournal(NAME)
    await journal.compact({ ...new OutsideState().snapshot(), version: 2 as 1 })
    expect(await journal.load()).toMatchObject({ ok: false, error: { reason: 'NEWER_VERSION' } })
    await journal.close()
  })
})

/** Watches the start of every transaction on any database. */
async function watchTransactions() {
  const db = await openDB(NAME)
  db.close()
  return vi.spyOn(Object.getPrototypeOf(unwrap(db)) as IDBDatabase, 'transaction')
}

/** Records no longer fit; snapshots do. */
function refuseRecords() {
  return vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
}
