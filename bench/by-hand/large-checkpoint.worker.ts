/**
 * A checkpoint of a large state by hand: a worker that holds the state as a Map and writes it into buffers of 1 MiB, handed over as they fill,
 * and a worker that puts them into IndexedDB, all in one relaxed transaction.
 */
import { ENTRIES, keyOf, textOf } from './large-state.ts'

export type Role =
  | { readonly role: 'state'; readonly storage: MessagePort }
  /** What is put: the buffers, which are copied, or Blobs, which are referred to. */
  | { readonly role: 'storage'; readonly state: MessagePort }

export type Contents = 'buffers' | 'blobs'
/** To the worker with the state. */
export interface TakeCheckpoint {
  readonly contents: Contents
}
export interface Stored {
  readonly bytes: number
}
type ToStorage = { readonly chunk: Uint8Array<ArrayBuffer> } | { readonly end: Contents }

const CHUNK_LENGTH = 1024 * 1024
const NUMBER_LENGTH = 4
const DATABASE = 'by-hand'

function holdState(storage: MessagePort): void {
  const state = new Map<string, { readonly delay: number; readonly distance: number; readonly text: string }>()
  for (let i = 0; i < ENTRIES; i++) state.set(keyOf(i), { delay: i, distance: 2 * i, text: textOf(i) })
  const encoder = new TextEncoder()
  self.onmessage = ({ data }: MessageEvent<TakeCheckpoint>) => {
    let chunk = new Uint8Array(CHUNK_LENGTH)
    let view = new DataView(chunk.buffer)
    let at = 0
    const putNumber = (value: number): void => {
      view.setInt32(at, value)
      at += NUMBER_LENGTH
    }
    const putText = (text: string): void => {
      const { written } = encoder.encodeInto(text, chunk.subarray(at + NUMBER_LENGTH))
      putNumber(written)
      at += written
    }
    const send = (): void => storage.postMessage({ chunk: chunk.subarray(0, at) } satisfies ToStorage, [chunk.buffer])
    for (const [key, { delay, distance, text }] of state) {
      if (at + 4 * NUMBER_LENGTH + 3 * (key.length + text.length) > CHUNK_LENGTH) {
        send()
        chunk = new Uint8Array(CHUNK_LENGTH)
        view = new DataView(chunk.buffer)
        at = 0
      }
      putText(key)
      putNumber(delay)
      putNumber(distance)
      putText(text)
    }
    send()
    storage.postMessage({ end: data.contents } satisfies ToStorage)
  }
  self.postMessage('ready')
}

async function store(port: MessagePort): Promise<void> {
  const db = await opened()
  let checkpoint = 0
  let chunks: Uint8Array<ArrayBuffer>[] = []
  port.onmessage = ({ data }: MessageEvent<ToStorage>) => {
    if ('chunk' in data) {
      chunks.push(data.chunk)
      return
    }
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    const tx = db.transaction('chunks', 'readwrite', { durability: 'relaxed' })
    const before = checkpoint++
    chunks.forEach((chunk, i) => tx.objectStore('chunks').put(data.end === 'blobs' ? new Blob([chunk]) : chunk, [checkpoint, i]))
    chunks = []
    tx.onerror = () => self.postMessage({ bytes: 0 } satisfies Stored)
    tx.oncomplete = () => {
      self.postMessage({ bytes } satisfies Stored)
      // The one before is not needed any more; nobody waits for that.
      db.transaction('chunks', 'readwrite').objectStore('chunks').delete(IDBKeyRange.bound([before], [before, []]))
    }
  }
  self.postMessage('ready')
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore('chunks')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('no database'))
  })
}

self.onmessage = ({ data }: MessageEvent<Role>): void => {
  if (data.role === 'state') holdState(data.storage)
  else void store(data.state)
}
