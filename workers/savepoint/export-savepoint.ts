/**
 * The same snapshot for another Flink: `_metadata` in the version that the target reads, files under relative names beside it, and what the target
 * has no place for listed. State files stay byte by byte, apart from two that older versions know another form of: the header of operator
 * state (version 6 came with Flink 1.18) and segments of merged files (1.20), which become files. A plan (read-plan.ts): it asks for what it
 * must look at. Flink: MetadataV3Serializer … MetadataV6Serializer (formats 3, 4, 5, 13, 19).
 */
import type { ExportTarget } from '../model/snapshot-desk.ts'
import { FormatError } from '../state/serializers/format-error.ts'
import { exportLosses } from './export-losses.ts'
import { olderHandles } from './export-older-handles.ts'
import type { OperatorRef, Savepoint, StreamRef } from './model.ts'
import { mapOperatorState, mapStreams } from './named-streams.ts'
import { SnapshotFiles } from './read-plan.ts'
import type { Plan, Slice } from './read-plan.ts'
import { writeSavepoint } from './savepoint-writer.ts'

/** The newest `_metadata` that every Flink of the target reads. */
export const TARGET_VERSIONS: Readonly<Record<ExportTarget, 3 | 4 | 5 | 6>> = { '1.11 to 1.15': 3, '1.16 to 1.20': 4, '2.0': 5, '2.1 and later': 6 }

/** A file beside `_metadata`, put together of pieces of those that are there. */
export interface ExportedFile {
  readonly name: string
  readonly size: number
  readonly parts: readonly (Uint8Array | Slice)[]
}

export interface SavepointExport {
  readonly metadata: Uint8Array
  readonly files: readonly ExportedFile[]
  readonly losses: readonly string[]
}

const OPERATOR_VERSION_AT = 4
/** Flag for compression, which version 5 has not got. */
const OPERATOR_HEADER_START = 5
const LAST_WITHOUT_OPERATOR_V6 = 4

/** `sizes` as for `openSnapshot`. Throws `FormatError` where a file that the snapshot names is missing. */
export function* exportSavepoint(savepoint: Savepoint, sizes: ReadonlyMap<string, number>, target: ExportTarget): Plan<SavepointExport> {
  const version = TARGET_VERSIONS[target]
  const files = new SnapshotFiles(sizes, Number.MAX_SAFE_INTEGER)
  const losses = [...exportLosses(savepoint, target)]
  const export_ = new Export(files)
  let result = olderHandles(savepoint, version)
  if (version <= LAST_WITHOUT_OPERATOR_V6) result = export_.withoutFlag(result, yield* operatorVersions(result, files, losses))
  result = mapStreams(result, (stream) => export_.place(stream))
  return { metadata: writeSavepoint({ ...result, version }), files: export_.result(), losses }
}

/** Streams of operator state that are of version 6 and can be of version 5. */
function* operatorVersions(savepoint: Savepoint, files: SnapshotFiles, losses: string[]): Plan<ReadonlySet<StreamRef>> {
  const found = new Set<StreamRef>()
  for (const operator of savepoint.operators) {
    let isCompressed = false
    for (const { managedOperator } of operator.subtasks) {
      const stream = managedOperator?.stream ?? null
      if (stream === null) continue
      const head = yield* files.read(stream, 0, OPERATOR_HEADER_START)
      if (head.length < OPERATOR_HEADER_START || head[OPERATOR_VERSION_AT - 1] !== 6) continue
      if (head[OPERATOR_VERSION_AT] === 0) found.add(stream)
      else isCompressed = true
    }
    if (isCompressed) losses.push(`operator state of ${operator.uid || operator.operatorId} is compressed, which is read from Flink 1.18 on`)
  }
  return found
}

/** Gathers the files under the names that they get. */
class Export {
  private readonly files: SnapshotFiles
  private readonly exported = new Map<string, ExportedFile>()
  private readonly names = new Set<string>(['_metadata'])
  /** By the stream that stands for it. */
  private readonly rewritten = new Map<StreamRef, ExportedFile>()

  constructor(files: SnapshotFiles) {
    this.files = files
  }

  /** Operator state of version 6 as version 5: the same without the flag, so that everything lies one byte earlier. */
  withoutFlag(savepoint: Savepoint, streams: ReadonlySet<StreamRef>): Savepoint {
    return mapOperatorState(savepoint, (handle): OperatorRef => {
      const { stream } = handle
      if (stream === null || !streams.has(stream)) return handle
      const states = handle.states.map((state) => ({ ...state, offsets: state.offsets.map((offset) => offset - 1) }))
      const version = Uint8Array.of(0, 0, 0, 5)
      if (stream.kind === 'bytes') {
        const bytes = new Uint8Array(stream.bytes.length - 1)
        bytes.set(version)
        bytes.set(stream.bytes.subarray(OPERATOR_HEADER_START), OPERATOR_VERSION_AT)
        return { ...handle, states, stream: { ...stream, bytes } }
      }
      const rest = this.slice(stream, OPERATOR_HEADER_START)
      const file = { name: this.freeName(lastName(rest.name)), size: rest.length + version.length, parts: [version, rest] }
      const newStream: StreamRef = { kind: 'relative', name: file.name, size: file.size }
      this.rewritten.set(newStream, file)
      return { ...handle, states, stream: newStream }
    })
  }

  /** The stream as the target gets it. */
  place(stream: StreamRef): StreamRef {
    if (stream.kind === 'bytes') return stream
    if (stream.kind === 'empty-segment') return { kind: 'bytes', name: 'empty', bytes: new Uint8Array(0) }
    const rewritten = this.rewritten.get(stream)
    if (rewritten !== undefined) {
      this.exported.set(`rewritten ${rewritten.name}`, rewritten)
      return stream
    }
    const part = this.slice(stream, 0)
    const key = `${part.name} ${part.offset} ${part.length}`
    let file = this.exported.get(key)
    if (file === undefined) {
      file = { name: this.freeName(lastName(part.name)), size: part.length, parts: [part] }
      this.exported.set(key, file)
    }
    return { kind: 'relative', name: file.name, size: file.size }
  }

  result(): readonly ExportedFile[] {
    return [...this.exported.values()]
  }

  /** The stream's bytes from `offset` on, where they are. */
  private slice(stream: StreamRef, offset: number): Slice {
    const name = this.files.find(stream)
    if (name === null) throw new FormatError(`the file ${stream.kind === 'relative' ? stream.name : 'path' in stream ? stream.path : ''} is missing: what is not whole is not exported`)
    const start = stream.kind === 'segment' ? stream.start : 0
    return { name, offset: start + offset, length: this.files.length(stream) - offset }
  }

  private freeName(wanted: string): string {
    let name = wanted
    for (let number = 2; this.names.has(name); number++) name = `${wanted}-${number}`
    this.names.add(name)
    return name
  }
}

const lastName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
