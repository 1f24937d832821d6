/** What is to be reached, by number: a realistic figure and an ambitious one. Ratios where no unit is named. */
export interface Goal {
  readonly number: number
  readonly better: 'higher' | 'lower'
  /** Null: only the ambitious figure is stated, or only the realistic one. */
  readonly realistic: number | null
  readonly ambitious: number | null
  readonly unit?: 'ms'
}

const atLeast = (number: number, realistic: number | null, ambitious: number | null): Goal => ({ number, better: 'higher', realistic, ambitious })
const atMost = (number: number, realistic: number | null, ambitious: number | null): Goal => ({ number, better: 'lower', realistic, ambitious })
const millisAtMost = (number: number, realistic: number, ambitious: number | null): Goal => ({ ...atMost(number, realistic, ambitious), unit: 'ms' })

export const GOALS = {
  wordCount: atLeast(1, 0.6, 0.8),
  checkpointEachSecond: atLeast(2, 0.97, 0.99),
  checkpointEach100Millis: atLeast(3, 0.8, 0.9),
  bigStateEachSecond: atLeast(4, 0.82, 0.92),
  bigStateEach10Seconds: atLeast(5, 0.96, 0.98),
  callAtBarrier: millisAtMost(6, 1, 0.2),
  longestSlice: millisAtMost(6, 2, 0.5),
  stopByState: atMost(6, null, 2),
  stopAgainstClone: atLeast(7, 300, 2000),
  serializingAgainstClone: atLeast(8, 8, 14),
  largeCheckpoint: atMost(9, 1.3, 1.1),
  barrier: atMost(10, 3, 1.5),
  oneRecordAMessage: atLeast(11, 50, 80),
  structuredClone: atLeast(12, 4, 5.5),
  rxjs: atLeast(13, 3, 5),
  webStreams: atLeast(14, 40, 60),
  ix: atLeast(14, 15, 22),
  asyncGenerators: atLeast(14, 2, 2.6),
  effect: atLeast(14, 1.5, 2),
  startOfSubtasks: atMost(19, 1.5, 1.2),
  memoryOfSubtask: atMost(20, 1.5, 1.2),
  /** 55 and 60 of 60 frames a second. */
  framesOfTokens: atLeast(21, 0.92, 1),
  /** The ambitious one is that of a drawing worker, which the product has. */
  mainThreadOfTokens: atLeast(21, 4, 25),
  inFront: atLeast(22, 0.85, 0.95),
  pageNeverBlocked: millisAtMost(26, 50, null),
} as const satisfies Readonly<Record<string, Goal>>

const SIGNS = { higher: '≥', lower: '≤' } as const

/** "≥ 0.6" of one of the two figures, or a dash. */
export function limitText({ better, unit }: Goal, limit: number | null): string {
  return limit === null ? '–' : `${SIGNS[better]} ${limit}${unit === undefined ? '' : ` ${unit}`}`
}
