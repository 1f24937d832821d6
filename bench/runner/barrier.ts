/** How long a checkpoint barrier is under way from source to sink while the job runs flat out. */
import type { EngineOptions } from '../page/engine-word-count.ts'
import type { WordCountPage } from '../page/word-count.ts'
import { GOALS } from './goals.ts'
import { millions, millis, openWordCount, takeTurns, type Measuring } from './interleaved.ts'
import { ratioRow, type Row } from './row.ts'
import { summary } from './statistics.ts'

declare const window: { readonly bench: WordCountPage }

/** Never fewer: long enough for many barriers, most of them after the workers' code has been compiled. */
const BARRIER_RECORDS = 30_000_000
const BARRIER_EVERY_MS = 150

/**
 * Goal 10: with buffers as large as the batches by hand; with Flink's default, of which fewer records are in flight; and unaligned, past what is in
 * flight. By hand twice: as in "word-count", where the source is the slowest and the queues are empty, and with a source that fills them.
 */
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
  const byHand = async (numbered: boolean): Promise<number> =>
    medianOf((await page.evaluate(([way, count, every]) => window.bench.byHand(way, count, every), [{ type: 'dictionary', numbered }, BARRIER_RECORDS, BARRIER_EVERY_MS] as const)).barriers)
  const { hand, full, engine, small, unaligned } = await takeTurns(
    measuring.rounds,
    {
      hand: () => byHand(false),
      full: () => byHand(true),
      engine: () => byEngine({}),
      small: () => byEngine({ segmentSize: '32 kb' }),
      unaligned: () => byEngine({ config: { 'execution.checkpointing.unaligned.enabled': true } }),
    },
    millis,
  )
  console.log(`  the engine meanwhile: ${millions(summary(rates).median)}`)
  await page.close()
  const row = (what: string, ours: readonly number[], theirs: readonly number[]): Row => ratioRow({ what, ours, theirs, show: millis, goal: GOALS.barrier })
  return [
    row('barrier source → sink, engine : by hand with full queues', engine, full),
    row('barrier, engine with segments of 32 kb : by hand with full queues', small, full),
    row('barrier, engine unaligned : by hand with full queues', unaligned, full),
    row('barrier source → sink, engine : by hand with empty queues', engine, hand),
    row('barrier, engine unaligned : by hand with empty queues', unaligned, hand),
  ]
}
