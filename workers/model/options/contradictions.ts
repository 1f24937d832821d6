/**
 * What becomes of options that bear upon each other (behaviour 2.1, 2.3): what Flink refuses, changes or ignores without a word, what it
 * only logs, and what it accepts although people (and the prose documentation) think otherwise. Flink: CheckpointConfig,
 * CheckpointCoordinatorConfiguration, StreamingJobGraphGenerator, CheckpointCoordinator.
 */
import type { Problem } from '../job-graph.ts'
import { ConfigReader } from './config-reader.ts'
import type { Contradiction } from './contradiction.ts'
import { RULES } from './contradiction-rules.ts'
import type { RawValue } from './values.ts'

/** Values that cannot be read count as not set here: the parser names them. */
export function contradictions(config: Readonly<Record<string, RawValue>>): readonly Contradiction[] {
  const reader = new ConfigReader(config)
  return RULES.flatMap((rule) => rule(reader))
}

/** As problems of the job document, at the first key as it is written there; what is accepted is none. */
export function contradictionProblems(config: Readonly<Record<string, RawValue>>): readonly Problem[] {
  const problems = new ConfigReader(config)
  const own = problems.problems.length
  for (const found of contradictions(config)) {
    const [key] = found.keys
    if (found.kind === 'accepted' || key === undefined) continue
    const message = `${found.message} ${found.consequence}`
    if (found.kind === 'refused') problems.error(key, message, found.cure)
    else problems.warn(key, message, found.cure)
  }
  return problems.problems.slice(own)
}
