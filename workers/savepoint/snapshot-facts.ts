/** What a list of snapshots tells of each: its kind, and which files it needs, each once. From `_metadata` alone. */
import type { SnapshotSummary } from '../model/snapshot-desk.ts'
import type { KeyedRef, Savepoint } from './model.ts'
import { streamSize } from './model.ts'
import { namedStreams } from './named-streams.ts'

export interface NeededFile {
  /** A name relative to the directory of `_metadata`, or a URI. */
  readonly path: string
  readonly isRelative: boolean
  /** Exact length of the file, or the least that it has where only a part of it is meant. */
  readonly size: number
  readonly isPart: boolean
}

export interface SnapshotFacts extends Pick<SnapshotSummary, 'checkpointId' | 'kind' | 'operators' | 'relativeHandles' | 'absoluteHandles' | 'inlineHandles'> {
  readonly needed: readonly NeededFile[]
}

export function snapshotFacts(savepoint: Savepoint): SnapshotFacts {
  const counts = { relativeHandles: 0, absoluteHandles: 0, inlineHandles: 0 }
  const needed = new Map<string, NeededFile>()
  const need = (path: string, file: Omit<NeededFile, 'path'>): void => {
    const known = needed.get(path)
    if (known === undefined || known.size < file.size) needed.set(path, { path, ...file })
  }
  for (const stream of namedStreams(savepoint)) {
    if (stream.kind === 'bytes') counts.inlineHandles++
    else if (stream.kind === 'relative') {
      counts.relativeHandles++
      need(stream.name, { isRelative: true, size: stream.size, isPart: false })
    } else if (stream.kind === 'file' || stream.kind === 'segment') {
      counts.absoluteHandles++
      const isPart = stream.kind === 'segment'
      need(stream.path, { isRelative: false, size: streamSize(stream) + (isPart ? stream.start : 0), isPart })
    }
  }
  return { checkpointId: savepoint.checkpointId, kind: kindOf(savepoint), operators: savepoint.operators.length, ...counts, needed: [...needed.values()] }
}

/** By its properties; without any (before version 4, or from the State Processor API) by its handles, as far as these tell. */
export function kindOf(savepoint: Savepoint): SnapshotSummary['kind'] {
  const type = savepoint.properties?.type
  if (type?.kind === 'savepoint') return type.formatType === 'NATIVE' ? 'native savepoint' : 'canonical savepoint'
  const subtasks = savepoint.operators.flatMap((operator) => operator.subtasks)
  if (subtasks.some(({ input, output }) => input.length > 0 || output.length > 0)) return 'unaligned checkpoint'
  if (type?.kind === 'checkpoint') return 'checkpoint'
  const isCanonical = (handle: KeyedRef | null): boolean => handle?.kind === 'key-groups' && handle.type === 7
  return subtasks.some(({ managedKeyed }) => isCanonical(managedKeyed)) ? 'canonical savepoint' : 'unknown'
}
