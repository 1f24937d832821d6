/** Contents of a document's topics; built-in data sets are fetched once each, below `base`. Rejects where one cannot be loaded. */
import type { TopicDocument } from '../../model/job-document.ts'
import type { TopicContent } from '../../model/outside.ts'
import { parseDataSet, type DataSet } from '../../outside/data-set.ts'
import { topicContents } from '../../outside/topics.ts'

export async function loadTopics(topics: readonly TopicDocument[], base: string): Promise<readonly TopicContent[]> {
  const dataSets = new Map<string, DataSet>()
  for (const { data } of topics) if (data !== undefined && !dataSets.has(data)) dataSets.set(data, await fetchDataSet(data, base))
  const contents = topicContents(topics, dataSets)
  if (!contents.ok) throw new Error(contents.error)
  return contents.value
}

async function fetchDataSet(name: string, base: string): Promise<DataSet> {
  const url = new URL(`data/${encodeURIComponent(name)}.json`, base)
  const response = await fetch(url)
  if (!response.ok) throw new Error(`the data set "${name}" cannot be loaded: ${response.status} ${response.statusText}`)
  const parsed = parseDataSet(name, await response.json())
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.value
}
