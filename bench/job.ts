/** The engine's word count as it is measured: the built-in job, bounded, with as many words and the skew of the hand-written one. */
import type { JobDocument } from '../workers/model/job-document.ts'
import { WORD_COUNT } from '../workers/model/builtin-jobs/word-count.ts'

export interface WordCountOptions {
  readonly records: number
  /** In engine time. Absent: no checkpoints. */
  readonly checkpointIntervalMs?: number
  /** In engine time: Flink's default of 100 ms at pace 1. */
  readonly bufferTimeoutMs?: number
  /** Flink's default is "32 kb". */
  readonly segmentSize?: string
}

export function wordCountJob({ records, checkpointIntervalMs, bufferTimeoutMs, segmentSize }: WordCountOptions): JobDocument {
  const config: Record<string, string | number | boolean> = { ...WORD_COUNT.config }
  if (checkpointIntervalMs !== undefined) config['execution.checkpointing.interval'] = `${checkpointIntervalMs} ms`
  if (bufferTimeoutMs !== undefined) config['execution.buffer-timeout.interval'] = `${bufferTimeoutMs} ms`
  if (segmentSize !== undefined) config['taskmanager.memory.segment-size'] = segmentSize
  return {
    ...WORD_COUNT,
    config,
    operators: WORD_COUNT.operators.map((operator) =>
      operator.uid === 'words' ? { ...operator, params: { rows: 'word', keys: 10_000, skew: 1, seed: 42, count: records } } : operator,
    ),
  }
}
