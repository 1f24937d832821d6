/** "tokens" (goal 21): frames and main-thread time of the world with 1,000 moving tokens, against a blank page and against SVG, in turns. */
import type { Page } from 'playwright-core'
import type { TokensPage } from '../page/tokens.ts'
import { GOALS } from './goals.ts'
import type { Measuring } from './interleaved.ts'
import { ratioRow, type Row } from './row.ts'

declare const window: { readonly bench: TokensPage }

const TOKENS = 1000
/** Tokens fill the wires first. */
const WARM_UP_MS = 4000
const MEASURED_MS = 4000

/** As text, because it runs in the page as it stands. */
const COUNT_FRAMES = `new Promise((resolve) => {
  let frames = 0
  const start = performance.now()
  const count = () => {
    frames++
    const elapsed = performance.now() - start
    if (elapsed >= ${MEASURED_MS}) resolve({ frames, seconds: elapsed / 1000 })
    else requestAnimationFrame(count)
  }
  requestAnimationFrame(count)
})`

interface Frames {
  readonly perSecond: number
  /** Processor time of the main thread for a frame, all tasks. */
  readonly millis: number
}

export async function movingTokens({ context, url, rounds }: Measuring): Promise<readonly Row[]> {
  const blank: Frames[] = []
  const moving: Frames[] = []
  const still: Frames[] = []
  const svg: Frames[] = []
  const drawn: { framesPerSecond: number; millisPerFrame: number }[] = []
  for (let round = 0; round < rounds; round++) {
    blank.push(await measured(await open('blank.html')))
    still.push(await measured(await open('tokens.html?tokens=0')))
    const page = await open(`tokens.html?tokens=${TOKENS}`)
    await page.waitForTimeout(WARM_UP_MS)
    moving.push(await measured(page, async () => drawn.push(await drawing(page))))
    svg.push(await measured(await open(`tokens.html?tokens=${TOKENS}&by=animateMotion`)))
    console.log(`  round ${round + 1}: ${text('blank', blank.at(-1))}, ${text('still', still.at(-1))}, ${text('moving', moving.at(-1))}, ${text('animateMotion', svg.at(-1))}; drawing worker ${drawn.at(-1)?.framesPerSecond.toFixed(0)} frames/s, ${drawn.at(-1)?.millisPerFrame.toFixed(1)} ms each`)
  }
  const frames = (all: readonly Frames[]): number[] => all.map(({ perSecond }) => perSecond)
  const times = (all: readonly Frames[]): number[] => all.map(({ millis }) => millis)
  return [
    ratioRow({ what: 'frames of the page, 1,000 tokens : blank', ours: frames(moving), theirs: frames(blank), show: perSecondText, goal: GOALS.framesOfTokens }),
    ratioRow({ what: 'main-thread time per frame, animateMotion : 1,000 tokens', ours: times(svg), theirs: times(moving), show: millisText, goal: GOALS.mainThreadOfTokens }),
    ratioRow({ what: 'frames of animateMotion : blank', ours: frames(svg), theirs: frames(blank), show: perSecondText }),
    ratioRow({ what: 'frames of the drawing worker : blank', ours: drawn.map(({ framesPerSecond }) => framesPerSecond), theirs: frames(blank), show: perSecondText }),
    ratioRow({ what: 'main-thread time per frame, 1,000 tokens : nothing moves', ours: times(moving), theirs: times(still), show: millisText }),
    ratioRow({ what: 'main-thread time per frame, 1,000 tokens : blank', ours: times(moving), theirs: times(blank), show: millisText }),
  ]

  async function open(path: string): Promise<Page> {
    const page = await context.newPage()
    page.on('pageerror', (error) => console.log(`  page: ${error.stack ?? error.message}`))
    await page.goto(`${url}/${path}`)
    await page.waitForTimeout(500)
    return page
  }
}

const perSecondText = (figure: number): string => `${figure.toFixed(0)} frames/s`
const millisText = (figure: number): string => `${figure.toFixed(2)} ms`
const text = (name: string, frames: Frames | undefined): string => `${name} ${frames?.perSecond.toFixed(0)} frames/s ${frames?.millis.toFixed(2)} ms`

/** Counts animation frames and the time of all main-thread tasks over some seconds, then closes the page. */
async function measured(page: Page, before: () => Promise<unknown> = () => Promise.resolve()): Promise<Frames> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const from = await taskSeconds()
  const { frames, seconds } = await page.evaluate<{ frames: number; seconds: number }>(COUNT_FRAMES)
  const to = await taskSeconds()
  await before()
  await page.close()
  return { perSecond: frames / seconds, millis: ((to - from) * 1000) / frames }

  async function taskSeconds(): Promise<number> {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN
  }
}

async function drawing(page: Page): Promise<{ framesPerSecond: number; millisPerFrame: number }> {
  const { drawing, nodes } = await page.evaluate(() => ({ drawing: window.bench.drawing, nodes: window.bench.nodes }))
  if (drawing === null) throw new Error('the drawing worker never drew')
  if (nodes < 50) throw new Error(`only ${nodes} nodes were drawn`)
  if (drawing.tokens < 0.9 * TOKENS) throw new Error(`only ${drawing.tokens} of ${TOKENS} tokens were under way`)
  return drawing
}
