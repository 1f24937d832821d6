/** Measures several things in turn, round by round. */
import type { BrowserContext, Page } from 'playwright-core'
import type { WordCountPage } from '../page/word-count.ts'

declare const window: { readonly bench: WordCountPage }

export interface Measuring {
  readonly context: BrowserContext
  readonly url: string
  readonly rounds: number
  /** Of the records of each run, so much: 1 unless somebody is in a hurry. */
  readonly share: number
}

export const millions = (perSecond: number): string => `${(perSecond / 1e6).toFixed(2)} M records/s`
export const millis = (time: number): string => `${time.toFixed(time < 10 ? 2 : 0)} ms`

/** The page with the engine and with what it is compared with. */
export async function openWordCount({ context, url }: Measuring): Promise<Page> {
  const page = await context.newPage()
  page.on('console', (message) => console.log(`  page: ${message.text()}`))
  page.on('pageerror', (error) => console.log(`  page: ${error.stack ?? error.message}`))
  await page.goto(`${url}/word-count.html`)
  await page.waitForFunction(() => 'bench' in window)
  await page.evaluate(() => window.bench.ready)
  return page
}

export type Measured<Name extends string> = Readonly<Record<Name, readonly number[]>>

/** One figure for each name and round; the first round warms up and does not count. */
export async function takeTurns<Name extends string>(rounds: number, runs: Readonly<Record<Name, () => Promise<number>>>, show: (figure: number) => string): Promise<Measured<Name>> {
  const names = Object.keys(runs) as Name[]
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round <= rounds; round++) {
    const line: string[] = []
    for (const name of names) {
      const figure = await runs[name]()
      line.push(`${name} ${show(figure)}`)
      if (round > 0) figures[name].push(figure)
    }
    console.log(`  round ${round}: ${line.join(', ')}${round === 0 ? '; not counted' : ''}`)
  }
  return figures
}
