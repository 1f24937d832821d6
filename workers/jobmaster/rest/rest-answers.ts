import { toMillis } from '../../model/time.ts'
import type { EngineTime } from '../../model/time.ts'
import type { RestAnswer } from './rest-types.ts'

export const answer = (body: unknown): RestAnswer => ({ status: 200, body })

/** Flink's error body. */
export const failure = (status: number, message: string): RestAnswer => ({ status, body: { errors: [message] } })

/** Milliseconds; -1 where there is no such time. */
export const millisOr = (time: EngineTime | null | undefined): number => (time === null || time === undefined ? -1 : toMillis(time))
