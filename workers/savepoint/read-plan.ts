/**
 * Reading a snapshot without holding it in memory and without waiting: a *plan* is a generator that yields which slice of which file it
 * needs next and is resumed with these bytes. The pure layer never awaits; whoever drives the plan may, between two slices:
 *
 *   let step = plan.next()
 *   while (!step.done) step = plan.next(await readSlice(step.value))
 *
 * `runPlan` is the driver for bytes that are at hand. A plan answers `null` (no such file) and short slices with a problem, never with a hang,
 * and stops asking when its byte budget is used up.
 */
import { FormatError } from '../state/serializers/format-error.ts'
import type { StreamRef } from './model.ts'

/** `length` bytes from `offset` of the file `name`, one of those that the plan was given. */
export interface Slice {
  readonly name: string
  readonly offset: number
  readonly length: number
}

export type Plan<T> = Generator<Slice, T, Uint8Array | null>
export type ReadSlice = (slice: Slice) => Uint8Array | null

export function runPlan<T>(plan: Plan<T>, read: ReadSlice): T {
  let step = plan.next()
  while (!step.done) step = plan.next(read(step.value))
  return step.value
}

/** The files of a directory by name (with `/` for folders in it), with their sizes. */
export class SnapshotFiles {
  readonly sizes: ReadonlyMap<string, number>
  readonly references = new Map<string, number>()
  readonly missing = new Set<string>()
  private readonly byLastName = new Map<string, string>()
  private bytesLeft: number

  constructor(sizes: ReadonlyMap<string, number>, byteBudget: number) {
    this.sizes = sizes
    this.bytesLeft = byteBudget
    for (const name of sizes.keys()) this.byLastName.set(lastName(name), name)
  }

  /** The file of a handle: by its relative name, else by the last part of its path, wherever it lies in the directory. */
  find(stream: StreamRef): string | null {
    if (stream.kind === 'bytes' || stream.kind === 'empty-segment') return null
    const path = stream.kind === 'relative' ? stream.name : stream.path
    return this.sizes.has(path) ? path : (this.byLastName.get(lastName(path)) ?? null)
  }

  /** As `find`, and remembers who is referred to and who is missing. */
  refer(stream: StreamRef): string | null {
    const name = this.find(stream)
    if (name !== null) this.references.set(name, (this.references.get(name) ?? 0) + 1)
    else if (stream.kind !== 'bytes' && stream.kind !== 'empty-segment') this.missing.add(stream.kind === 'relative' ? stream.name : stream.path)
    return name
  }

  /** How many bytes the stream really has here: what its handle says, but not more than its file. */
  length(stream: StreamRef): number {
    if (stream.kind === 'empty-segment') return 0
    if (stream.kind === 'bytes') return stream.bytes.length
    const name = this.find(stream)
    const start = stream.kind === 'segment' ? stream.start : 0
    return name === null ? 0 : Math.max(0, Math.min(stream.kind === 'segment' ? stream.size : Infinity, (this.sizes.get(name) ?? 0) - start))
  }

  /** Bytes of a stream; fewer than asked for where it ends. Throws `FormatError` when its file is missing or the budget is used up. */
  *read(stream: StreamRef, offset: number, length: number): Plan<Uint8Array> {
    if (stream.kind === 'empty-segment') return new Uint8Array(0)
    if (stream.kind === 'bytes') return stream.bytes.subarray(offset, offset + length)
    const name = this.find(stream)
    if (name === null) throw new FormatError(`the file ${stream.kind === 'relative' ? stream.name : stream.path} is missing`)
    const wanted = Math.max(0, Math.min(length, this.length(stream) - offset))
    if (wanted === 0) return new Uint8Array(0)
    this.bytesLeft -= wanted
    if (this.bytesLeft < 0) throw new FormatError('more bytes than are read at once')
    const bytes = yield { name, offset: offset + (stream.kind === 'segment' ? stream.start : 0), length: wanted }
    if (bytes === null) throw new FormatError(`the file ${name} is missing`)
    return bytes
  }
}

const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
