/** The engine's word count as it is measured: the built-in job, bounded, with the words of the hand-written one. */
import type { JobDocument } from '../workers/model/job-document.ts'
import { WORD_COUNT } from '../workers/model/builtin-jobs/word-count.ts'

export interface WordCountOptions {
  readonly records: number
  /** Null: no checkpoints. */
  readonly checkpointInterval?: string
  /** Flink's default is "32 kb". */
  readonly segmentSize?: string
}

export function wordCountJob({ records, checkpointInterval, segmentSize }: WordCountOptions): JobDocument {
  const config: Record<string, string | number | boolean> = { ...WORD_COUNT.config }
  if (checkpointInterval !== undefined) config['execution.checkpointing.interval'] = checkpointInterval
  if (segmentSize !== undefined) config['taskmanager.memory.segment-size'] = segmentSize
  return {
    ...WORD_COUNT,
    config,
    operators: WORD_COUNT.operators.map((operator) =>
      operator.uid === 'words' ? { ...operator, params: { rows: 'word', keys: 10_000, skew: 1, seed: 42, count: records } } : operator,
    ),
  }
}
