/**
 * The browser persistence of the outside world: a database of its own with one snapshot and the records since. What is asked while a
 * transaction runs goes into the next one together, so that a busy sink costs a transaction per round trip, not one per record.
 */
import type { DBSchema, IDBPDatabase, StoreNames } from 'idb'
import { assert } from '../base/assert.ts'
import { err, type Result } from '../base/result.ts'
import { needsStrictDurability, SNAPSHOT_VERSION, type JournalRecord, type OutsideSnapshot } from '../outside/journal.ts'
import { IdbConnection, inTransaction, requests, type NamedFailure, type PropertiesSchema } from './idb-connection.ts'

interface JournalSchema extends DBSchema, PropertiesSchema {
  /** By sequence number, from 1. */
  records: { key: number; value: JournalRecord }
  snapshot: { key: 'current'; value: OutsideSnapshot }
}

export interface LoadedJournal {
  readonly snapshot: OutsideSnapshot | null
  readonly records: readonly JournalRecord[]
}

type Entry = (
  | { readonly type: 'append'; readonly records: readonly JournalRecord[] }
  | { readonly type: 'compact'; readonly snapshot: OutsideSnapshot }
) & { readonly done: (result: Result<void, NamedFailure>) => void }

export const JOURNAL_DATABASE_VERSION = 1
const STORES: StoreNames<JournalSchema>[] = ['records', 'snapshot']
/** Entries that wait for the running transaction. The asking tasks each await an answer, so a full queue is a bug. */
const QUEUED_MAX = 100_000

export class IdbJournal {
  private readonly connection: IdbConnection<JournalSchema>
  private queued: Entry[] = []
  private running: Promise<void> | null = null
  /** Why the last transaction failed. What follows a gap means nothing, so only a snapshot may be stored then. */
  private gap: NamedFailure | null = null

  /** Opens the database `name` at the first use. */
  constructor(name: string, openTimeoutMs = 10_000) {
    this.connection = new IdbConnection<JournalSchema>({
      name,
      version: JOURNAL_DATABASE_VERSION,
      openTimeoutMs,
      createStores: (db) => {
        db.createObjectStore('records', { autoIncrement: true })
        db.createObjectStore('snapshot')
      },
    })
  }

  /** What was persisted: the arguments of a new `OutsideWorld`. */
  async load(): Promise<Result<LoadedJournal, NamedFailure>> {
    const loaded = await this.connection.use((db) =>
      inTransaction(db, STORES, { mode: 'readonly' }, async (tx) => {
        const [snapshot, records] = await Promise.all([tx.objectStore('snapshot').get('current'), tx.objectStore('records').getAll()])
        return { snapshot: snapshot ?? null, records }
      }),
    )
    const version: number | undefined = loaded.ok ? loaded.value.snapshot?.version : undefined
    if (version === undefined || version === SNAPSHOT_VERSION) return loaded
    return err({ reason: 'NEWER_VERSION', message: `the outside world was saved in version ${version}, this page reads version ${SNAPSHOT_VERSION}` })
  }

  /**
   * Resolves when the records are stored; with a pre-commit or commit among them, when they are on disk. In the order of the calls. After a
   * failure nothing of the call is stored, and every later call fails until `compact` has succeeded.
   */
  append(records: readonly JournalRecord[]): Promise<Result<void, NamedFailure>> {
    return this.enqueue((done) => ({ type: 'append', records, done }))
  }

  /** Puts a snapshot in the place of all that was appended before this call: it is taken right after the last append. */
  compact(snapshot: OutsideSnapshot): Promise<Result<void, NamedFailure>> {
    return this.enqueue((done) => ({ type: 'compact', snapshot, done }))
  }

  async close(): Promise<void> {
    while (this.running !== null) await this.running
    await this.connection.close()
  }

  private enqueue(entry: (done: Entry['done']) => Entry): Promise<Result<void, NamedFailure>> {
    assert(this.queued.length < QUEUED_MAX, `the journal has ${QUEUED_MAX} entries waiting`)
    return new Promise((resolve) => {
      this.queued.push(entry(resolve))
      this.running ??= this.run()
    })
  }

  private async run(): Promise<void> {
    while (this.queued.length > 0) {
      const batch = this.queued
      this.queued = []
      const result = await this.storeBatch(batch)
      this.gap = result.ok ? null : result.error
      for (const entry of batch) entry.done(result)
    }
    this.running = null
  }

  private async storeBatch(batch: readonly Entry[]): Promise<Result<void, NamedFailure>> {
    if (this.gap !== null && batch[0]?.type !== 'compact') return err(this.gap)
    return this.connection.use((db) => store(db, batch))
  }
}

function store(db: IDBPDatabase<JournalSchema>, batch: readonly Entry[]): Promise<void> {
  const strict = batch.some((entry) => entry.type === 'compact' || entry.records.some(needsStrictDurability))
  return inTransaction(db, STORES, { mode: 'readwrite', durability: strict ? 'strict' : 'relaxed' }, (tx) =>
    requests((ask) => {
      for (const entry of batch) {
        if (entry.type === 'append') {
          for (const record of entry.records) ask(tx.objectStore('records').add(record))
        } else {
          ask(tx.objectStore('records').clear())
          ask(tx.objectStore('snapshot').put(entry.snapshot, 'current'))
        }
      }
    }),
  )
}
