/** "others" (goals 11 to 14): the engine against the same count by other means; also while it takes checkpoints. */
import { millions, openWordCount, takeTurns, type Measuring } from './interleaved.ts'
import { GOALS, type Goal } from './goals.ts'
import { ratioRow, type Row } from './row.ts'
import { byEngine, byHand, CHECKPOINTED_LEAST, inOneThread, RECORDS } from './word-count-runs.ts'

/** What is slow gets fewer: a rate is compared, and each runs for some seconds. */
const SLOW_RECORDS = 300_000

export async function againstOthers(measuring: Measuring): Promise<readonly Row[]> {
  const page = await openWordCount(measuring)
  const records = RECORDS * measuring.share
  const few = SLOW_RECORDS * measuring.share
  const all = await takeTurns(
    measuring.rounds,
    {
      engine: () => byEngine(page, { records }),
      'a checkpoint each second': () => byEngine(page, { records: CHECKPOINTED_LEAST, checkpointEveryMs: 1000 }),
      'one a message': () => byHand(page, { type: 'objects', batch: 1 }, few),
      'objects ×1000': () => byHand(page, { type: 'objects', batch: 1000 }, records),
      RxJS: () => inOneThread(page, 'rxjs', records),
      'async generators': () => inOneThread(page, 'async generators', records),
      'Web Streams': () => inOneThread(page, 'web streams', few),
      ix: () => inOneThread(page, 'ix', few),
      Effect: () => inOneThread(page, 'effect', records),
      'a plain loop (S)': () => inOneThread(page, 'plain', records),
    },
    millions,
  )
  await page.close()
  const against = (other: string, theirs: readonly number[], goal?: Goal, ours = all.engine, engine = 'engine'): Row =>
    ratioRow({ what: `${engine} : ${other}`, ours, theirs, show: millions, ...(goal === undefined ? {} : { goal }) })
  return [
    against('one record a postMessage', all['one a message'], GOALS.oneRecordAMessage),
    against('structured clone of 1,000 objects', all['objects ×1000'], GOALS.structuredClone),
    against('RxJS groupBy', all.RxJS, GOALS.rxjs, all['a checkpoint each second'], 'engine with a checkpoint each second'),
    against('RxJS groupBy', all.RxJS, GOALS.rxjs),
    against('async generators', all['async generators'], GOALS.asyncGenerators),
    against('Web Streams', all['Web Streams'], GOALS.webStreams),
    against('ix AsyncIterable', all.ix, GOALS.ix),
    against('Effect Stream', all.Effect, GOALS.effect),
    against('a plain loop in one worker (S)', all['a plain loop (S)']),
  ]
}
