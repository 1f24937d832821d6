/** Goals 19 and 20: time and memory of 64 subtasks that have nothing to do, against 64 bare workers with the same script. */
import { readFile } from 'node:fs/promises'
import type { CDPSession, Page } from 'playwright-core'
import type { WordCountPage } from '../page/word-count.ts'
import { GOALS } from './goals.ts'
import { millis, openWordCount, type Measuring } from './interleaved.ts'
import { ratioRow, type Row } from './row.ts'

declare const window: { readonly bench: WordCountPage }

const SUBTASKS = 64
/** So that what starting left behind is gone. */
const SETTLE_MS = 2500
const mebibytes = (each: number): string => `${each.toFixed(2)} MiB`

interface Started {
  readonly millis: number
  /** MiB of each; null where the system does not tell. */
  readonly memory: number | null
}

export async function manySubtasks(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const browser = page.context().browser()
  const session = browser === null ? null : await browser.newBrowserCDPSession()
  const bare: Started[] = []
  const engine: Started[] = []
  for (let round = 0; round <= measuring.rounds; round++) {
    const one = await started(page, session, () => page.evaluate((count) => window.bench.startBareWorkers(count), SUBTASKS), () => page.evaluate(() => window.bench.stopBareWorkers()))
    const other = await started(page, session, () => page.evaluate((count) => window.bench.startIdle(count), SUBTASKS), () => page.evaluate(() => window.bench.cancelIdle()))
    console.log(`  round ${round}: bare ${text(one)}, subtasks ${text(other)}${round === 0 ? '; not counted' : ''}`)
    if (round === 0) continue
    bare.push(one)
    engine.push(other)
  }
  await page.close()
  const time = ratioRow({ what: 'start of 64 subtasks : 64 bare workers', ours: engine.map((each) => each.millis), theirs: bare.map((each) => each.millis), show: millis, goal: GOALS.startOfSubtasks })
  const known = (all: readonly Started[]): number[] => all.flatMap(({ memory }) => (memory === null ? [] : [memory]))
  if (known(bare).length < bare.length || known(engine).length < engine.length) return [time]
  return [time, ratioRow({ what: 'memory of an idle subtask : bare worker', ours: known(engine), theirs: known(bare), show: mebibytes, goal: GOALS.memoryOfSubtask })]
}

const text = ({ millis: time, memory }: Started): string => `${millis(time)}${memory === null ? '' : `, ${mebibytes(memory)} each`}`

async function started(page: Page, session: CDPSession | null, start: () => Promise<number>, stop: () => Promise<unknown>): Promise<Started> {
  const before = await rendererMebibytes(session)
  const time = await start()
  await page.waitForTimeout(SETTLE_MS)
  const after = await rendererMebibytes(session)
  await stop()
  await page.waitForTimeout(SETTLE_MS)
  return { millis: time, memory: before === null || after === null ? null : (after - before) / SUBTASKS }
}

/** What all renderers have for themselves: the workers of a page live in its process. Linux alone tells. */
async function rendererMebibytes(session: CDPSession | null): Promise<number | null> {
  if (session === null) return null
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  let kibibytes = 0
  for (const { type, id } of processInfo) {
    if (type !== 'renderer') continue
    const rollup = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => null)
    if (rollup === null) return null
    for (const [, size] of rollup.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)) kibibytes += Number(size)
  }
  return kibibytes / 1024
}
