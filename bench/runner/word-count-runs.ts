/** One run of the word count in the page, by each of the ways that are compared; records per second. */
import type { Page } from 'playwright-core'
import type { Way } from '../by-hand/channel.ts'
import type { Means } from '../one-thread/counts.ts'
import type { EngineOptions } from '../page/engine-word-count.ts'
import type { WordCountPage } from '../page/word-count.ts'
import type { Measuring } from './interleaved.ts'

declare const window: { readonly bench: WordCountPage }

export const RECORDS = 5_000_000
/** Long enough for several checkpoints, one each second. */
const CHECKPOINTED_RECORDS = 20_000_000
/** In a hurry too, a run outlasts the first second; where others do the same count, it is not much longer than theirs. */
export const CHECKPOINTED_LEAST = 10_000_000

export const checkpointedRecords = ({ share }: Pick<Measuring, 'share'>): number => Math.max(CHECKPOINTED_RECORDS * share, CHECKPOINTED_LEAST)

/** A run with checkpoints in which none completed says nothing, and fails. */
export async function byEngine(page: Page, options: EngineOptions): Promise<number> {
  const run = await page.evaluate((asked) => window.bench.byEngine(asked), options)
  if (options.checkpointEveryMs !== undefined && run.checkpoints === 0) throw new Error('no checkpoint completed: the run was too short')
  return run.recordsPerSecond
}

export const byHand = async (page: Page, way: Way, records: number): Promise<number> =>
  (await page.evaluate(([asked, count]) => window.bench.byHand(asked, count), [way, records] as const)).recordsPerSecond

export const inOneThread = (page: Page, means: Means, records: number): Promise<number> =>
  page.evaluate(([asked, count]) => window.bench.inOneThread(asked, count), [means, records] as const)
