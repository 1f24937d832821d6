/** The alignment of a barrier, and what it becomes on its way (behaviour 2.5, 6.4, 6.6). Flink: CheckpointOptions. */
import type { CheckpointOptions } from './checkpoint.ts'
import type { EngineTime } from './time.ts'
import type { CheckpointBarrier } from './wire.ts'

export const isUnaligned = (options: CheckpointOptions): boolean => options.alignment === 'UNALIGNED'

/** An aligned barrier that turns unaligned when it takes too long: it is announced ahead of the data. */
export const isTimeoutable = (options: CheckpointOptions): boolean =>
  options.alignment === 'ALIGNED' && options.alignedTimeoutMicros !== undefined && options.alignedTimeoutMicros > 0

/** The sender stops behind such a barrier until it is resumed. */
export const needsAlignment = (options: CheckpointOptions): boolean => options.alignment === 'ALIGNED' || options.alignment === 'FORCED_ALIGNED'

/** In-flight data may become part of the snapshot. */
export const needsChannelState = (options: CheckpointOptions): boolean => isUnaligned(options) || isTimeoutable(options)

/** When an aligned barrier turns unaligned: by the age of the checkpoint, so that delays of earlier stages count (behaviour 6.4). */
export const alignmentDeadline = (barrier: CheckpointBarrier): EngineTime => barrier.timestamp + (barrier.options.alignedTimeoutMicros ?? Infinity)

export function asUnaligned(barrier: CheckpointBarrier): CheckpointBarrier {
  if (isUnaligned(barrier.options)) return barrier
  const { type, location } = barrier.options
  return { ...barrier, options: { alignment: 'UNALIGNED', type, location } }
}

/** On an edge that cannot carry unaligned barriers. What it was is kept in the time-out. */
export function withUnalignedUnsupported(barrier: CheckpointBarrier): CheckpointBarrier {
  return needsChannelState(barrier.options) ? { ...barrier, options: { ...barrier.options, alignment: 'FORCED_ALIGNED' } } : barrier
}

/** Behind a task that was reached over such an edge. */
export function withUnalignedSupported(barrier: CheckpointBarrier): CheckpointBarrier {
  const { options } = barrier
  if (options.alignment !== 'FORCED_ALIGNED') return barrier
  return { ...barrier, options: { ...options, alignment: options.alignedTimeoutMicros === undefined ? 'UNALIGNED' : 'ALIGNED' } }
}
