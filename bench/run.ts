/**
 * `npm run bench [-- name … --quick]`: measures the built product in Chromium, each figure as a ratio of two things that take turns in
 * one run, and prints a table. Nothing here is asserted, and no test runs it: a shared machine has no true time.
 */
import { chromium } from 'playwright-core'
import { build } from 'vite'
import { BROWSER_ARGS, ensureBrowser } from '../scripts/find-browser.mjs'
import config, { BUILT_PAGES } from './vite.config.ts'
import { serve } from './runner/static-server.ts'
import { printTable, type Row } from './runner/table.ts'
import { barrierTime } from './runner/barrier.ts'
import { snapshotStop } from './runner/checkpoint.ts'
import { largeCheckpoint } from './runner/large-checkpoint.ts'
import type { Measuring } from './runner/interleaved.ts'
import { manySubtasks } from './runner/subtasks.ts'
import { movingTokens } from './runner/tokens.ts'
import { againstByHand, againstOthers, bigState, checkpointModes, inFront, withCheckpoints } from './runner/word-count.ts'

const BENCHMARKS: Readonly<Record<string, (measuring: Measuring) => Promise<readonly Row[]>>> = {
  'word-count': againstByHand,
  'word-count-checkpoints': withCheckpoints,
  others: againstOthers,
  modes: checkpointModes,
  'snapshot-stop': snapshotStop,
  'big-state': bigState,
  'large-checkpoint': largeCheckpoint,
  barrier: barrierTime,
  subtasks: manySubtasks,
  tokens: movingTokens,
  'in-front': inFront,
}
const ROUNDS = 8
const QUICK_ROUNDS = 3
const QUICK_SHARE = 0.25

/** The others are measured all the same. */
function failed(name: string, error: unknown): readonly Row[] {
  console.error(`  ${name} failed: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
  return []
}

const quick = process.argv.includes('--quick')
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = named.find((name) => BENCHMARKS[name] === undefined)
if (unknown !== undefined) {
  console.error(`There is no benchmark "${unknown}". Known: ${Object.keys(BENCHMARKS).join(', ')}.`)
  process.exit(2)
}

await build({ ...config, configFile: false })
const server = await serve(BUILT_PAGES)
const browser = await chromium.launch({ executablePath: ensureBrowser(), args: [...BROWSER_ARGS] })
const rows: Row[] = []
try {
  for (const name of named.length > 0 ? named : Object.keys(BENCHMARKS)) {
    console.log(name)
    // A context of its own: nothing is in storage.
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const measure = BENCHMARKS[name] as (measuring: Measuring) => Promise<readonly Row[]>
    rows.push(...(await measure({ context, url: server.url, rounds: quick ? QUICK_ROUNDS : ROUNDS, share: quick ? QUICK_SHARE : 1 }).catch((error: unknown) => failed(name, error))))
    await context.close()
  }
} finally {
  await browser.close()
  await server.close()
}
console.log('')
printTable(rows)
