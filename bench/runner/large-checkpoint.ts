/** "large-checkpoint": 100 MiB of state into IndexedDB, the product against hand-written code, and what the page feels of it. */
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Page } from 'playwright-core'
import { ENTRIES, keyOf, textOf } from '../by-hand/large-state.ts'
import type { LargeCheckpoint } from '../page/large-checkpoint.ts'
import type { WordCountPage } from '../page/word-count.ts'
import { BUILT_PAGES } from '../vite.config.ts'
import { GOALS } from './goals.ts'
import { millis, openWordCount, type Measuring } from './interleaved.ts'
import { absoluteRow, ratioRow, type Row } from './row.ts'

declare const window: { readonly bench: WordCountPage }

/** Goal 9. */
export async function largeCheckpoint(measuring: Measuring): Promise<readonly Row[]> {
  await writeTexts()
  const page = await openWordCount(measuring)
  await page.evaluate(() => window.bench.fillLargeState())
  const thread = await threadTime(page)
  const engine: LargeCheckpoint[] = []
  const pageTimes: number[] = []
  const buffers: LargeCheckpoint[] = []
  const blobs: LargeCheckpoint[] = []
  for (let round = 0; round <= measuring.rounds; round++) {
    const byBuffers = await page.evaluate(() => window.bench.largeCheckpoint('buffers'))
    const before = await thread()
    const byEngine = await page.evaluate(() => window.bench.largeCheckpoint('engine'))
    const pageTime = (await thread()) - before
    const taken = [byBuffers, byEngine, await page.evaluate(() => window.bench.largeCheckpoint('blobs'))] as const
    console.log(`  round ${round}: buffers ${text(taken[0])}, engine ${text(taken[1])}, told of ${taken[1].progress} times, page ${millis(pageTime)} in all, longest task ${millis(taken[1].longestTask)}, blobs ${text(taken[2])}${round === 0 ? '; not counted' : ''}`)
    if (round === 0) continue
    buffers.push(taken[0])
    engine.push(taken[1])
    blobs.push(taken[2])
    pageTimes.push(pageTime)
  }
  await page.close()
  const times = (all: readonly LargeCheckpoint[]): number[] => all.map((each) => each.millis)
  return [
    ratioRow({ what: 'checkpoint of 100 MiB, engine : by hand, buffers', ours: times(engine), theirs: times(buffers), show: millis, goal: GOALS.largeCheckpoint }),
    ratioRow({ what: 'checkpoint of 100 MiB, engine : by hand, Blobs', ours: times(engine), theirs: times(blobs), show: millis }),
    absoluteRow({ what: 'longest task of the page during a checkpoint of 100 MiB', ours: engine.map(({ longestTask }) => longestTask), show: millis, goal: GOALS.pageNeverBlocked }),
    absoluteRow({ what: 'processor time of all tasks of the page during it', ours: pageTimes, show: millis }),
    absoluteRow({ what: 'times the page heard of its progress', ours: engine.map(({ progress }) => progress), show: String }),
  ]
}

/** Milliseconds of processor time that the page's main thread has spent in tasks: other programs are not in it. */
async function threadTime(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN)
  }
}

const text = (taken: LargeCheckpoint): string => `${millis(taken.millis)} for ${(taken.bytes / 2 ** 20).toFixed(1)} MiB`

/** In the place of the data set of the flights, whose fields these have. */
async function writeTexts(): Promise<void> {
  await mkdir(join(BUILT_PAGES, 'data'), { recursive: true })
  const file = createWriteStream(join(BUILT_PAGES, 'data', 'flights-20k.json'))
  file.write('{"fields":["date","delay","distance","origin","destination"],"rows":[')
  for (let i = 0; i < ENTRIES; i++) file.write(`${i === 0 ? '' : ','}${JSON.stringify([keyOf(i), i, 2 * i, textOf(i), ''])}`)
  file.end(']}')
  await finished(file)
}
