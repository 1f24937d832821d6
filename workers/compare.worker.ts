/** Entry of the worker that simulates two runs to compare them. One request in its life; whoever loses patience terminates it. */
import { loadTopics } from './hosts/browser/load-topics.ts'
import { ModeRun } from './hosts/simulator/compare-modes.ts'
import type { CompareAnswer, CompareRequest } from './projections/compared-run.ts'

/** Engine time between two words on the progress. */
const SLICE_MICROS = 1_000_000
const post = (answer: CompareAnswer): void => self.postMessage(answer)

async function compare(request: CompareRequest): Promise<void> {
  const topics = await loadTopics(request.document.topics ?? [], request.base)
  const runs = (['aligned', 'unaligned'] as const).map((mode) => {
    const run = new ModeRun(request, mode, topics)
    while (!run.done) {
      run.advance(SLICE_MICROS)
      post({ type: 'progress', mode, at: run.now, ended: run.ended })
    }
    return run.result()
  })
  post({ type: 'done', runs })
}

self.onmessage = (event: MessageEvent<CompareRequest>) => {
  compare(event.data).catch((error: unknown) => post({ type: 'failed', message: error instanceof Error ? error.message : String(error) }))
}
