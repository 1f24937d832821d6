import { describe, expect, it } from 'vitest'
import { browserTabs } from './open-page.ts'

const tabs = browserTabs()

/** What a browser does that was told to let sites store nothing. */
const FORBID = `Object.defineProperty(self, 'indexedDB', { get() { throw new DOMException('access is denied', 'SecurityError') } });`

describe('when a part dies that cannot be replaced', () => {
  it('the page says which, and everything stands still', async () => {
    const page = await tabs.open({ before: (fresh) => fresh.route('**/job-manager.worker*', (route) => route.abort()), ready: false })
    await page.waitForFunction(() => window.weir.status().dead !== null)
    const status = await page.evaluate(() => window.weir.status())
    expect(status.dead?.part).toBe('JobManager')
    expect(status.pace.actual).toBe(0)
    const refusal = await page.evaluate(() => window.weir.start().catch((error: unknown) => String(error)))
    expect(refusal).toContain('the engine is dead')
  })

  it('without IndexedDB it says that the browser does not allow to store anything', async () => {
    const page = await tabs.open({
      before: (fresh) =>
        fresh.route('**/{storage,outside}.worker*', async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, body: `${FORBID}\n${await response.text()}` })
        }),
      ready: false,
    })
    await page.waitForFunction(() => window.weir.status().dead !== null)
    const { dead, notices } = await page.evaluate(() => window.weir.status())
    expect(`${dead?.message ?? ''} ${notices.join(' ')}`).toContain('the browser does not allow this page to store data (IndexedDB)')
  })
})
