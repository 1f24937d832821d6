import type { EngineTime } from '../../workers/model/time.ts'
import { duration } from '../widgets/figures.ts'

/** A limit, or the top of a scale: "30 s" rather than "30.0 s". */
export const roundDuration = (micros: EngineTime): string => duration(micros).replace(/\.0+(?=\D)/, '')
