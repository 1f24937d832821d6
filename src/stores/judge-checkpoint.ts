/** Of a completed checkpoint: is its keyed state what the plain computation gives for the offsets in it? Read back from storage. */
import { straightResult } from '../../workers/invariants/exactly-once.ts'
import type { JobDocument } from '../../workers/model/job-document.ts'
import type { JobGraph } from '../../workers/model/job-graph.ts'
import type { Cluster } from '../cluster/cluster-types.ts'
import type { Verdict } from './run-store.ts'

const DIFFERENCES_MAX = 5
/** What the keys of the built-in jobs are. */
const NOUNS: Readonly<Record<string, string>> = { origin: 'airports', word: 'words' }

/** Null where no right answer is known: generated input, functions of the user, records in flight that are part of the checkpoint and not of its state. */
export async function judgeCheckpoint(cluster: Cluster, document: JobDocument, graph: JobGraph, checkpointId: number): Promise<Verdict | null> {
  const [inspected, topics, isOvertaken] = await Promise.all([cluster.inspectCheckpoint(checkpointId), cluster.topics(), hasInFlight(cluster, checkpointId)])
  if (topics.length === 0 || isOvertaken) return null
  const offsets = new Map(inspected.operators.filter((operator) => operator.splits.length > 0).map((operator) => [operator.uid, new Map(operator.splits.map((split) => [split.partition, split.offset]))]))
  const { states } = straightResult({ document, graph, topics }, offsets)
  let exact = 0
  let total = 0
  const differences: string[] = []
  for (const [uid, expected] of states) {
    if (!expected.exact) continue
    const actual = new Map(inspected.operators.filter((operator) => operator.uid === uid).flatMap((operator) => operator.keyed.map((entry) => [text(entry.key), text(entry.value)])))
    for (const [key, value] of expected.entries) {
      total++
      const found = actual.get(key)
      if (found === value) exact++
      else differences.push(`${key} is ${found ?? 'missing'}, it should be ${value}`)
    }
    for (const key of actual.keys()) if (!expected.entries.has(key)) differences.push(`${key} should not be there`)
  }
  if (total === 0) return null
  return {
    text: `${exact} of ${total} ${nounOf(graph)} exact`,
    exact: differences.length === 0,
    differences: differences.slice(0, DIFFERENCES_MAX),
  }
}

async function hasInFlight(cluster: Cluster, checkpointId: number): Promise<boolean> {
  const { body } = await cluster.rest({ path: `/jobs/${cluster.status.job?.id ?? ''}/checkpoints/details/${checkpointId}` })
  return ((body as { readonly persisted_data?: number } | null)?.persisted_data ?? 0) > 0
}

const text = (value: unknown): string => JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part))

function nounOf(graph: JobGraph): string {
  const by = graph.edges.find((edge) => edge.ship === 'hash')?.by[0] ?? ''
  return NOUNS[by] ?? 'keys'
}
