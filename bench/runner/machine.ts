/** On what is measured. */
import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import type { Machine } from './report.ts'

export const machineOf = (chromium: string): Machine => ({
  cores: availableParallelism(),
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  memoryGiB: totalmem() / 2 ** 30,
  system: `${type()} ${release()}`,
  chromium,
  node: process.versions.node,
  commit: commit(),
})

const ROOT = join(import.meta.dirname, '../..')
const git = (...command: readonly string[]): string => execFileSync('git', command, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** The product's own code counts alone: a report in the same repository changes nothing that is measured. */
function commit(): string | null {
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--', 'src', 'workers') === '' ? '' : ' with changes')
  } catch {
    return null
  }
}
