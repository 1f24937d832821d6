/**
 * One connection to one IndexedDB database that answers every failure by name. It opens at the first use, and again after the browser
 * or another tab has closed it; what cannot be cured by opening again stays a failure until the page is loaded anew.
 */
import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb'
import { err, ok, type Result } from '../base/result.ts'
import type { StorageFailure } from '../model/storage.ts'

export interface NamedFailure {
  readonly reason: StorageFailure
  readonly message: string
}

/** Every database carries the identity it was made with: one that was deleted underneath and made anew has another. */
export interface PropertiesSchema extends DBSchema {
  properties: { key: string; value: string }
}

export interface IdbConnectionOptions<S extends PropertiesSchema> {
  readonly name: string
  readonly version: number
  /** Wall milliseconds after which an open that is blocked by another tab, or that hangs, is a failure. */
  readonly openTimeoutMs: number
  /** Makes the stores of a new database, besides `properties`. */
  readonly createStores: (db: IDBPDatabase<S>) => void
}

export class IdbConnection<S extends PropertiesSchema> {
  private readonly options: IdbConnectionOptions<S>
  private opening: Promise<IDBPDatabase<S>> | null = null
  private identity: string | null = null
  /** A failure that no new try can cure. */
  private lost: NamedFailure | null = null

  constructor(options: IdbConnectionOptions<S>) {
    this.options = options
  }

  /** Runs `work` on an open database. Never rejects. `work` starts its transaction before it awaits anything. */
  async use<T>(work: (db: IDBPDatabase<S>) => Promise<T>): Promise<Result<T, NamedFailure>> {
    for (let attempt = 1; ; attempt++) {
      let db: IDBPDatabase<S>
      try {
        db = await this.open()
      } catch (error) {
        return err(namedFailure(error))
      }
      const connection = this.opening
      try {
        return ok(await work(db))
      } catch (error) {
        // The connection was closed between `open` and the start of the transaction: nothing has been done, so once more.
        const closedBeforehand = nameOf(error) === 'InvalidStateError'
        if (!closedBeforehand) return err(namedFailure(error))
        if (connection === this.opening) this.opening = null
        if (attempt >= 2) return err(namedFailure(error))
      }
    }
  }

  /** Waits for what runs. Afterwards every use is UNAVAILABLE. */
  async close(): Promise<void> {
    const opening = this.opening
    this.lost ??= { reason: 'UNAVAILABLE', message: `the database ${this.options.name} was closed` }
    this.opening = null
    await opening?.then((db) => db.close()).catch(() => undefined)
  }

  private open(): Promise<IDBPDatabase<S>> {
    if (this.lost !== null) return Promise.reject(new NamedError(this.lost))
    if (this.opening === null) {
      const opening = this.openAnew()
      this.opening = opening
      opening.catch(() => this.forget(opening))
    }
    return this.opening
  }

  private forget(opening: Promise<IDBPDatabase<S>>): void {
    if (this.opening === opening) this.opening = null
  }

  private async openAnew(): Promise<IDBPDatabase<S>> {
    const db = await this.openWithDeadline()
    const identity = (await db.get('properties' as StoreNames<S>, 'identity' as never)) as string | undefined
    if (identity === undefined || (this.identity !== null && this.identity !== identity)) {
      db.close()
      this.lost = { reason: 'UNAVAILABLE', message: `the database ${this.options.name} was deleted while it was in use` }
      throw new NamedError(this.lost)
    }
    this.identity = identity
    return db
  }

