/** Reads a completed checkpoint back from the file system and decodes it: what is proved is what lies in storage, not what is in memory. */
import { decodeLogSplit, decodeStateElement, READER_STATE, type LogSplit } from '../../operators/sources/split-codec.ts'
import { inspectSnapshot, type InspectedSnapshot } from '../../savepoint/inspect.ts'
import { FormatError } from '../../state/serializers/format-error.ts'
import type { InspectedCheckpoint, InspectedOperator } from './requests.ts'

const METADATA_FILE = '_metadata'

/** `directory`: the external path of the checkpoint. Rejects if `_metadata` cannot be read; damaged parts become problems. */
export async function inspectCheckpoint(directory: string, read: (path: string) => Promise<Uint8Array>): Promise<InspectedCheckpoint> {
  const metadata = await read(`${directory}/${METADATA_FILE}`)
  const known = new Map<string, Uint8Array | null>()
  // The first pass tells which files are needed, the second finds them all there.
  const needed = inspectSnapshot(metadata, directory, () => null).files
  await Promise.all(needed.map(async (path) => known.set(path, await read(path).catch(() => null))))
  const snapshot = inspectSnapshot(metadata, directory, (path) => known.get(path) ?? null)
  return {
    checkpointId: snapshot.metadata.checkpointId,
    path: directory,
    operators: snapshot.operators.map(decoded),
    problems: snapshot.problems.map(({ operatorId, subtask, message }) => `operator ${operatorId}, subtask ${subtask ?? '-'}: ${message}`),
  }
}

function decoded({ operator, types, entries, lists }: InspectedSnapshot['operators'][number]): InspectedOperator {
  return {
    uid: operator.uid,
    name: operator.name,
    parallelism: operator.parallelism,
    maxParallelism: operator.maxParallelism,
    types: Object.fromEntries(types),
    keyed: entries,
    splits: lists
      .filter((list) => list.state === READER_STATE)
      .flatMap(({ subtask, elements }) =>
        elements.flatMap((element) => {
          const split = logSplit(element)
          return split === null ? [] : [{ subtask, topic: split.topic, partition: split.partition, offset: split.offset }]
        }),
      ),
  }
}

/** Null: the element is of another kind of source, which has no offsets in a topic. */
function logSplit(element: Uint8Array): LogSplit | null {
  try {
    return decodeLogSplit(decodeStateElement('log', element))
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}
