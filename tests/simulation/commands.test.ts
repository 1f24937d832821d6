import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const SCENARIO = join(ROOT, 'public/scenarios/kill-subtask.json')
const scratch = mkdtempSync(join(tmpdir(), 'weir-scenario-'))
afterAll(() => rmSync(scratch, { recursive: true }))

function command(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', `scripts/${script}.ts`, ...args], { cwd: ROOT, encoding: 'utf8' })
  return { status, stdout, stderr }
}

function file(name: string, change: (scenario: Record<string, unknown>) => unknown): string {
  const path = join(scratch, name)
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(SCENARIO, 'utf8')) as Record<string, unknown>)))
  return path
}

describe('npm run scenario', () => {
  it('prints each expectation, exit status 0 when all are met', () => {
    const { status, stdout } = command('scenario', SCENARIO)
    expect(stdout).toContain('ok   restored checkpoint: 1')
    expect(status).toBe(0)
  }, 60_000)

  it('--json gives the report; the same seed gives the same hash, another seed another', () => {
    const hash = (...args: string[]): string => {
      const report = JSON.parse(command('scenario', SCENARIO, '--json', ...args).stdout) as { host: string; ok: boolean; runHash: string; expectations: unknown[] }
      expect(report).toMatchObject({ host: 'simulator', ok: true })
      expect(report.expectations.length).toBeGreaterThan(3)
      return report.runHash
    }
    const first = hash()
    expect(hash('--seed', '1')).toBe(first)
    expect(hash('--seed', '2')).not.toBe(first)
  }, 60_000)

  it('exit status 1 when an expectation fails, and says what was expected and what was', () => {
    const { status, stdout } = command('scenario', file('fails.json', (scenario) => ({ ...scenario, expect: [{ job: 'FINISHED' }] })))
    expect(stdout).toContain('FAIL status of the job: expected FINISHED, was RUNNING')
    expect(status).toBe(1)
  }, 60_000)

  it('exit status 1 when a wait is not over in time', () => {
    const { status, stdout } = command('scenario', file('waits.json', (scenario) => ({ ...scenario, steps: [{ wait: { job: 'FAILED' }, timeout: '1 s' }] })))
    expect(stdout).toContain('not within 1 s of engine time; the job is RUNNING')
    expect(status).toBe(1)
  }, 60_000)

  it.each([
    ['an unknown field', (scenario: Record<string, unknown>) => ({ ...scenario, exepct: [] }), 'at /exepct: unknown field "exepct"'],
    ['an unknown built-in job', (scenario: Record<string, unknown>) => ({ ...scenario, job: 'fligths' }), 'at /job: there is no built-in job "fligths"'],
    ['an operator that the job does not have', (scenario: Record<string, unknown>) => ({ ...scenario, expect: [{ keys: { uid: 'scoer', count: 1 } }] }), 'at /expect/0/keys/uid: the job has no operator "scoer"'],
    ['a mistake in the job', (scenario: Record<string, unknown>) => ({ ...scenario, job: { ...(scenario['job'] as object), edges: [] } }), 'at /job/operators'],
  ])('exit status 2 and the place: %s', (_name, change, message) => {
    const { status, stderr } = command('scenario', file('bad.json', change))
    expect(stderr).toContain(message)
    expect(status).toBe(2)
  }, 60_000)

  it('exit status 2 without a file, or with one that is no JSON', () => {
    expect(command('scenario').status).toBe(2)
    const path = join(scratch, 'text.json')
    writeFileSync(path, '{')
    expect(command('scenario', path)).toMatchObject({ status: 2, stderr: expect.stringContaining('no JSON') as string })
  }, 60_000)
})

describe('npm run simulate', () => {
  it('replays a seed: the same hash each time', () => {
    const first = command('simulate', '--seeds', '1', '--from', '7')
    expect(first.status).toBe(0)
    expect(first.stdout).toContain('run hash')
    const hashOf = (text: string): string | undefined => /run hash (\w+)/.exec(text)?.[1]
    expect(hashOf(command('simulate', '--seeds', '1', '--from', '7').stdout)).toBe(hashOf(first.stdout))
  }, 60_000)

  it('refuses what is no number of seeds', () => {
    expect(command('simulate', '--seeds', 'many').status).toBe(2)
  }, 60_000)
})
