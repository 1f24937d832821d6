/** The word count in one thread, as other means do it: words drawn beforehand, each updated count reaches a sink that adds them up. */
import { Effect, Stream } from 'effect'
import { from as asyncFrom } from 'ix/asynciterable'
import { map as asyncMap } from 'ix/asynciterable/operators'
import { from, groupBy, map, mergeMap, scan } from 'rxjs'

export type Means = 'plain' | 'rxjs' | 'async generators' | 'web streams' | 'ix' | 'effect'

interface Updated {
  readonly word: string
  readonly count: number
}

/** Each returns the number of updates at the sink. */
export const COUNTS: Readonly<Record<Means, (words: readonly string[]) => Promise<number>>> = {
  plain: (words) => Promise.resolve(plain(words)),
  rxjs: byRxjs,
  'async generators': byAsyncGenerators,
  'web streams': byWebStreams,
  ix: byIx,
  effect: byEffect,
}

function counter(): (word: string) => Updated {
  const counts = new Map<string, { count: number }>()
  return (word) => {
    let entry = counts.get(word)
    if (entry === undefined) {
      entry = { count: 0 }
      counts.set(word, entry)
    }
    return { word, count: ++entry.count }
  }
}

/** No means at all: one loop and a Map (S of the goals). */
function plain(words: readonly string[]): number {
  const count = counter()
  let updates = 0
  for (const word of words) if (count(word).count > 0) updates++
  return updates
}

function byRxjs(words: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    let updates = 0
    from(words)
      .pipe(
        groupBy((word) => word),
        mergeMap((group) => group.pipe(scan((count) => count + 1, 0), map((count): Updated => ({ word: group.key, count })))),
      )
      .subscribe({ next: ({ count }) => (updates += count > 0 ? 1 : 0), error: reject, complete: () => resolve(updates) })
  })
}

async function byAsyncGenerators(words: readonly string[]): Promise<number> {
  let updates = 0
  for await (const { count } of counted(each(words))) updates += count > 0 ? 1 : 0
  return updates
}

// It has nothing to wait for: that it is asynchronous is what is measured.
// oxlint-disable-next-line require-await
async function* each(words: readonly string[]): AsyncGenerator<string> {
  for (const word of words) yield word
}

async function* counted(words: AsyncIterable<string>): AsyncGenerator<Updated> {
  const count = counter()
  for await (const word of words) yield count(word)
}

async function byWebStreams(words: readonly string[]): Promise<number> {
  const count = counter()
  let next = 0
  let updates = 0
  const source = new ReadableStream<string>({
    pull(controller) {
      if (next < words.length) controller.enqueue(words[next++] as string)
      else controller.close()
    },
  })
  const counting = new TransformStream<string, Updated>({ transform: (word, controller) => controller.enqueue(count(word)) })
  await source.pipeThrough(counting).pipeTo(new WritableStream({ write: (updated) => void (updates += updated.count > 0 ? 1 : 0) }))
  return updates
}

async function byIx(words: readonly string[]): Promise<number> {
  let updates = 0
  for await (const { count } of asyncFrom(words).pipe(asyncMap(counter()))) updates += count > 0 ? 1 : 0
  return updates
}

async function byEffect(words: readonly string[]): Promise<number> {
  let updates = 0
  const sink = ({ count }: Updated) => Effect.sync(() => void (updates += count > 0 ? 1 : 0))
  await Effect.runPromise(Stream.fromIterable(words).pipe(Stream.map(counter()), Stream.runForEach(sink)))
  return updates
}