  private async openWithDeadline(): Promise<IDBPDatabase<S>> {
    const { name, version, openTimeoutMs } = this.options
    let blocked = false
    let db: IDBPDatabase<S> | null = null
    const drop = (): void => {
      this.opening = null
    }
    const opened = openDB<S>(name, version, {
      upgrade: (database) => this.create(database),
      blocked: () => {
        blocked = true
      },
      // Another tab wants to delete or upgrade the database: let it. The next use opens again and finds out which.
      blocking: () => {
        drop()
        db?.close()
      },
      terminated: drop,
    })
    let timer: ReturnType<typeof setTimeout> | undefined
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const why = blocked ? 'another tab holds an older version of it open' : 'the browser does not answer'
        reject(new NamedError({ reason: 'UNAVAILABLE', message: `the database ${name} cannot be opened: ${why}` }))
      }, openTimeoutMs)
    })
    try {
      db = await Promise.race([opened, deadline])
      return db
    } catch (error) {
      void opened.then(
        (late) => late.close(),
        () => undefined,
      )
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  private create(db: IDBPDatabase<S>): void {
    const properties = (db as unknown as IDBPDatabase<PropertiesSchema>).createObjectStore('properties')
    // If the upgrade is aborted, `openDB` rejects; this promise need not as well.
    properties.put(crypto.randomUUID(), 'identity').catch(() => undefined)
    this.options.createStores(db)
  }
}

/**
 * Waits for requests of one transaction. `send` calls `ask` for each; should one throw, those already sent are aborted with the transaction,
 * and their rejections have been seen.
 */
export async function requests(send: (ask: (request: Promise<unknown>) => void) => void): Promise<void> {
  const sent: Promise<unknown>[] = []
  send((request) => {
    request.catch(() => undefined)
    sent.push(request)
  })
  await Promise.all(sent)
}

type Mode = 'readonly' | 'readwrite'

/**
 * Runs `body` in one transaction and waits until it is complete. `body` awaits requests of this transaction and nothing else: at any
 * other await IndexedDB commits what has been done so far, and the rest would fail or, worse, be a second transaction.
 */
export async function inTransaction<S extends DBSchema, M extends Mode, T>(
  db: IDBPDatabase<S>,
  stores: StoreNames<S>[],
  options: { readonly mode: M; readonly durability?: IDBTransactionDurability },
  body: (tx: IDBPTransaction<S, StoreNames<S>[], M>) => Promise<T>,
): Promise<T> {
  const tx = db.transaction(stores, options.mode, { durability: options.durability ?? 'default' })
  tx.done.catch(() => undefined)
  try {
    const result = await body(tx)
    await tx.done
    return result
  } catch (error) {
    try {
      tx.abort()
    } catch {
      // It has ended already.
    }
    throw nameOf(error) === 'AbortError' && tx.error !== null ? tx.error : error
  }
}

class NamedError extends Error {
  override readonly name = 'NamedError'
  readonly failure: NamedFailure

  constructor(failure: NamedFailure) {
    super(failure.message)
    this.failure = failure
  }
}

const nameOf = (error: unknown): string => (error instanceof Error || error instanceof DOMException ? error.name : '')

/** Which of our names a failure of IndexedDB has. */
export function namedFailure(error: unknown): NamedFailure {
  if (error instanceof NamedError) return error.failure
  const name = nameOf(error)
  // Some browsers say nothing more than the name; others end with a full stop, and what is told stands within a sentence.
  const said = (error instanceof Error || error instanceof DOMException ? error.message : String(error)).trim().replace(/\.$/, '')
  const detail = said === '' ? '' : `: ${said}`
  switch (name) {
    case 'QuotaExceededError':
      return { reason: 'QUOTA_EXCEEDED', message: `the browser gives this site no more storage${detail}` }
    case 'VersionError':
      return { reason: 'NEWER_VERSION', message: `the database was made by a newer version of this page${detail}` }
    case 'AbortError':
    case 'TransactionInactiveError':
      return { reason: 'ABORTED', message: `the transaction was aborted${detail}` }
    case 'ReferenceError':
    case 'SecurityError':
    case 'NotAllowedError':
      return { reason: 'UNAVAILABLE', message: `the browser does not allow this page to store data (IndexedDB)${detail}` }
    default:
      return { reason: 'UNAVAILABLE', message: `IndexedDB failed${name === '' ? '' : ` (${name})`}${detail}` }
  }
}
