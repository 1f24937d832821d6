/** "tokens" (goal 21): frames and main-thread time of the world with 1,000 moving tokens, against a blank page and against SVG, in turns. */
import type { Page } from 'playwright-core'
import type { TokensPage } from '../page/tokens.ts'
import { summary, type Summary } from './statistics.ts'
import type { Row } from './table.ts'
import type { Measuring } from './interleaved.ts'

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
  return [
    row('21: frames of the page, 1,000 tokens : blank', moving, blank, ({ perSecond }) => perSecond, 'frames/s', '≥ 0.92 (55 of 60)', ({ high }) => high >= 0.92),
    row('21: main-thread time per frame, animateMotion : 1,000 tokens', svg, moving, ({ millis }) => millis, 'ms', '≥ 4, ≥ 25', ({ high }) => high >= 4),
    row('21: frames of animateMotion : blank', svg, blank, ({ perSecond }) => perSecond, 'frames/s', '–', null),
    {
      what: 'frames of the drawing worker : blank',
      figure: `${summary(drawn.map(({ framesPerSecond }) => framesPerSecond)).median.toFixed(0)} frames/s`,
      against: `${summary(blank.map(({ perSecond }) => perSecond)).median.toFixed(0)} frames/s`,
      ratio: summary(drawn.map(({ framesPerSecond }, i) => framesPerSecond / (blank[i] as Frames).perSecond)),
      goal: '≥ 0.92 (55 of 60)',
      meets: null,
    },
    row('main-thread time per frame, 1,000 tokens : nothing moves', moving, still, ({ millis }) => millis, 'ms', '≈ 1 (+0.1 ms)', null),
    row('main-thread time per frame, 1,000 tokens : blank', moving, blank, ({ millis }) => millis, 'ms', '–', null),
  ]

  async function open(path: string): Promise<Page> {
    const page = await context.newPage()
    page.on('pageerror', (error) => console.log(`  page: ${error.stack ?? error.message}`))
    await page.goto(`${url}/${path}`)
    await page.waitForTimeout(500)
    return page
  }
}

function row(what: string, ours: readonly Frames[], theirs: readonly Frames[], of: (frames: Frames) => number, unit: string, goal: string, holds: ((ratio: Summary) => boolean) | null): Row {
  const ratio = summary(ours.map((frames, i) => of(frames) / of(theirs[i] as Frames)))
  const shown = (all: readonly Frames[]): string => `${summary(all.map(of)).median.toFixed(unit === 'ms' ? 2 : 0)} ${unit}`
  return { what, figure: shown(ours), against: shown(theirs), ratio, goal, meets: holds === null ? null : holds(ratio) }
}

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
