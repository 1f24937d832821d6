/** Keeps some of what real Flink has just written as fixtures of `npm test`: tests/golden/flink-written/snapshots. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zipSync } from 'fflate'
import { readSlice, sizesBelow } from '../../scripts/samples/open-directory.ts'
import type { Entry } from './entries.ts'
import { isOfOperator, keyedLine, operatorLine } from './entries.ts'

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', 'golden', 'flink-written', 'snapshots')
/** The same for every run and machine, so that a fixture changes only with what Flink writes. */
const ZIP_TIME = new Date(2000, 0, 1)

interface Kept {
  readonly name: string
  readonly path: string
}

/** `entries`: of the snapshots of StateJob.java, the same in all of them apart from who holds what of operator state. */
export function keepGolden(version: string, snapshots: readonly Kept[], entries: readonly Entry[]): void {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const { name, path } of snapshots) writeFileSync(join(FOLDER, `${name}.zip`), zipSync(filesOf(path), { level: 9, mtime: ZIP_TIME }))
  writeFileSync(join(FOLDER, 'entries.txt'), `${linesOf(entries).join('\n')}\n`)
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(join(FOLDER, 'README.md'), readme(version, date, snapshots.map(({ name }) => name)))
}

/** One for each entry, without the subtask; line ends in keys are escaped. */
export const linesOf = (entries: readonly Entry[]): string[] => entries.map((entry) => (isOfOperator(entry) ? operatorLine(entry, null) : keyedLine(entry)).replaceAll('\n', '\\n')).toSorted()

function filesOf(path: string): Record<string, Uint8Array> {
  const directory = { name: '', path, sizes: sizesBelow(path) }
  const names = [...directory.sizes.keys()].toSorted()
  return Object.fromEntries(names.map((name) => [name, withoutFolder(readSlice(directory, { name, offset: 0, length: directory.sizes.get(name) ?? 0 }), dirname(dirname(path)))]))
}

/** Handles are named by the path of this machine: another text of the same length, so that nothing else moves. */
function withoutFolder(bytes: Uint8Array, folder: string): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll(folder, '/flink'.padEnd(folder.length, '-')), 'latin1')
}

const readme = (version: string, date: string, names: readonly string[]): string => `# Snapshots that real Flink wrote

Written by Apache Flink ${version} on ${date}, by \`npm run test:flink -- --keep\` and nothing else: the jobs are
\`tests/flink/src/main/java/weir/StateJob.java\` (${names.filter((name) => !name.startsWith('words')).join(', ')}) and \`Words.java\` (${names.filter((name) => name.startsWith('words')).join(', ')}).
Each archive is the directory of one snapshot, as it stood on the disk; in names of handles another text of the same length stands for the
path of the machine. \`entries.txt\` is what the functions of \`StateJob\` put into their state,
told by themselves (\`Ledger.java\`), not read out of Flink's state.
`
