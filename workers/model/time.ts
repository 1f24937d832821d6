/**
 * Engine time: whole microseconds since the job's clock began (DESIGN: all times in the engine are engine time). Hosts map it to wall
 * time by a pace. REST answers and Flink's files carry milliseconds, rounded down.
 */
export type EngineTime = number

export const MICROS_PER_MS = 1000
export const MICROS_PER_SECOND = 1_000_000

/** Milliseconds for REST and files, rounded down. */
export const toMillis = (time: EngineTime): number => Math.floor(time / MICROS_PER_MS)

/** As Flink subtracts two timestamps in milliseconds: what stands beside them adds up. */
export const millisBetween = (from: EngineTime, to: EngineTime): number => toMillis(to) - toMillis(from)

/** No watermark yet, and the watermark of a stream that has ended. Only files use Long.MIN_VALUE and Long.MAX_VALUE. */
export const MIN_WATERMARK = -Infinity
export const MAX_WATERMARK = Infinity
