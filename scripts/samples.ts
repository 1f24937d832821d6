/**
 * `npm run test:samples -- DIR [--fuzz N] [--seed S] [--verbose]`: opens every snapshot below a folder (each folder with a `_metadata`) and
 * prints what was decoded, and whether `_metadata` is written again with the same bytes; of Flink's golden files of serializers too. With `--fuzz` each is also opened N times with damaged bytes: only a reason or a partial view may come of it.
 * Exit status 1: one could not be opened, or damage made something else than a reason.
 */
import { parseArgs } from 'node:util'
import { findSnapshots, openDirectory, readMetadataFile } from './samples/open-directory.ts'
import { fuzzSnapshot } from './samples/fuzz.ts'
import { readGoldenPairs } from './samples/golden-pairs.ts'
import { SampleTable } from './samples/table.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { fuzz: { type: 'string', default: '0' }, seed: { type: 'string', default: '1' }, verbose: { type: 'boolean', default: false } },
})
const [root, ...more] = positionals
if (root === undefined || more.length > 0) {
  console.error('usage: npm run test:samples -- DIR [--fuzz N] [--seed S] [--verbose]')
  process.exit(2)
}

function wholeNumber(text: string, name: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 0) return value
  console.error(`--${name}: "${text}" is not a whole number`)
  process.exit(2)
}

const table = new SampleTable()
const rounds = wholeNumber(values.fuzz, 'fuzz')
let seed = wholeNumber(values.seed, 'seed')
for (const directory of findSnapshots(root)) {
  const metadata = readMetadataFile(directory)
  const opened = openDirectory(directory, metadata)
  table.add(directory.name, opened, metadata)
  if (values.verbose) for (const problem of opened.ok ? opened.value.view.problems : []) console.log(`${directory.name}: ${problem.operatorId.slice(0, 8)}/${problem.subtask ?? '-'}: ${problem.message}`)
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const outcome = fuzzSnapshot(directory, seed++)
    table.addFuzz(directory.name, outcome, performance.now() - started)
  }
}
table.print()
const pairs = readGoldenPairs(root)
if (pairs.outcomes.size > 0) console.log(`\nGolden pairs of serializer snapshot and value: ${[...pairs.outcomes].map(([outcome, times]) => `${times} ${outcome}`).join(', ')}`)
for (const failure of pairs.failures) console.log(`  ${failure}`)
process.exitCode = table.isOk && pairs.failures.length === 0 ? 0 : 1
