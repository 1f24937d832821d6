/**
 * House rules that neither the compiler nor the linter can check. Each failure names the replacement.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

function filesBelow(folder: string, ends: RegExp): string[] {
  const found: string[] = []
  for (const name of readdirSync(join(ROOT, folder))) {
    const path = join(folder, name)
    if (statSync(join(ROOT, path)).isDirectory()) found.push(...filesBelow(path, ends))
    else if (ends.test(name)) found.push(path)
  }
  return found.toSorted()
}

const pureFolders = (
  JSON.parse(readFileSync(join(ROOT, 'workers/tsconfig.pure.json'), 'utf8')) as { include: string[] }
).include.filter((entry) => !entry.endsWith('.ts'))
const pureFiles = pureFolders.flatMap((folder) => filesBelow(join('workers', folder), /\.ts$/))

/** Code without comments, string literals and patterns that are named: a rule is about what runs, not about what is said. */
function code(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:])\/\/.*$/gm, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/ = \/(?:[^/\\\n]|\\.)+\/[a-z]*$/gm, ' = //')
}

interface Rule {
  readonly pattern: RegExp
  readonly instead: string
}

const DETERMINISM: readonly Rule[] = [
  { pattern: /\bDate\.now\b|\bnew Date\b/, instead: 'take `now` as an argument: a machine has no clock' },
  { pattern: /\bMath\.random\b/, instead: 'use base/prng.ts with a seed of the job' },
  { pattern: /(?<![-\w])async(?![-\w:])|\bawait\b|\bPromise\b/, instead: 'make it an effect and an input: a machine never awaits' },
  { pattern: /\blocaleCompare\b|\bIntl\b|toLocale\w+/, instead: 'compare code units: a locale differs between machines' },
  { pattern: /\bWeakRef\b|\bFinalizationRegistry\b/, instead: 'release by hand: finalisers run at no known time' },
  { pattern: /(^|[^\w.])#[a-z]\w*/m, instead: 'use `private`: base/clone.ts cannot copy #private fields' },
]

function violations(files: readonly string[], rules: readonly Rule[]): string[] {
  return files.flatMap((path) => {
    const text = code(path)
    return rules.filter(({ pattern }) => pattern.test(text)).map(({ pattern, instead }) => `${path}: ${String(pattern)}: ${instead}`)
  })
}

describe('machines are deterministic', () => {
  it('pure layers are there to be checked', () => {
    expect(pureFiles.length).toBeGreaterThan(50)
  })

  it('pure layers use no clock, no chance, no promise, no locale, no private field', () => {
    expect(violations(pureFiles, DETERMINISM)).toEqual([])
  })

  it('the check finds what it looks for', () => {
    for (const [sample, { pattern }] of [
      ['const t = Date.now()', DETERMINISM[0]],
      ['x = Math.random()', DETERMINISM[1]],
      ['await x', DETERMINISM[2]],
      ['a.localeCompare(b)', DETERMINISM[3]],
      ['  #count = 0', DETERMINISM[5]],
    ] as [string, Rule][]) {
      expect(pattern.test(sample), sample).toBe(true)
    }
  })
})

describe('the project speaks of itself alone', () => {
  const everything = ['src', 'workers', 'tests', 'scripts', 'bench', 'docs', 'public'].flatMap((folder) =>
    filesBelow(folder, /\.(ts|tsx|mjs|css|html|md|json)$/).filter((path) => !path.startsWith(join('public', 'data'))),
  )

  it('names no path of a machine', () => {
    const found = everything.filter((path) => /(^|[^\w.$}])\/(work|farm|root)\//.test(readFileSync(join(ROOT, path), 'utf8')))
    expect(found.filter((path) => path !== relative(ROOT, import.meta.filename))).toEqual([])
  })

  it('every Markdown file begins with a title', () => {
    const untitled = everything.filter((path) => path.endsWith('.md') && !readFileSync(join(ROOT, path), 'utf8').startsWith('# '))
    expect(untitled).toEqual([])
  })
})

describe('the folders of the architecture exist, and no others', () => {
  it('every folder below workers/ is described in docs/ARCHITECTURE.md', () => {
    const text = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8')
    const folders = readdirSync(join(ROOT, 'workers')).filter((name) => statSync(join(ROOT, 'workers', name)).isDirectory())
    expect(folders.filter((name) => name !== 'hosts' && !text.includes(`workers/${name}`))).toEqual([])
  })

  it('every folder that docs/ARCHITECTURE.md names exists', () => {
    const text = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8')
    const named = [...text.matchAll(/`((?:workers|src)\/[\w/-]+)`/g)].map((match) => match[1] ?? '')
    const missing = named.filter((path) => {
      try {
        return !statSync(join(ROOT, path)).isDirectory()
      } catch {
        return true
      }
    })
    expect(missing).toEqual([])
  })
})
