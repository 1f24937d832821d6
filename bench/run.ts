/**
 * `npm run bench [-- name … --out path]`: measures the built product in Chromium, each figure as a ratio of two things that take turns in
 * one run, prints a table and keeps it. Nothing here is asserted, and no test runs it: a shared machine has no true time.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { chromium, type Browser } from 'playwright-core'
import { build } from 'vite'
import { BROWSER_ARGS, ensureBrowser } from '../scripts/find-browser.mjs'
import { parseArguments, USAGE, type Asked } from './runner/arguments.ts'
import { BENCHMARKS, checkGoals, listed, NAMES, type Benchmark } from './runner/benchmarks.ts'
import { machineOf } from './runner/machine.ts'
import { EMPTY_REPORT, isTaken, markdown, parseReport, rowsOf, withEntry, type Entry, type Machine, type Report } from './runner/report.ts'
import { serve } from './runner/static-server.ts'
import { textTable } from './runner/table.ts'
import config, { BUILT_PAGES } from './vite.config.ts'

interface Surroundings {
  readonly browser: Browser
  readonly url: string
  readonly machine: Machine
}

function askedFor(): Asked {
  try {
    return parseArguments(process.argv.slice(2), NAMES)
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${USAGE}`)
    return process.exit(2)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function taken(benchmark: Benchmark, { rounds, share }: Asked, { browser, url, machine }: Surroundings): Promise<Entry> {
  const load = loadavg()
  const takenAt = new Date()
  // A context of its own: nothing is in storage.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const rows = await benchmark.measure({ context, url, rounds, share })
    checkGoals(benchmark, rows)
    return { name: benchmark.name, rounds, share, takenAt: takenAt.toISOString(), seconds: (Date.now() - takenAt.getTime()) / 1000, load, machine, rows }
  } finally {
    // Where the browser itself is gone, what the measuring said of it is to be heard.
    await context.close().catch(() => undefined)
  }
}

async function measureAll(asked: Asked, surroundings: Surroundings): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (const benchmark of BENCHMARKS.filter(({ name }) => asked.names.includes(name))) {
    const { name } = benchmark
    if (asked.resume && isTaken(kept(asked.out), name, { ...asked, commit: surroundings.machine.commit })) {
      console.log(`${name}: there already`)
      continue
    }
    console.log(name)
    try {
      const entry = await taken(benchmark, asked, surroundings)
      entries.push(entry)
      keep(asked.out, entry)
    } catch (error) {
      // The others are measured all the same.
      console.error(`  ${name} failed: ${messageOf(error)}`)
      process.exitCode = 1
    }
  }
  return entries
}

const kept = (out: string | null): Report => (out !== null && existsSync(`${out}.json`) ? parseReport(readFileSync(`${out}.json`, 'utf8')) : EMPTY_REPORT)

function keep(out: string | null, entry: Entry): void {
  if (out === null) return
  const report = withEntry(kept(out), entry, NAMES)
  writeFileSync(`${out}.json`, `${JSON.stringify(report, null, 1)}\n`)
  writeFileSync(`${out}.md`, markdown(report))
}

async function main(asked: Asked): Promise<void> {
  // What cannot be added to is told of before hours have gone into it.
  kept(asked.out)
  await build({ ...config, configFile: false })
  const server = await serve(BUILT_PAGES)
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: [...BROWSER_ARGS] })
  try {
    const entries = await measureAll(asked, { browser, url: server.url, machine: machineOf(browser.version()) })
    console.log(`\n${textTable(rowsOf({ ...EMPTY_REPORT, entries }))}`)
  } finally {
    await browser.close()
    await server.close()
  }
}

const asked = askedFor()
if (asked.list) console.log(listed())
else await main(asked)
