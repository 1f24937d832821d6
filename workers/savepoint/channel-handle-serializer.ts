/**
 * Handles of in-flight data (unaligned checkpoints). Flink: ChannelStateHandleSerializerV1 (versions 3 to 5 of `_metadata`), V2 (from 6 on).
 *
 *   V2 only  u1 type: 1 input, 2 output, 3 merged input, 4 merged output
 *   single   i4 subtask, i4 gate or partition, i4 channel or subpartition, offsets, i8 size, stream
 *   merged   i4 subtask, i8 size, stream, blob: i4 count × {i4, i4, i8 size, offsets}
 */
import { DataInput } from '../state/serializers/data-input.ts'
import { DataOutput } from '../state/serializers/data-output.ts'
import type { ChannelRef } from './model.ts'
import { readOffsets, readStreamHandle, writeOffsets, writeStreamHandle } from './stream-handle-serializer.ts'

const FIRST_WITH_TYPES = 6
const MERGED_FROM = 3
type Side = 'input' | 'output'

/** Throws `RangeError` for a merged handle in a version that has none. */
export function writeChannelHandles(out: DataOutput, handles: readonly ChannelRef[], side: Side, version: number): void {
  out.writeInt(handles.length)
  for (const handle of handles) {
    if (version >= FIRST_WITH_TYPES) out.writeByte((side === 'input' ? 1 : 2) + (handle.merged ? 2 : 0))
    else if (handle.merged) throw new RangeError(`_metadata of version ${version} has no merged channel state`)
    out.writeInt(handle.subtask)
    if (handle.merged) writeMerged(out, handle)
    else writeSingle(out, handle)
  }
}

function writeSingle(out: DataOutput, handle: ChannelRef): void {
  const [channel, ...more] = handle.channels
  if (channel === undefined || more.length > 0) throw new RangeError('a channel handle that is not merged is of exactly one channel')
  out.writeInt(channel.major)
  out.writeInt(channel.minor)
  writeOffsets(out, channel.offsets)
  out.writeLong(handle.size)
  writeStreamHandle(out, handle.stream)
}

function writeMerged(out: DataOutput, handle: ChannelRef): void {
  out.writeLong(handle.size)
  writeStreamHandle(out, handle.stream)
  const blob = new DataOutput()
  blob.writeInt(handle.channels.length)
  for (const { major, minor, size, offsets } of handle.channels) {
    blob.writeInt(major)
    blob.writeInt(minor)
    blob.writeLong(size)
    writeOffsets(blob, offsets)
  }
  out.writeBlob(blob.toBytes())
}

export function readChannelHandles(input: DataInput, side: Side, version: number): ChannelRef[] {
  const handles: ChannelRef[] = []
  for (let n = input.readCount(`the number of ${side} channel states`, 14); n > 0; n--) handles.push(readChannelHandle(input, side, version))
  return handles
}

function readChannelHandle(input: DataInput, side: Side, version: number): ChannelRef {
  const at = input.position
  const plain = side === 'input' ? 1 : 2
  const type = version >= FIRST_WITH_TYPES ? input.readByte('the type of a channel state') : plain
  if (type !== plain && type !== plain + 2) throw input.errorAt(at, `the type of an ${side} channel state (${plain} or ${plain + 2})`, `found ${type}`)
  const subtask = input.readInt('a subtask index')
  if (type >= MERGED_FROM) {
    const size = input.readLong('the size of a channel state')
    const stream = readStreamHandle(input)
    return { merged: true, subtask, size, stream, channels: readMergedChannels(input.readBlob('the offsets of merged channel states')) }
  }
  const major = input.readInt('a gate or partition')
  const minor = input.readInt('a channel or subpartition')
  const offsets = readOffsets(input)
  const size = input.readLong('the size of a channel state')
  return { merged: false, subtask, size, stream: readStreamHandle(input), channels: [{ major, minor, size, offsets }] }
}

function readMergedChannels(blob: Uint8Array): ChannelRef['channels'] {
  const input = new DataInput(blob)
  const channels: ChannelRef['channels'][number][] = []
  for (let n = input.readCount('the number of merged channels', 20); n > 0; n--) {
    const major = input.readInt('a gate or partition')
    const minor = input.readInt('a channel or subpartition')
    const size = input.readLong('the size of a channel state')
    channels.push({ major, minor, size, offsets: readOffsets(input) })
  }
  input.expectEnd('the offsets of merged channel states')
  return channels
}
