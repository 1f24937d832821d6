/** Contents of topics: rows of a data set or of a document, dealt to the partitions in the order of the file. */
import { err, ok, type Result } from '../base/result.ts'
import type { TopicDocument } from '../model/job-document.ts'
import type { TopicContent } from '../model/outside.ts'
import type { Schema, Value } from '../model/schema.ts'
import type { DataSet } from './data-set.ts'

/** Row `i` goes to partition `i % partitions`, at offset `floor(i / partitions)`. */
export function topicContent(name: string, rows: readonly Value[], partitions: number): TopicContent {
  const dealt: Value[][] = Array.from({ length: partitions }, () => [])
  for (let i = 0; i < rows.length; i++) (dealt[i % partitions] as Value[]).push(rows[i] as Value)
  return { name, partitions: dealt }
}

/**
 * Contents of the topics of a document that has been checked. A topic with neither data nor rows begins empty. The error names a data set
 * that `dataSets` lacks.
 */
export function topicContents(
  topics: readonly TopicDocument[],
  dataSets: ReadonlyMap<string, DataSet>,
): Result<readonly TopicContent[], string> {
  const contents: TopicContent[] = []
  for (const topic of topics) {
    let rows: readonly Value[] = []
    if (topic.data !== undefined) {
      const dataSet = dataSets.get(topic.data)
      if (dataSet === undefined) return err(`the data set "${topic.data}" of topic "${topic.name}" is not loaded`)
      rows = dataSet.rows
    } else if (topic.rows !== undefined) {
      rows = inlineRows(topic)
    }
    contents.push(topicContent(topic.name, rows, topic.partitions))
  }
  return ok(contents)
}

/** In a document a bare row may stand by itself or as a list of one. */
function inlineRows(topic: TopicDocument): readonly Value[] {
  const bare = isBare(topic)
  return (topic.rows ?? []).map((row): Value => {
    if (!bare) return typeof row === 'object' ? row : [row]
    return typeof row === 'object' ? (row[0] as Value) : row
  })
}

function isBare(topic: TopicDocument): boolean {
  const kind: Schema['kind'] | undefined = topic.schema?.kind
  if (kind !== undefined) return kind === 'bare'
  return (topic.rows ?? []).every((row) => typeof row !== 'object')
}
