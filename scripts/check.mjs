/**
 * `npm test`: every check of the project, one after the other, with one line at the end. `--fast` leaves out what takes minutes
 * (simulation, browser). A check that fails does not stop the others: one run shows everything.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const fast = process.argv.includes('--fast')
const scratch = mkdtempSync(join(tmpdir(), 'weir-check-'))

const tools = [
  ['types: pure layers', 'tsc', '-p', 'workers/tsconfig.pure.json'],
  ['types: browser workers', 'tsc', '-p', 'workers/tsconfig.browser.json'],
  ['types: node host', 'tsc', '-p', 'workers/tsconfig.node.json'],
  ['types: page', 'tsc', '-p', 'tsconfig.json'],
  ['types: tests, scripts, bench', 'tsc', '-p', 'tests/tsconfig.json'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings', 'src', 'workers', 'tests', 'scripts', 'bench'],
  ['layers', 'depcruise', '--config', '.dependency-cruiser.cjs', 'src', 'workers'],
  ['dead code', 'knip', '--treat-config-hints-as-errors'],
]
const projects = fast
  ? ['unit', 'contract', 'golden', 'architecture']
  : ['unit', 'contract', 'golden', 'property', 'architecture', 'simulation', 'browser']

let passed = 0
let failed = 0
const failures = []

function run(name, command, args) {
  const started = performance.now()
  const result = spawnSync(join(root, 'node_modules', '.bin', command), args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    shell: process.platform === 'win32',
    env: { ...process.env, FORCE_COLOR: '0' },
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  return { ok: result.status === 0, output: `${result.stdout ?? ''}${result.stderr ?? ''}`, line: `${name} (${seconds} s)` }
}

for (const [name, command, ...args] of tools) {
  const { ok, output, line } = run(name, command, args)
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${line}`)
  if (ok) passed++
  else {
    failed++
    failures.push(name)
    console.log(output)
  }
}

for (const project of projects) {
  const report = join(scratch, `${project}.json`)
  const { ok, output, line } = run(project, 'vitest', [
    'run', '--project', project, '--reporter=json', `--outputFile.json=${report}`, '--reporter=default',
  ])
  let counts = null
  try {
    counts = JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    // No report: vitest itself failed, and its output says why.
  }
  const good = counts?.numPassedTests ?? 0
  // A suite that cannot be loaded, or a project without a single test, is a failure too.
  const bad = Math.max(counts?.numFailedTests ?? 1, ok && good > 0 ? 0 : 1)
  passed += good
  failed += bad
  console.log(`${bad === 0 ? 'ok  ' : 'FAIL'}  tests: ${line}: ${good} passed`)
  if (bad > 0) {
    failures.push(`tests: ${project}`)
    console.log(output.slice(-20_000))
  }
}

rmSync(scratch, { recursive: true, force: true })
if (failures.length > 0) console.log(`\nfailed: ${failures.join(', ')}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
