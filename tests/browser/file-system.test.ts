/** The contract of file systems on the IndexedDB of a real browser: the tests stand in node, the file system in a page. */
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { build, type Rollup } from 'vite'
import { BROWSER_ARGS, findBrowser } from '../../scripts/find-browser.mjs'
import type { FileEntry, StorageOp, StorageResult } from '../../workers/model/storage.ts'
import type { FileSystem } from '../../workers/storage/file-system.ts'
import { fileSystemContract } from '../contract/file-system.contract.ts'
import type {} from './idb/in-page.ts'
import { packed, unpacked } from './idb/packed-bytes.ts'

let browser: Browser
let page: Page
let databases = 0

beforeAll(async () => {
  const executablePath = findBrowser()
  if (executablePath === null) throw new Error('no Chromium, Chrome or Edge was found: install one, or name it in CHROME_PATH')
  browser = await chromium.launch({ executablePath, args: [...BROWSER_ARGS] })
  page = await browser.newPage()
  // Databases belong to an origin; what stands at the address does not matter.
  await page.goto(`${inject('pageUrl')}schema/job.schema.json`)
  await page.addScriptTag({ content: await script() })
})
afterAll(() => browser.close())

async function script(): Promise<string> {
  const lib = { entry: join(import.meta.dirname, 'idb/in-page.ts'), formats: ['iife' as const], name: 'idbInPageScript' }
  const outputs = (await build({ configFile: false, logLevel: 'error', build: { lib, write: false, minify: false } })) as Rollup.RollupOutput[]
  const [chunk] = outputs[0]?.output ?? []
  if (chunk === undefined) throw new Error('the script for the page was not built')
  return chunk.code
}

class FileSystemInPage implements FileSystem {
  private readonly connection: Promise<number>

  constructor(name: string) {
    this.connection = page.evaluate((of) => window.idbInPage.connect(of), name)
  }

  async execute(op: StorageOp, fence: Parameters<FileSystem['execute']>[1]): Promise<StorageResult> {
    const request = { connection: await this.connection, op: packed(op), fence }
    return unpacked(await page.evaluate((it) => window.idbInPage.execute(it.connection, it.op, it.fence), request)) as StorageResult
  }

  async entries(): Promise<readonly FileEntry[]> {
    return (await page.evaluate((connection) => window.idbInPage.entries(connection), await this.connection)) as readonly FileEntry[]
  }

  async close(): Promise<void> {
    await page.evaluate((connection) => window.idbInPage.close(connection), await this.connection)
  }
}

fileSystemContract('IndexedDB of the browser', async () => {
  const name = `contract-${++databases}`
  return {
    connect: () => new FileSystemInPage(name),
    damage: (path, how) => page.evaluate((it) => window.idbInPage.damage(it.name, it.path, it.how), { name, path, how }),
    dispose: () => page.evaluate((it) => window.idbInPage.dispose(it), name),
  }
})

describe('IndexedDB of the browser: a large file', () => {
  it('of 100 MiB is written in one piece, read back in parts, and never read whole for a part', async () => {
    const connection = await page.evaluate(() => window.idbInPage.connect('large'))
    const size = 100 * 1024 * 1024
    const result = await page.evaluate((it) => window.idbInPage.writeLarge(it.connection, '/large', it.size), { connection, size })
    expect(result).toEqual({ ok: true })
    for (const offset of [0, 50 * 1024 * 1024, size - 4096]) {
      const op = { type: 'read', path: '/large', offset, length: 4096 }
      const part = unpacked(await page.evaluate((it) => window.idbInPage.execute(it.connection, it.op, null), { connection, op })) as StorageResult
      expect(part.ok && [part.bytes?.length, part.bytes?.[0], part.size]).toEqual([4096, (offset >> 12) & 255, size])
    }
    await page.evaluate((it) => window.idbInPage.close(it), connection)
    await page.evaluate(() => window.idbInPage.dispose('large'))
  })
})
