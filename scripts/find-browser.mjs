/**
 * Finds a Chromium-family browser for the browser tests: CHROME_PATH, then the usual names and places. As root on Debian or Ubuntu it can
 * install Debian's chromium; elsewhere it says in one line what to install.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge', 'msedge']
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** Switches for a browser that runs in tests: no GPU, no sandbox (root in containers), nothing sent home. */
export const BROWSER_ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Path of a browser, or null. */
export function findBrowser() {
  const asked = process.env.CHROME_PATH
  if (asked) return existsSync(asked) ? asked : null
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of NAMES) {
      const path = join(folder, name)
      if (folder !== '' && existsSync(path)) return path
    }
  }
  return PLACES.find((path) => existsSync(path)) ?? null
}

/** Path of a browser, installed when that is possible; otherwise throws with one line that says what to do. */
export function ensureBrowser() {
  const found = findBrowser()
  if (found !== null) return found
  const mayInstall = process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (mayInstall) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    console.log('setup: installing chromium for the browser tests')
    try {
      execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env, stdio: 'ignore' })
    } catch {
      execFileSync('apt-get', ['update'], { env, stdio: 'ignore' })
      execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env, stdio: 'ignore' })
    }
    const installed = findBrowser()
    if (installed !== null) return installed
  }
  throw new Error('No browser found: install Chromium, Chrome or Edge, or set CHROME_PATH to one.')
}
