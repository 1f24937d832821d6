/** How long a checkpoint barrier is under way from source to sink while the job runs flat out. */
import type { EngineOptions } from '../page/engine-word-count.ts'
import type { WordCountPage } from '../page/word-count.ts'
import { millions, millis, openWordCount, ratioRow, takeTurns, type Measuring } from './interleaved.ts'
import { summary } from './statistics.ts'
import type { Row } from './table.ts'

declare const window: { readonly bench: WordCountPage }

/** Never fewer: a run must be long enough for some barriers. */
const BARRIER_RECORDS = 10_000_000
const BARRIER_EVERY_MS = 150

/** Goal 10: with buffers as large as the batches by hand; with Flink's default, of which fewer records are in flight; and unaligned, past what is in flight. */
export async function barrierTime(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const medianOf = (barriers: readonly number[]): number => {
    if (barriers.length < 2) throw new Error(`only ${barriers.length} barriers came through: the run was too short`)
    return summary(barriers).median
  }
  const rates: number[] = []
  const byEngine = async (further: Partial<EngineOptions>): Promise<number> => {
    const run = await page.evaluate((options) => window.bench.byEngine(options), { records: BARRIER_RECORDS, checkpointEveryMs: BARRIER_EVERY_MS, ...further })
    rates.push(run.recordsPerSecond)
    return medianOf(run.barriers)
  }
  const { hand, engine, small, unaligned } = await takeTurns(
    measuring.rounds,
    {
      hand: async () => medianOf((await page.evaluate(([count, every]) => window.bench.byHand({ type: 'dictionary' }, count, every), [BARRIER_RECORDS, BARRIER_EVERY_MS] as const)).barriers),
      engine: () => byEngine({}),
      small: () => byEngine({ segmentSize: '32 kb' }),
      unaligned: () => byEngine({ config: { 'execution.checkpointing.unaligned.enabled': true } }),
    },
    millis,
  )
  console.log(`  the engine meanwhile: ${millions(summary(rates).median)}`)
  await page.close()
  const row = (what: string, ours: readonly number[]): Row => ratioRow({ what, ours, theirs: hand, show: millis, goal: '≤ 3, ≤ 1.5', atMost: 3 })
  return [row('10: barrier source → sink, engine : by hand', engine), row('10: the same with segments of 32 kb', small), row('10: the same, unaligned', unaligned)]
}
