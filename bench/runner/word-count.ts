/** "word-count": the engine against the pipeline written by hand, and against itself with checkpoints. */
import type { BrowserContext } from 'playwright-core'
import type { WordCountPage } from '../page/word-count.ts'
import { summary } from './statistics.ts'
import type { Row } from './table.ts'

declare const window: { readonly bench: WordCountPage }

const RECORDS = 5_000_000
/** Long enough for several checkpoints, one each second. */
const CHECKPOINTED_RECORDS = 20_000_000
const millions = (perSecond: number): string => `${(perSecond / 1e6).toFixed(2)} M records/s`

export interface Measuring {
  readonly context: BrowserContext
  readonly url: string
  readonly rounds: number
}

async function open({ context, url }: Measuring) {
  const page = await context.newPage()
  page.on('console', (message) => console.log(`  page: ${message.text()}`))
  page.on('pageerror', (error) => console.log(`  page: ${error.stack ?? error.message}`))
  await page.goto(`${url}/word-count.html`)
  await page.waitForFunction(() => 'bench' in window)
  await page.evaluate(() => window.bench.ready)
  return page
}

/** Rounds of hand-written and engine in turn; the first round warms up and does not count. */
export async function againstByHand(measuring: Measuring): Promise<readonly Row[]> {
  const page = await open(measuring)
  const hand: number[] = []
  const engine: number[] = []
  for (let round = 0; round <= measuring.rounds; round++) {
    const byHand = await page.evaluate((records) => window.bench.byHand(records), RECORDS)
    const run = await page.evaluate((records) => window.bench.byEngine(records, null), RECORDS)
    console.log(`  round ${round}: by hand ${millions(byHand)}, engine ${millions(run.recordsPerSecond)} (${run.buffers} buffers)${round === 0 ? ', not counted' : ''}`)
    if (round === 0) continue
    hand.push(byHand)
    engine.push(run.recordsPerSecond)
  }
  await page.close()
  const ratio = summary(engine.map((each, i) => each / (hand[i] as number)))
  return [
    {
      what: 'word count, engine : by hand (H)',
      figure: millions(summary(engine).median),
      against: millions(summary(hand).median),
      ratio,
      goal: '≥ 0.40 now, ≥ 0.60, ≥ 0.80',
      meets: ratio.median >= 0.4,
    },
  ]
}

/** The engine with a checkpoint each second and without. */
export async function withCheckpoints(measuring: Measuring): Promise<readonly Row[]> {
  const page = await open(measuring)
  const off: number[] = []
  const on: number[] = []
  for (let round = 0; round <= measuring.rounds; round++) {
    const without = await page.evaluate((records) => window.bench.byEngine(records, null), CHECKPOINTED_RECORDS)
    const run = await page.evaluate((records) => window.bench.byEngine(records, 1000), CHECKPOINTED_RECORDS)
    console.log(`  round ${round}: without ${millions(without.recordsPerSecond)}, with ${millions(run.recordsPerSecond)} (${run.checkpoints} checkpoints)${round === 0 ? ', not counted' : ''}`)
    if (round === 0) continue
    off.push(without.recordsPerSecond)
    on.push(run.recordsPerSecond)
  }
  await page.close()
  const ratio = summary(on.map((each, i) => each / (off[i] as number)))
  return [
    {
      what: 'word count, checkpoint each second : none',
      figure: millions(summary(on).median),
      against: millions(summary(off).median),
      ratio,
      goal: '≥ 0.97, ≥ 0.99',
      meets: ratio.median >= 0.97,
    },
  ]
}
