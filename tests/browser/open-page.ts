/** A browser of its own for each test file, and pages whose errors fail the test that opened them. */
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest'
import type {} from '../../src/cluster/console-api.ts'
import { BROWSER_ARGS, findBrowser } from '../../scripts/find-browser.mjs'

export interface Tabs {
  /** A tab of this test's own profile: databases, locks and channels are shared among its tabs. */
  open(options?: OpenOptions): Promise<Page>
}

export interface OpenOptions {
  /** What is done to the tab before it loads the page. */
  readonly before?: (page: Page) => Promise<unknown>
  /** False: do not wait until somebody leads. */
  readonly ready?: boolean
  /** What stands behind the address: "#job=…". */
  readonly hash?: string
  /** In a profile of its own: another machine, as far as the page can tell. */
  readonly elsewhere?: boolean
}

/** Call at the top of a test file. */
export function browserTabs(): Tabs {
  let browser: Browser
  let context: BrowserContext
  let others: BrowserContext[] = []
  let errors: string[] = []
  beforeAll(async () => {
    const executablePath = findBrowser()
    if (executablePath === null) throw new Error('no Chromium, Chrome or Edge was found: install one, or name it in CHROME_PATH')
    browser = await chromium.launch({ executablePath, args: [...BROWSER_ARGS] })
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    errors = []
    context = await browser.newContext()
  })
  afterEach(async () => {
    await Promise.all([context, ...others].map((each) => each.close()))
    others = []
    expect(errors, 'errors on the page').toEqual([])
  })
  return {
    open: async ({ before, ready = true, hash = '', elsewhere = false } = {}) => {
      if (elsewhere) others.push(await browser.newContext())
      const page = await (elsewhere ? (others.at(-1) as BrowserContext) : context).newPage()
      page.on('pageerror', (error) => errors.push(error.message))
      await before?.(page)
      await page.goto(inject('pageUrl') + hash)
      if (ready) await page.waitForFunction(() => window.weir.status().role !== 'starting' && window.weir.status().leader !== 'starting')
      return page
    },
  }
}
