import { checkpointProperties, savepointProperties } from '../savepoint/checkpoint-properties.ts'
import { readMetadata } from '../savepoint/metadata-reader.ts'
import { writeMetadata } from '../savepoint/metadata-writer.ts'
import { isSavepoint } from '../model/checkpoint.ts'
import type { CheckpointKind, CheckpointMetadata, MetadataCodec } from './metadata-codec.ts'

/** `_metadata` as Flink 2.1 writes it. */
export const METADATA_V6_CODEC: MetadataCodec = {
  encode({ checkpointId, operatorStates }: CheckpointMetadata, { type, retention, forced, format, drain }: CheckpointKind): Uint8Array {
    const properties = isSavepoint(type)
      ? savepointProperties({ format: format ?? 'CANONICAL', forced, stop: type === 'SAVEPOINT' ? null : drain ? 'TERMINATE' : 'SUSPEND' })
      : checkpointProperties(retention, type)
    return writeMetadata({ checkpointId, operators: operatorStates, properties })
  },
  decode(bytes: Uint8Array): CheckpointMetadata {
    const { checkpointId, operators, unsupported } = readMetadata(bytes)
    const first = unsupported[0]
    if (first !== undefined) throw new RangeError(`it names ${first.what} of operator ${first.operatorId}, which cannot be restored here`)
    return { checkpointId, operatorStates: operators }
  },
}
