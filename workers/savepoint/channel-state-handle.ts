/**
 * Handles of in-flight data (unaligned checkpoints), which the engine does not restore yet: read to their end and counted. Flink:
 * ChannelStateHandleSerializerV1 (up to version 5), V2 (from 6 on: a type byte first, and merged handles).
 */
import type { DataInput } from '../state/serializers/data-input.ts'
import { readOffsets, readStreamHandle } from './stream-handle-serializer.ts'

const ignore = (): void => undefined

/** Passes over a list of channel states (in-flight data); returns how many there were. */
export function skipChannelStates(input: DataInput, version: number): number {
  const count = input.readCount('the number of channel states', 1)
  for (let n = count; n > 0; n--) {
    const at = input.position
    const type = version >= 6 ? input.readByte('the type of a channel state') : 1
    if (type < 1 || type > 4) throw input.errorAt(at, 'the type of a channel state 1–4', `found ${type}`)
    if (type <= 2) {
      input.readInt('a subtask index')
      input.readInt('a gate or partition')
      input.readInt('a channel or subpartition')
      readOffsets(input)
      input.readLong('the size of a channel state')
      readStreamHandle(input, ignore)
    } else {
      input.readInt('a subtask index')
      input.readLong('the size of a channel state')
      readStreamHandle(input, ignore)
      input.readBlob('the offsets of merged channel states')
    }
  }
  return count
}
