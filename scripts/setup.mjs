/**
 * Set-up before `npm start`, `npm run build` and `npm test`: packages when they are missing or older than the lock file, data sets, and with
 * `--browser` a browser for the tests. Does nothing, quickly, when all is there.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const lock = join(root, 'package-lock.json')
const installed = join(root, 'node_modules', '.package-lock.json')

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  // What a command prints is its own: the set-up speaks on the other stream.
  console.error('setup: installing packages')
  execFileSync('npm', ['ci'], { cwd: root, stdio: ['inherit', 2, 2], shell: process.platform === 'win32' })
}

const { bringDataSets } = await import('./data-sets.mjs')
await bringDataSets()

if (process.argv.includes('--browser')) {
  const { ensureBrowser } = await import('./find-browser.mjs')
  try {
    ensureBrowser()
  } catch (error) {
    console.error(`setup: ${error.message}`)
    process.exit(1)
  }
}
