import { checkpointProperties } from '../savepoint/checkpoint-properties.ts'
import { readMetadata } from '../savepoint/metadata-reader.ts'
import { writeMetadata } from '../savepoint/metadata-writer.ts'
import type { CheckpointKind, CheckpointMetadata, MetadataCodec } from './metadata-codec.ts'

/** `_metadata` as Flink 2.1 writes it. */
export const METADATA_V6_CODEC: MetadataCodec = {
  encode({ checkpointId, operatorStates }: CheckpointMetadata, { type, retention, forced }: CheckpointKind): Uint8Array {
    return writeMetadata({ checkpointId, operators: operatorStates, properties: checkpointProperties(retention, type, forced) })
  },
  decode(bytes: Uint8Array): CheckpointMetadata {
    const { checkpointId, operators, unsupported } = readMetadata(bytes)
    const first = unsupported[0]
    if (first !== undefined) throw new RangeError(`it names ${first.what} of operator ${first.operatorId}, which cannot be restored here`)
    return { checkpointId, operatorStates: operators }
  },
}
