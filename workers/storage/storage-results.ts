/** What every implementation of the file system answers in the same words, and the check of a request before anything is touched. */
import { unreachable } from '../base/assert.ts'
import type { FencingToken, JobId } from '../model/ids.ts'
import type { StorageFailure, StorageOp, StorageResult } from '../model/storage.ts'
import { isAmong } from '../model/storage.ts'
import { directoryError, pathError, prefixError } from './path.ts'

export interface Fence {
  readonly job: JobId
  readonly token: FencingToken
}

export type ReadOp = Extract<StorageOp, { readonly type: 'read' }>

export type DeleteBelowOp = Extract<StorageOp, { readonly type: 'delete-below' }>

/** Whether it asks for a part of the file; such a part begins at `start` and ends before `end`. */
export function partOf({ offset, length }: ReadOp, size: number): { readonly start: number; readonly end: number } | null {
  if (offset === undefined && length === undefined) return null
  const start = Math.min(offset ?? 0, size)
  return { start, end: Math.min(start + (length ?? Infinity), size) }
}

export const storageFailure = (reason: StorageFailure, message: string): StorageResult & { readonly ok: false } => ({ ok: false, reason, message })

export const notFound = (path: string): StorageResult => storageFailure('NOT_FOUND', `the file ${path} does not exist`)

export const alreadyExists = (path: string): StorageResult => storageFailure('ALREADY_EXISTS', `the file ${path} exists already`)

export const corrupt = (path: string, what: string): StorageResult =>
  storageFailure('CORRUPT', `the file ${path} is damaged: ${what}`)

export const fenced = (fence: Fence, newest: number): StorageResult =>
  storageFailure('FENCED', `the token ${fence.token} of job ${fence.job} is older than ${newest}, the newest seen`)

/** Whether `delete-below` spares the file; `prefix`: its directory with `/`. */
export function keeper(prefix: string, { keep, only }: DeleteBelowOp): (path: string) => boolean {
  const files = new Set(keep)
  const directories = keep.filter((path) => path.endsWith('/'))
  return (path) =>
    files.has(path) || directories.some((directory) => path.startsWith(directory)) || (only !== undefined && !isAmong(only, path.slice(prefix.length)))
}

/** Null when the request is well formed; otherwise INVALID_REQUEST with the place. Such a request is a bug of whoever sent it. */
export function checkRequest(op: StorageOp): StorageResult | null {
  const message = requestError(op)
  return message === null ? null : storageFailure('INVALID_REQUEST', message)
}

function requestError(op: StorageOp): string | null {
  switch (op.type) {
    case 'transact':
      return transactError([...op.writes.map((write) => write.path), ...op.deletes])
    case 'read':
      return pathError(op.path) ?? partError(op)
    case 'list':
      return prefixError(op.prefix)
    case 'delete-below':
      return directoryError(op.directory) ?? firstError(op.keep.map((path) => path.replace(/(?<=.)\/$/, '')))
    default:
      return unreachable(op)
  }
}

function partError({ offset, length }: ReadOp): string | null {
  const isCount = (value: number | undefined): boolean => value === undefined || (Number.isSafeInteger(value) && value >= 0)
  if (!isCount(offset)) return `the offset ${offset} is no position in a file`
  return isCount(length) ? null : `the length ${length} is no number of bytes`
}

/** Each path may occur once, so that the order within a transaction means nothing. */
function transactError(paths: readonly string[]): string | null {
  const seen = new Set<string>()
  for (const path of paths) {
    if (seen.has(path)) return `the path "${path}" occurs twice in one transaction`
    seen.add(path)
  }
  return firstError(paths)
}

function firstError(paths: readonly string[]): string | null {
  for (const path of paths) {
    const error = pathError(path)
    if (error !== null) return error
  }
  return null
}
