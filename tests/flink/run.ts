/**
 * `npm run test:flink [-- --flink VERSION] [--keep]`: real Flink restores what was written here, and what it writes is opened and restored here
 * (docs/FORMATS.md). `--keep` makes fixtures of `npm test` of some of it. Exit status 0: all checks passed; 1: one failed; 2: no JDK, no Maven, or no Flink to be had.
 */
import { parseArgs } from 'node:util'
import { finish } from './checks.ts'
import { goOnHere, goOnInFlink } from './exchange-words.ts'
import { readWhatFlinkWrites } from './read-what-flink-writes.ts'
import { restoreWhatWeWrite } from './restore-what-we-write.ts'
import { NoFlinkError, RealFlink } from './real-flink.ts'

const DEFAULT_VERSION = '2.3.0'

const { values } = parseArgs({ options: { flink: { type: 'string', default: DEFAULT_VERSION }, keep: { type: 'boolean', default: false } } })

function realFlink(): RealFlink {
  try {
    return new RealFlink(values.flink)
  } catch (error) {
    if (!(error instanceof NoFlinkError)) throw error
    console.error(`Real Flink is not to be had here: ${error.message}`)
    process.exit(2)
  }
}

const flink = realFlink()
console.log(`Flink ${flink.version}`)
restoreWhatWeWrite(flink)
goOnInFlink(flink)
goOnHere(readWhatFlinkWrites(flink, values.keep))
finish()
