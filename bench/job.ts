/** The engine's word count as it is measured: the built-in job, bounded, with as many words and the skew of the hand-written one. */
import type { JobDocument } from '../workers/model/job-document.ts'
import { WORD_COUNT } from '../workers/model/builtin-jobs/word-count.ts'

export interface WordCountOptions {
  readonly records: number
  /** Absent: 10,000, of which some come far more often than others; with a number, all alike. */
  readonly keys?: number
  /** In engine time. Absent: no checkpoints. */
  readonly checkpointIntervalMs?: number
  /** In engine time: Flink's default of 100 ms at pace 1. */
  readonly bufferTimeoutMs?: number
  /** Flink's default is "32 kb". */
  readonly segmentSize?: string
  /** Further options of Flink. */
  readonly config?: Readonly<Record<string, string | number | boolean>>
}

export function wordCountJob({ records, keys, checkpointIntervalMs, bufferTimeoutMs, segmentSize, config: further }: WordCountOptions): JobDocument {
  const config: Record<string, string | number | boolean> = { ...WORD_COUNT.config, ...further }
  if (checkpointIntervalMs !== undefined) {
    config['execution.checkpointing.interval'] = `${checkpointIntervalMs} ms`
    config['execution.checkpointing.dir'] = 'file:///checkpoints'
  }
  if (bufferTimeoutMs !== undefined) config['execution.buffer-timeout.interval'] = `${bufferTimeoutMs} ms`
  if (segmentSize !== undefined) config['taskmanager.memory.segment-size'] = segmentSize
  return {
    ...WORD_COUNT,
    config,
    operators: WORD_COUNT.operators.map((operator) =>
      operator.uid === 'words' ? { ...operator, params: { rows: 'word', keys: keys ?? 10_000, skew: keys === undefined ? 1 : 0, seed: 42, count: records } } : operator,
    ),
  }
}

/** So many subtasks that have next to nothing to do and do not end. */
export function idleJob(subtasks: number): JobDocument {
  const counters = subtasks - 2
  return {
    ...WORD_COUNT,
    name: 'Idle',
    playground: { ...WORD_COUNT.playground, taskManagers: 2, slotsPerTaskManager: Math.ceil(counters / 2) },
    operators: WORD_COUNT.operators.map((operator) => {
      if (operator.uid === 'count') return { ...operator, parallelism: counters }
      return operator.uid === 'words' ? { ...operator, params: { rows: 'word', keys: 10, rate: 1 } } : operator
    }),
  }
}
